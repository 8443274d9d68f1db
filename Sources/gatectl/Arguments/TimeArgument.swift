import Foundation
import GateJSON
import GateModel

/// A time as people type it: RFC 3339, or a wall time `09:00`, `tomorrow 09:00`, `2026-03-30 09:00` of a zone.
enum TimeArgument {
    static let form = "a time such as 2026-03-30T09:00:00Z, 09:00, \"tomorrow 09:00\" or \"2026-03-30 09:00\""

    /// - Parameters:
    ///   - now: the server's clock, which decides what is past.
    ///   - zone: of wall times.
    /// - Throws: wrong usage (64) for what is no time; input refused (8) for a wall time that the zone's clocks skip or show twice, and for a
    ///   time outside of ``Timestamp/years``.
    static func parse(_ text: String, now: Timestamp, zone: TimeZone) throws(Failure) -> Timestamp {
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            if error == .years { throw .outside(text) }
        }
        let time = try wall(text, now: now, zone: zone)
        guard Timestamp.years.contains(time.year) else { throw .outside(text) }
        return time
    }

    private static func wall(_ text: String, now: Timestamp, zone: TimeZone) throws(Failure) -> Timestamp {
        let wrong = Failure.usage("\(Style.safe(text)) is not \(form)")
        guard let match = text.wholeMatch(of: #/(?:(\d{4})-(\d\d)-(\d\d) |(tomorrow) )?(\d\d):(\d\d)/#), let hour = Int(match.5),
            let minute = Int(match.6),
            hour < 24, minute < 60
        else { throw wrong }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let present = Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
        var wanted = calendar.dateComponents([.year, .month, .day], from: present)
        if let year = match.1, let month = match.2, let day = match.3 {
            guard let year = Int(year), Timestamp.years.contains(year) else { throw .outside(text) }
            wanted = DateComponents(year: year, month: Int(month), day: Int(day))
        } else if match.4 != nil {
            wanted = try Self.day(after: wanted, calendar, wrong)
        }
        let time = try instant(wanted, hour, minute, calendar, text)
        // A bare 09:00 is the next one to come; a date that is past stays so, and the server refuses it.
        guard match.1 == nil, match.4 == nil, time <= present else {
            return Timestamp(milliseconds: Int64(time.timeIntervalSince1970) * 1_000)
        }
        let next = try instant(try day(after: wanted, calendar, wrong), hour, minute, calendar, text)
        return Timestamp(milliseconds: Int64(next.timeIntervalSince1970) * 1_000)
    }

    private static func day(after day: DateComponents, _ calendar: Calendar, _ wrong: Failure) throws(Failure) -> DateComponents {
        var noon = day
        noon.hour = 12
        guard let date = calendar.date(from: noon), let next = calendar.date(byAdding: .day, value: 1, to: date) else { throw wrong }
        return calendar.dateComponents([.year, .month, .day], from: next)
    }

    private static func instant(
        _ day: DateComponents,
        _ hour: Int,
        _ minute: Int,
        _ calendar: Calendar,
        _ text: String
    ) throws(Failure) -> Date {
        var components = day
        components.hour = hour
        components.minute = minute
        func shows(_ date: Date) -> Bool {
            let shown = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
            return shown.year == day.year && shown.month == day.month && shown.day == day.day && shown.hour == hour
                && shown.minute == minute
        }
        let zone = calendar.timeZone.identifier
        guard let date = calendar.date(from: components), shows(date) else {
            throw Failure(
                .refused,
                "no_such_time",
                "\(Style.safe(text)) does not exist in \(zone)",
                next: [("next", "clocks are put forward there; name a time with its offset, such as 2026-03-29T03:00:00+02:00")]
            )
        }
        // Clocks are put back by an hour almost everywhere, by half an hour on Lord Howe Island.
        if let other = [-3_600.0, -1_800, 1_800, 3_600].map({ date.addingTimeInterval($0) }).first(where: shows) {
            let both = [date, other].sorted().map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970) * 1_000).description }
            throw Failure(
                .refused,
                "ambiguous_time",
                "\(Style.safe(text)) comes twice in \(zone)",
                next: [("next", "name one of them: \(both[0]) or \(both[1])")]
            )
        }
        return date
    }
}

extension Failure {
    fileprivate static func outside(_ text: String) -> Failure {
        let (first, last) = (Timestamp.years.lowerBound, Timestamp.years.upperBound)
        return Failure(
            .refused, "invalid_time", "\(Style.safe(text)) lies outside the years \(first) to \(last), in UTC or in its zone",
            next: [("next", "name a time between them; without an end it stays until somebody ends it")]
        )
    }
}
