import GateJSON
import GateModel

/// Reads the times of a window as they are typed, in the zone that was named, the edited window's or the machine's own.
struct WindowTimes {
    /// The name after `--tz`, or the zone of the window that is edited; nil for the machine's.
    let zone: String?
    /// The server's clock.
    let now: Timestamp

    /// - Throws: `past_time`; what ``TimeArgument`` and the zone refuse.
    func start(_ text: String) throws(Failure) -> ZonedTime {
        let start = try time(text, after: now)
        guard start.at > now else { throw past(text, start) }
        return start
    }

    /// A bare time of day is the first one after the start: from 22:00 until 06:00 is a night. A named day, `tomorrow`, is counted from
    /// now.
    func end(_ text: String, of start: ZonedTime) throws(Failure) -> ZonedTime {
        try time(text, after: TimeArgument.namesDay(text) ? now : max(start.at, now))
    }

    func past(_ text: String, _ time: ZonedTime) -> Failure {
        Failure(
            .refused,
            "past_time",
            "\(Style.safe(text)) is past: \(WindowView.time(time)), and on the server it is \(now)",
            next: [("next", "name a time that is still to come")]
        )
    }

    private func time(_ text: String, after now: Timestamp) throws(Failure) -> ZonedTime {
        let zone = ZoneArgument.zone(zone)
        let at = try TimeArgument.parse(text, now: now, zone: zone)
        // Machines also use names of UTC that the server does not know; nor does it know abbreviations such as CET, which name no region.
        let name =
            (zone.fault == nil ? self.zone : nil)
            ?? (["GMT", "Etc/UTC", "Etc/GMT", "Etc/UCT"].contains(zone.name) ? "UTC" : zone.name ?? "")
        guard name == "UTC" || name.contains("/") else {
            throw Failure(
                .refused,
                "invalid_zone",
                "\(name.isEmpty ? "this machine's zone" : Style.safe(name)) is not named after a region",
                next: [("next", "add --tz, such as --tz Europe/Berlin")]
            )
        }
        return try zone.zoned(at, as: name)
    }
}
