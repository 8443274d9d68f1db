import GateJSON
import GateModel
import GateStore

/// The windows that the clock still has to do something with, in memory. The database is its only source.
struct Schedule: Sendable {
    /// By identifier.
    private(set) var active: [Int: WindowRecord] = [:]
    private(set) var lastID = 0
    /// Counts every write of any window on.
    private(set) var version = 0

    init() {}

    init(_ stored: StoredSchedule) {
        for record in stored.active { active[record.window.id] = record }
        lastID = stored.lastID
        version = stored.lastVersion
    }

    /// Active windows in the order in which they are due, those that were made first before others of the same moment.
    var windows: [Window] {
        active.values.map(\.window).sorted { ($0.due ?? .distant, $0.id) < ($1.due ?? .distant, $1.id) }
    }

    /// Windows as the next writes, each in the place of the version that is known of it.
    /// - Parameter read: what was read from the database of a window that is not active.
    func records(_ windows: [Window], read: WindowRecord? = nil) -> [WindowRecord] {
        windows.enumerated().map { index, window in
            let known = active[window.id] ?? (read?.window.id == window.id ? read : nil)
            return WindowRecord(window: window, version: version + 1 + index, previous: known?.version)
        }
    }

    /// Takes over what was written.
    mutating func apply(_ records: [WindowRecord]) {
        for record in records {
            active[record.window.id] = record.window.state.isActive ? record : nil
            lastID = max(lastID, record.window.id)
            version = max(version, record.version)
        }
    }

    // MARK: Windows that meet

    /// The windows whose rules a change that the clock made alters under them, with what they are to expect from then on. A person's
    /// change is left out: that, a window must find.
    func overtaken(by targets: [ChangedTarget], except id: Int?, by actor: Actor, at: Timestamp, sequence: Int, because: String) -> [Window] {
        windows.compactMap { window in
            guard window.id != id else { return nil }
            var window = window
            var isTouched = false
            for index in window.targets.indices {
                guard let changed = targets.first(where: { $0.target == window.targets[index].key }) else { continue }
                var expected = Dictionary(uniqueKeysWithValues: window.targets[index].expected.rules.map { ($0.rule, $0.json) })
                for rule in window.rules where changed.before.json(of: rule) != changed.after.json(of: rule) {
                    guard expected[rule] == .some(changed.before.json(of: rule)) else { continue }
                    expected.updateValue(changed.after.json(of: rule), forKey: rule)
                    isTouched = true
                }
                window.targets[index].expected = GateEdit(expected)
            }
            guard isTouched else { return nil }
            window.events.append(Window.Event(at: at, what: .overtaken, actor: actor, detail: because, sequence: sequence))
            return window
        }
    }

    /// A step whose plan says which windows will find their rules changed by it.
    func warned(_ step: Step) -> Step {
        guard !active.isEmpty else { return step }
        var warnings: [Warning] = []
        for window in windows {
            let touched = window.targets.filter { target in
                step.targets.contains { changed in
                    changed.target == target.key && window.rules.contains { changed.before.json(of: $0) != changed.after.json(of: $0) }
                }
            }
            guard !touched.isEmpty else { continue }
            let names = touched.map(\.key.description).joined(separator: ", ")
            let detail =
                window.state == .pending
                ? "\(names): window \(window.id), due \(window.start.inWords), was made for what is there now; after this change it will not be carried out. Make it anew, or cancel it."
                : "\(names): window \(window.id) is running\(window.end.map { " until \($0.inWords)" } ?? ""); at its end it leaves what you change now as it is."
            warnings.append(Warning(code: "window_overlap", detail: detail))
        }
        guard !warnings.isEmpty else { return step }
        var step = step
        step.plan = step.plan.adding(warnings)
        return step
    }
}

extension Plan {
    func adding(_ more: [Warning]) -> Plan {
        var plan = self
        plan.warnings += more.filter { !warnings.contains($0) }
        return plan
    }
}

extension ZonedTime {
    /// `2026-03-30T09:00:00 Europe/Berlin (+02:00)`
    var inWords: String { "\(wallTime) \(zone) (\(offset))" }
}

extension Timestamp {
    /// Later than anything that is due.
    fileprivate static let distant = Timestamp(milliseconds: .max)
}
