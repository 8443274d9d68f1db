import GateJSON

/// A rule for clocks as POSIX writes it in `TZ` and RFC 8536 at the end of its files: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// Seconds ahead of UTC.
    private let standard: Int64
    private let summer: Summer?

    private struct Summer: Sendable {
        var offset: Int64
        var start: Day
        var end: Day
    }

    /// A day of every year, and a time on it.
    private struct Day: Sendable {
        enum Form: Sendable {
            /// `J60`: 1 to 365, the 29th of February never counted.
            case withoutLeapDay(Int)
            /// `59`: 0 to 365, the 29th of February counted.
            case withLeapDay(Int)
            /// `M3.5.0`: the last (5) Sunday (0) of March.
            case weekday(month: Int, week: Int, day: Int)
        }

        var form: Form
        /// Seconds after midnight, up to a week; negative before it.
        var time: Int64
    }

    /// Nil if the text is no such rule.
    init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard reader.name(), let standard = reader.offset() else { return nil }
        self.standard = -standard
        guard !reader.rest.isEmpty else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        // Without an offset of its own, summer time is an hour ahead.
        let offset = reader.rest.first == UInt8(ascii: ",") ? self.standard + 3_600 : reader.offset().map { -$0 }
        guard let offset, let start = reader.day(), let end = reader.day(), reader.rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    func offset(at time: Timestamp) -> Int64 {
        guard let summer else { return standard }
        let year = time.advanced(bySeconds: standard).year
        // Each change is given in the time that clocks show just before it.
        guard let start = Self.moment(of: summer.start, in: year)?.advanced(bySeconds: -standard),
            let end = Self.moment(of: summer.end, in: year)?.advanced(bySeconds: -summer.offset)
        else { return standard }
        // South of the equator, summer spans the turn of the year.
        let isSummer = start < end ? start <= time && time < end : !(end <= time && time < start)
        return isSummer ? summer.offset : standard
    }

    /// What clocks show then, as if they were in UTC; nil for years outside the range of ``Timestamp``.
    private static func moment(of day: Day, in year: Int) -> Timestamp? {
        func first(ofMonth month: Int) -> Timestamp? {
            let digits = String(year)
            return Timestamp(
                String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (month < 10 ? "-0" : "-") + "\(month)-01T00:00:00Z"
            )
        }
        guard let january = first(ofMonth: 1), let march = first(ofMonth: 3) else { return nil }
        let isLeapYear = march.milliseconds - january.milliseconds == 60 * 86_400_000
        let midnight: Timestamp
        switch day.form {
        case .withoutLeapDay(let number):
            midnight = january.advanced(bySeconds: Int64(number - 1 + (isLeapYear && number >= 60 ? 1 : 0)) * 86_400)
        case .withLeapDay(let number): midnight = january.advanced(bySeconds: Int64(number) * 86_400)
        case .weekday(let month, let week, let weekday):
            guard let start = first(ofMonth: month),
                let next = month == 12 ? start.advanced(bySeconds: 31 * 86_400) : first(ofMonth: month + 1)
            else { return nil }
            let length = Int((next.milliseconds - start.milliseconds) / 86_400_000)
            // The first of January 1970 was a Thursday.
            let firstWeekday = Int(((start.milliseconds / 86_400_000 + 4) % 7 + 7) % 7)
            var number = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if number >= length { number -= 7 }
            midnight = start.advanced(bySeconds: Int64(number) * 86_400)
        }
        return midnight.advanced(bySeconds: day.time)
    }

    /// Reads the text from start to end.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        private mutating func take(_ byte: Character) -> Bool {
            guard rest.first == byte.asciiValue else { return false }
            rest.removeFirst()
            return true
        }

        /// At least three letters; between `<` and `>`, signs and digits too.
        mutating func name() -> Bool {
            if take("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end > rest.startIndex else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix(while: \.isASCIILetter)
            rest.removeFirst(letters.count)
            return letters.count >= 3
        }

        private mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix(while: \.isASCIIDigit)
            rest.removeFirst(digits.count)
            guard (1...3).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)), range.contains(number) else {
                return nil
            }
            return number
        }

        /// `-1`, `+5:30`, `2:00:00`: seconds.
        mutating func offset() -> Int64? {
            let sign: Int64 = take("-") ? -1 : 1
            if sign > 0 { _ = take("+") }
            guard let hours = number(0...167) else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] where take(":") {
                guard let part = number(0...59) else { return nil }
                seconds += part * unit
            }
            return sign * Int64(seconds)
        }

        /// `,M3.5.0/2`
        mutating func day() -> Day? {
            guard take(",") else { return nil }
            let form: Day.Form
            if take("M") {
                guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6) else {
                    return nil
                }
                form = .weekday(month: month, week: week, day: weekday)
            } else if take("J") {
                guard let day = number(1...365) else { return nil }
                form = .withoutLeapDay(day)
            } else {
                guard let day = number(0...365) else { return nil }
                form = .withLeapDay(day)
            }
            guard take("/") else { return Day(form: form, time: 7_200) }
            return offset().map { Day(form: form, time: $0) }
        }
    }
}
