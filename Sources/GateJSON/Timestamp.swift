#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment in UTC, in whole milliseconds since 1970.
///
/// An integer rather than a `Date`, so what is stored, hashed and shown is the same to the last digit. Text is written and parsed with
/// integers too: Foundation's ISO 8601 style shows 14.001 s as 14.000 and reads the 31st of June as the 1st of July.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads RFC 3339 with 0 to 3 decimals and any offset; nil for anything else, such as the 31st of June.
    ///
    /// A leap second counts as the first second of the next minute, as on every POSIX clock. Five-digit years are not RFC 3339, but are
    /// read because ``description`` writes them and older versions stored such times. Input from outside is read by ``init(entering:)``.
    public init?(_ text: String) {
        var text = Text(rest: Array(text.utf8)[...])
        let isLongYear = text.rest.first != UInt8(ascii: "0") && text.rest.prefix { $0 != UInt8(ascii: "-") }.count == 5
        guard let year = text.number(isLongYear ? 5 : 4), text.take("-"), let month = text.number(2), text.take("-"),
            let day = text.number(2), text.take("T"), let hour = text.number(2), text.take(":"), let minute = text.number(2),
            text.take(":"),
            let second = text.number(2),
            (1...12).contains(month), (1...Self.daysInMonth(month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var thousandths: Int64 = 0
        if text.take(".") {
            guard let first = text.number(1) else { return nil }
            thousandths = first * 100
            if let second = text.number(1) { thousandths += second * 10 + (text.number(1) ?? 0) }
        }
        var offset: Int64 = 0
        if !text.take("Z") {
            let sign: Int64 = text.take("-") ? -1 : 1
            guard sign < 0 || text.take("+"), let hours = text.number(2), text.take(":"), let minutes = text.number(2), hours < 24,
                minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes)
        }
        guard text.rest.isEmpty else { return nil }
        milliseconds = (Self.days(year, month, day) * 86_400 + hour * 3_600 + (minute - offset) * 60 + second) * 1_000 + thousandths
    }

    /// The part of a time's text that is still to be read.
    private struct Text {
        var rest: ArraySlice<UInt8>

        /// - Parameter sign: for the letters `T` and `Z`, lower case matches too (RFC 3339, section 5.6).
        mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard let first = rest.first, first == UInt8(ascii: sign) || sign >= "A" && first == UInt8(ascii: sign) | 0x20 else {
                return false
            }
            rest.removeFirst()
            return true
        }

        /// ASCII digits only, which is why this is not a regular expression: \d matches digits of any script.
        mutating func number(_ width: Int) -> Int64? {
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
            rest.removeFirst(width)
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
    }

    /// RFC 3339 in UTC with milliseconds: `2026-04-02T09:32:14.000Z`.
    public var description: String {
        let (seconds, thousandths) = Self.divide(milliseconds, by: 1_000)
        let (days, second) = Self.divide(seconds, by: 86_400)
        let (year, month, day) = Self.civil(days)
        func digits(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
            + "\(digits(second / 3_600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2)).\(digits(thousandths, 3))Z"
    }

    /// The year in UTC.
    public var year: Int { Int(Self.civil(Self.divide(Self.divide(milliseconds, by: 1_000).quotient, by: 86_400).quotient).year) }

    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }

    public func advanced(bySeconds seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1_000) }

    /// The machine's clock. Code that needs the time gets it passed in, so tests need not wait.
    public static var now: Timestamp { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) }

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to a day of the Gregorian calendar. Years are counted from March, so that a leap day ends one; 400 years have
    /// 146,097 days, and 719,468 days lie between 0000-03-01 and 1970-01-01.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = divide(marchYear, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of ``days(_:_:_:)``.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// Division whose remainder is never negative, for times before 1970.
    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = ((number % divisor) + divisor) % divisor
        return ((number - remainder) / divisor, remainder)
    }
}
