import GateJSON
import GateModel

/// Windows in words.
enum WindowView {
    /// `2026-03-30 08:30 Europe/Berlin (+02:00) = 2026-03-30 06:30:00 UTC`: in full, so that nobody has to guess the zone.
    static func time(_ time: ZonedTime) -> String {
        let zoned = zoned(time)
        return time.zone == "UTC" ? zoned : "\(zoned) (\(time.offset)) = \(Words.time(time.at, inUTC: true))"
    }

    /// `2026-03-30 08:30 Europe/Berlin`, with the offset where clocks show that time twice.
    static func short(_ time: ZonedTime) -> String {
        let isTwice = Zone(named: time.zone).map { $0.moments(showing: $0.wall(at: time.at)).count > 1 } ?? false
        return zoned(time) + (isTwice ? " (\(time.offset))" : "")
    }

    private static func zoned(_ time: ZonedTime) -> String {
        let wall = time.wallTime.description.replacing("T", with: " ")
        return (wall.hasSuffix(":00") ? String(wall.dropLast(3)) : wall) + " " + Style.safe(time.zone)
    }

    /// A window's times in full, each with how far away it is.
    /// - Parameter step: the one that is carried out now, whenever it was planned for.
    static func times(_ window: Window, now: Timestamp, happening step: Window.Step? = nil) -> [String] {
        func line(_ label: String, _ time: ZonedTime, isNow: Bool) -> String {
            if isNow { return "  \(label)  now; it was planned for \(self.time(time))" }
            let distance = time.at > now ? "in \(Words.age(from: now, to: time.at))" : "\(Words.age(from: time.at, to: now)) ago"
            return "  \(label)  \(self.time(time)) · \(distance)"
        }
        var lines = [line("from ", step == .start ? window.start : beginning(of: window), isNow: step == .start)]
        guard let end = step == .end ? window.end : ending(of: window) else { return lines + ["  until  somebody changes it"] }
        let then = window.then == .open ? ", then opens" : ", then restores what was there"
        lines.append(line("until", end, isNow: step == .end) + (window.state.isActive ? then : ""))
        if step == nil {
            let hasEnded = window.events.contains { $0.what == .ended }
            lines.append("  \(hasEnded ? "lasted" : "lasts ") \(length(from: window.begins, to: end.at))")
        }
        return lines
    }

    /// Its start, or when a person ran it before that.
    static func beginning(of window: Window) -> ZonedTime {
        window.begins < window.start.at ? shown(window.begins, as: window.start) : window.start
    }

    /// Its end, or when it really ended; nil when it has none.
    static func ending(of window: Window) -> ZonedTime? {
        guard let ended = window.events.last(where: { $0.what == .ended }) else { return window.end }
        return shown(ended.at, as: window.start)
    }

    /// A moment as the clocks show it where the window was planned; in UTC if this machine does not know that zone.
    private static func shown(_ moment: Timestamp, as planned: ZonedTime) -> ZonedTime {
        let (zone, name) = Zone(named: planned.zone).map { ($0, planned.zone) } ?? (.utc, "UTC")
        // Only a moment beyond the years that can be shown is refused, and a window's event lies in the past.
        return (try? zone.zoned(moment, as: name)) ?? planned
    }

    /// In milliseconds. A window longer than a night is more often a wrong date than meant.
    static let longest: Int64 = 12 * 3_600_000

    /// In full, `1 day 1 hour`, unlike other spans, because a day too many must be noticed.
    static func length(from start: Timestamp, to end: Timestamp) -> String {
        let minutes = max(0, end.milliseconds - start.milliseconds) / 60_000
        let parts = [(minutes / 1_440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")].filter { $0.0 > 0 }
        return parts.isEmpty ? "less than a minute" : parts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " ")
    }

    /// What happens at its start: `kill “Back at nine.”`, `clears killSwitch`.
    static func what(_ window: Window) -> String {
        window.set.rules.map { rule, json in
            guard let members = json?.object else { return "clears \(rule.rawValue)" }
            let version = (members["minimumVersion"] ?? members["optionalVersion"])?.string.map { " \(Style.safe($0))" } ?? ""
            let text = members["message"].flatMap { $0.string ?? $0.object?["default"]?.string }.map { " “\(Style.safe($0))”" } ?? ""
            return name(rule, members) + version + text
        }.joined(separator: ", ")
    }

    private static func name(_ rule: Rule, _ members: JSONObject) -> String {
        switch rule {
        case .killSwitch: "kill"
        case .forceUpdate: "force"
        case .requiredUpdate: "require"
        case .optionalUpdate: "suggest"
        case .alert: members["blocking"] == .bool(true) ? "blocking alert" : "alert"
        }
    }

    /// What its start does, in a word: `block`.
    static func verb(_ window: Window) -> String {
        let on = window.set.rules.filter { $0.json != nil }.map(\.rule)
        return switch Rule.allCases.first(where: on.contains) {
        case .killSwitch: "block"
        case .forceUpdate: "force"
        case .requiredUpdate: "require"
        case .optionalUpdate: "suggest"
        case .alert: "alert"
        case nil: window.rules.contains(.killSwitch) ? "open" : "clear"
        }
    }

    /// `RUNNING`; `IN PART` while it runs without all of what it was to put.
    static func state(_ window: Window) -> String {
        window.state == .running && !window.lackingSinceStart.isEmpty ? "IN PART" : window.state.rawValue.uppercased()
    }

    /// Its targets. Those that did not get all of its rules when it started come first, with these rules, because a table cuts what is
    /// long: `shop/ios (not requiredUpdate), shop/macos, and 2 more`.
    static func targets(_ window: Window) -> String {
        let lacking = window.hasStarted ? window.lackingSinceStart : []
        let named = Set(lacking.map(\.target))
        let others = window.targets.map(\.key).filter { !named.contains($0) }
        let more = window.omitted > 0 ? ["and \(window.omitted) more"] : []
        return (lacking.map(words) + others.map(\.description) + more).joined(separator: ", ")
    }

    private static func words(_ lack: (target: TargetKey, rules: [Rule])) -> String {
        "\(lack.target) (not \(lack.rules.map(\.rawValue).joined(separator: ", ")))"
    }

    /// Everything about a window.
    static func lines(_ window: Window, now: Timestamp) -> [String] {
        var lines = [
            "◷ \(state(window))  window \(window.id)  \(targets(window))"
        ]
        if window.omitted > 0 { lines.append("  note   only somebody who may change all of its targets can change it") }
        lines.append("  what   \(what(window))")
        lines += times(window, now: now)
        lines.append("  by     \(window.actor.saidBy(window.source))" + (window.reason.map { ": \(Style.safe($0))" } ?? ""))
        for event in window.events {
            let change = event.sequence.map { " · change \($0)" } ?? ""
            let detail = event.detail.map { ": \(Style.safe($0))" } ?? ""
            let last = event.times.map { $0 > 1 ? " \($0) times, last" : "" } ?? ""
            lines.append("  \(Words.time(event.at, inUTC: true))  \(event.what.rawValue)\(last) by \(event.actor.said)\(change)\(detail)")
        }
        return lines
    }
}
