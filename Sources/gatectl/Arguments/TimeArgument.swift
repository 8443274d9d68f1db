import GateJSON
import GateModel

/// A time as people type it: RFC 3339, or a wall time in a zone: `09:00`, `tomorrow 09:00`, `2026-03-30 09:00`.
enum TimeArgument {
    static let form = "a time such as 2026-03-30T09:00:00Z, 09:00, \"tomorrow 09:00\" or \"2026-03-30 09:00\""

    /// Whether a text names its day relative to now, as `tomorrow 09:00` does. A bare time of day is instead the next one to come.
    static func namesDay(_ text: String) -> Bool { text.hasPrefix("tomorrow ") }

    /// - Parameters:
    ///   - now: the server's clock, which decides what is past.
    ///   - zone: of wall times.
    ///   - looksBack: whether `yesterday 14:03` and `last tuesday 14:03` are accepted too: plans lie ahead, but a question may be about the
    ///     past.
    /// - Throws: wrong usage (64) for a text that is no time; input refused (8) for a wall time that the zone's clocks skip or show twice,
    ///   or in a zone that is not known, and for a time outside of ``Timestamp/years``.
    static func parse(_ text: String, now: Timestamp, zone: Zone, looksBack: Bool = false) throws(Failure) -> Timestamp {
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            if error == .years { throw .outside(text) }
        }
        let earlier = looksBack ? try past(text, now: now, zone: zone) : nil
        let time: Timestamp
        if let earlier { time = earlier } else { time = try wall(text, now: now, zone: zone) }
        guard Timestamp.years.contains(time.year) else { throw .outside(text) }
        return time
    }

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// `yesterday 14:03` or `last tuesday 14:03`, the latest one before today; nil for another text.
    private static func past(_ text: String, now: Timestamp, zone: Zone) throws(Failure) -> Timestamp? {
        guard let match = text.lowercased().wholeMatch(of: #/(?:(yesterday)|last ([a-z]+)) (\d\d:\d\d)/#),
            let today = Timestamp(zone.wall(at: now).description.prefix { $0 != "T" } + "T00:00:00Z")
        else { return nil }
        var days: Int64 = 1
        if let name = match.2 {
            guard let weekday = weekdays.firstIndex(of: String(name)) else { return nil }
            // 1970 began on a Thursday.
            let present = (today.milliseconds / 86_400_000 + 4) % 7
            days = (present - Int64(weekday) + 6) % 7 + 1
        }
        let day = today.advanced(bySeconds: -days * 86_400).description.prefix { $0 != "T" }
        return try wall("\(day) \(match.3)", now: now, zone: zone)
    }

    private static func wall(_ text: String, now: Timestamp, zone: Zone) throws(Failure) -> Timestamp {
        let wrong = Failure.usage("\(Style.safe(text)) is not \(form)")
        guard let match = text.wholeMatch(of: #/(?:(\d{4})-(\d\d)-(\d\d) |(tomorrow) )?(\d\d):(\d\d)/#), let hour = Int(match.5),
            let minute = Int(match.6),
            hour < 24, minute < 60
        else { throw wrong }
        if let fault = zone.fault {
            throw Failure(
                .refused,
                "invalid_zone",
                fault,
                next: [("next", "name a zone that is known, such as Europe/Berlin, or a time such as 2026-03-30T09:00:00Z")]
            )
        }
        let clock = "T\(match.5):\(match.6):00Z"
        // Wall times are calculated as if they were in UTC.
        if let year = match.1, let month = match.2, let day = match.3 {
            guard let number = Int(year), Timestamp.years.contains(number) else { throw .outside(text) }
            guard let wall = Timestamp("\(year)-\(month)-\(day)\(clock)") else {
                throw Failure(.refused, "no_such_time", "there is no \(year)-\(month)-\(day)")
            }
            return try moment(showing: wall, zone, text)
        }
        guard let today = Timestamp(zone.wall(at: now).description.prefix { $0 != "T" } + clock) else { throw wrong }
        let tomorrow = today.advanced(bySeconds: 86_400)
        if match.4 != nil { return try moment(showing: tomorrow, zone, text) }
        // A bare 09:00 is the next one to come; a date in the past stays there, and the server refuses it.
        let ahead = zone.moments(showing: today).filter { $0 > now }
        if ahead.count == 1 { return ahead[0] }
        // Both are still to come, or today's is skipped and clocks have not got that far: whoever typed it must say what is meant.
        let isToday = !ahead.isEmpty || zone.moments(showing: today).isEmpty && zone.wall(at: now) < today
        return try moment(showing: isToday ? today : tomorrow, zone, text)
    }

    private static func moment(showing wall: Timestamp, _ zone: Zone, _ text: String) throws(Failure) -> Timestamp {
        let moments = zone.moments(showing: wall)
        let place = zone.name ?? "this machine's zone"
        guard let first = moments.first, let last = moments.last else {
            throw Failure(
                .refused,
                "no_such_time",
                "\(Style.safe(text)) does not exist in \(place)",
                next: [("next", "clocks are put forward then; name a time that exists: \(near(wall, zone).joined(separator: " or "))")]
            )
        }
        guard first == last else {
            throw Failure(
                .refused,
                "ambiguous_time",
                "\(Style.safe(text)) comes twice in \(place)",
                next: [("next", "name one of them: \(first) or \(last)")]
            )
        }
        return first
    }
}

extension TimeArgument {
    /// The times nearest to one that clocks skip, to the minute: the last before it and the first after it.
    private static func near(_ wall: Timestamp, _ zone: Zone) -> [String] {
        // No zone was ever put forward by more than a day.
        let minutes = (1...Int64(26 * 60)).map { $0 * 60 }
        let before = minutes.lazy.compactMap { zone.moments(showing: wall.advanced(bySeconds: -$0)).last }.first
        let after = minutes.lazy.compactMap { zone.moments(showing: wall.advanced(bySeconds: $0)).first }.first
        return [before, after].compactMap { $0?.description }
    }
}

extension Failure {
    fileprivate static func outside(_ text: String) -> Failure {
        let (first, last) = (Timestamp.years.lowerBound, Timestamp.years.upperBound)
        return Failure(
            .refused,
            "invalid_time",
            "\(Style.safe(text)) lies outside the years \(first) to \(last), in UTC or in its zone",
            next: [("next", "name a time between them; without an end it stays until somebody ends it")]
        )
    }
}
