import GateJSON
import GateModel
import GateStore

extension WindowStep {
    /// A step with everything that its commit needs.
    struct Planned {
        let record: WindowRecord
        let next: WindowStep
        /// Nil when there is nothing to do.
        let command: Command?
        let step: PreparedStep
        /// For the history.
        let reason: String?
        /// What becomes of the window, which comes first, and of those that it overtakes, when ``step`` comes where it was planned.
        let windows: [SpelledWindow]

        /// The apps that it was planned for.
        var apps: Set<AppKey> { Set(record.window.targets.map(\.key.app)) }
    }
}

/// The next thing that a window does, worked out against what is there now.
struct WindowStep {
    let window: Window
    /// What is to be done to which target; a target with nothing to do is left out.
    private(set) var edits: [(target: Target, edit: GateEdit)] = []
    /// What is not what the window expects, or is refused at its end, and so stays as it is: a sentence each.
    private(set) var left: [String] = []
    /// The first target at fault.
    private(set) var conflict: Target?

    let isStart: Bool

    init(_ window: Window, catalog: Catalog, now: Timestamp) {
        self.window = window
        isStart = !window.hasStarted
        for target in window.targets {
            guard let present = catalog.target(target.key) else {
                left.append("\(target.key) is not there any more")
                continue
            }
            let edit = isStart ? start(target, present) : window.then == .open ? open(target, present) : restore(target, present, now: now)
            if !edit.isEmpty { edits.append((present, edit)) }
        }
    }

    /// The window's rules as they must be, all or none.
    private mutating func start(_ target: Window.Target, _ present: Target) -> GateEdit {
        guard isExpected(target, present) else { return GateEdit([:]) }
        return window.set
    }

    /// Rule by rule: what a person changed meanwhile stays, but it keeps nothing else shut.
    private mutating func open(_ target: Window.Target, _ present: Target) -> GateEdit {
        var edit: [Rule: JSONValue?] = [:]
        let expected = target.expected.dictionary
        for (rule, json) in window.set.rules where json != nil && present.gate.isOn(rule) {
            if expected[rule] == .some(present.gate.json(of: rule)) { edit.updateValue(nil, forKey: rule) } else { leave(rule, present) }
        }
        return GateEdit(edit)
    }

    private mutating func restore(_ target: Window.Target, _ present: Target, now: Timestamp) -> GateEdit {
        var before = (target.before ?? GateEdit([:])).dictionary
        if let until = before[.killSwitch]??.object?["until"]?.string.flatMap(Timestamp.init(_:)), until <= now {
            // It would have lifted itself by now.
            before.updateValue(nil, forKey: .killSwitch)
        }
        let edit = GateEdit(before)
        if GateEdit(window.rules, of: present.gate) == edit { return GateEdit([:]) }
        return isExpected(target, present) ? edit : GateEdit([:])
    }

    private mutating func isExpected(_ target: Window.Target, _ present: Target) -> Bool {
        let expected = target.expected.dictionary
        let changed = window.rules.filter { expected[$0] != .some(present.gate.json(of: $0)) }
        for rule in changed { leave(rule, present) }
        return changed.isEmpty
    }

    private mutating func leave(_ rule: Rule, _ target: Target) {
        left.append("\(target.key): \(rule.rawValue) was changed meanwhile and stays as it is")
        if conflict == nil { conflict = target }
    }

    /// The step as a command; nil when there is nothing to do.
    /// - Throws: malformed for a window that this program did not write.
    func command() throws(ServiceError) -> Command? {
        guard !edits.isEmpty else { return nil }
        var commands: [TargetCommand] = []
        // The start's edit is the same for all of them. What an end brings back was in force.
        let set = isStart ? try Self.prepared(window.set, from: .request) : nil
        for (index, item) in edits.enumerated() {
            let action: TargetCommand.Action = if let set { .set(set) } else { .restore(try Self.prepared(item.edit, from: .kept)) }
            commands.append(
                TargetCommand(
                    target: item.target.key,
                    revision: item.target.revision,
                    action: action,
                    pointer: "/targets/\(index)",
                    editPointer: "/set"
                )
            )
        }
        return .gates(commands, kind: .set)
    }

    /// The step as it comes out on what a planner has before it.
    ///
    /// What is refused of a target at an end keeps no other one shut: that target stays as it is.
    /// - Returns: the step without such targets; no command when there is nothing to do.
    /// - Throws: what the rules refuse of a start, and of every target of an end.
    func planned(by planner: Planner, terms: WriteTerms) throws(ServiceError) -> (next: WindowStep, command: Command?, step: Step) {
        var planner = planner
        // Its targets may have come to more since it was made, and that was held to the room of every change.
        planner.mostBytes = ApplyCommand.mostBytes
        do throws(ServiceError) { return try whole(planner, terms) } catch {
            guard !isStart, error.isRefusal else { throw error }
            let rest = try withoutRefused(planner, terms)
            guard !rest.edits.isEmpty else { throw error }
            return try rest.whole(planner, terms)
        }
    }

    private func whole(_ planner: Planner, _ terms: WriteTerms) throws(ServiceError) -> (next: WindowStep, command: Command?, step: Step) {
        guard let command = try command() else { return (self, nil, Step(plan: .nothing, kind: .set)) }
        return (self, command, try planner.plan(command, terms: terms))
    }

    private func withoutRefused(_ planner: Planner, _ terms: WriteTerms) throws(ServiceError) -> WindowStep {
        var planner = planner
        // Nobody reads these plans.
        planner.tellsEffects = false
        var (rest, alone) = (self, self)
        rest.edits = []
        for item in edits {
            alone.edits = [item]
            do throws(ServiceError) {
                _ = try alone.whole(planner, terms)
                rest.edits.append(item)
            } catch {
                guard error.isRefusal else { throw error }
                let why = error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail
                rest.left.append("\(item.target.key) stays as it is: \(why)")
            }
        }
        return rest
    }

    private static func prepared(_ edit: GateEdit, from source: DocumentSource) throws(ServiceError) -> PreparedEdit {
        do { return try PreparedEdit(edit, from: source) } catch { throw ServiceError(error, at: "/set") }
    }

    /// The window after the step.
    /// - Parameters:
    ///   - changed: what became of the targets that the step touched.
    ///   - catalog: what there was before it.
    func done(_ changed: [ChangedTarget], catalog: Catalog, by actor: Actor, at: Timestamp, sequence: Int?) -> Window {
        var window = window
        let gates = Dictionary(changed.map { ($0.target, $0.after) }, uniquingKeysWith: { first, _ in first })
        for index in window.targets.indices {
            let key = window.targets[index].key
            guard let before = catalog.target(key)?.gate else { continue }
            let after = gates[key] ?? before
            if isStart { window.targets[index].before = GateEdit(window.rules, of: before) }
            window.targets[index].expected = GateEdit(window.rules, of: after)
        }
        let nothing = sequence == nil ? "There was nothing to change." : nil
        if isStart {
            window.state = window.end == nil ? .done : .running
            window.events.append(.init(at: at, what: .started, actor: actor, detail: nothing, sequence: sequence))
        } else {
            window.state = left.isEmpty ? .done : .failed
            window.events.append(.init(at: at, what: .ended, actor: actor, detail: nothing, sequence: sequence))
            if !left.isEmpty { window.events.append(.init(at: at, what: .failed, actor: actor, detail: leftInWords)) }
        }
        return window
    }

    /// What becomes of the window, which comes first, and of those that it overtakes.
    /// - Parameters:
    ///   - targets: what the step changes.
    ///   - snapshot: what there was before it.
    ///   - sequence: of the change; nil when there was nothing to change.
    func windows(after targets: [ChangedTarget], on snapshot: Snapshot, by actor: Actor, at: Timestamp, sequence: Int?) -> [Window] {
        let after = done(targets, catalog: snapshot.catalog, by: actor, at: at, sequence: sequence)
        let because = "Window \(after.id) \(isStart ? "started" : "ended") and changed what this one is about."
        let others = snapshot.schedule.overtaken(
            by: targets,
            except: after.id,
            ending: isStart ? nil : Withdrawal(of: window, from: snapshot.catalog),
            by: actor,
            at: at,
            sequence: sequence,
            because: because
        )
        return [after] + others
    }

    var leftInWords: String { left.joined(separator: "; ") + "." }
}

extension Window {
    /// The window at an end that is none of success.
    func ended(as state: State, _ what: Event.What, by actor: Actor, at: Timestamp, because detail: String?) -> Window {
        var window = self
        window.state = state
        window.events.append(Event(at: at, what: what, actor: actor, detail: detail))
        return window
    }
}

extension [Window] {
    /// Made ready to be written.
    func spelled() throws(ServiceError) -> [SpelledWindow] {
        do { return try map { window throws(StoreError) in try SpelledWindow(window) } } catch { throw ServiceError(error) }
    }
}
