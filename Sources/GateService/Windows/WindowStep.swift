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
        /// The window after the step, first, and then those that it overtakes; valid if ``step`` is committed at the place it was planned
        /// for.
        let windows: [SpelledWindow]

        /// The apps of the window's targets.
        var apps: Set<AppKey> { record.window.apps }
    }
}

/// The next step of a window, worked out against the current state.
struct WindowStep {
    let window: Window
    /// The edit for each target; a target with nothing to do is left out.
    private(set) var edits: [(target: Target, edit: GateEdit)] = []
    /// Differences from what the window expects, and rules that are refused; both stay as they are. One sentence each.
    private(set) var left: [String] = []
    /// The rules that are refused at a start. They are not the window's then, and its end leaves them alone.
    private var refused: [TargetKey: Set<Rule>] = [:]
    /// The codes of refusals of a start that were not overridden yet when the window was made, and what they say.
    private(set) var overridden: (codes: [String], details: [String]) = ([], [])
    /// The targets of which something stays as it is.
    private var leftOn: Set<TargetKey> = []
    /// The targets of an end that wait for a person, and why; nil for a step that is done as far as it can be.
    private var putOff: (targets: Set<TargetKey>, why: String)?
    /// The first target that differs.
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

    /// At a start: the window's rules, all of them if the target is as expected, otherwise none.
    private mutating func start(_ target: Window.Target, _ present: Target) -> GateEdit {
        guard isExpected(target, present) else { return GateEdit([:]) }
        return window.set
    }

    /// At an opening end, rule by rule: what a person changed meanwhile stays, but does not keep anything else shut.
    private mutating func open(_ target: Window.Target, _ present: Target) -> GateEdit {
        var edit: [Rule: JSONValue?] = [:]
        let expected = target.expected.dictionary
        for (rule, json) in window.set.rules where json != nil && present.gate.isOn(rule) {
            if expected[rule] == .some(present.gate.json(of: rule)) {
                edit.updateValue(nil, forKey: rule)
            } else if expected[rule] == nil {
                leave(rule, present, because: "was refused at the start")
            } else {
                leave(rule, present)
            }
        }
        return GateEdit(edit)
    }

    /// At a restoring end, rule by rule for the same reason: one that a person changed stays, every other one becomes what it was.
    private mutating func restore(_ target: Window.Target, _ present: Target, now: Timestamp) -> GateEdit {
        var before = (target.before ?? GateEdit([:])).dictionary
        if let until = before[.killSwitch]??.object?["until"]?.string.flatMap(Timestamp.init(_:)), until <= now {
            // The kill switch would have lifted itself by now.
            before.updateValue(nil, forKey: .killSwitch)
        }
        var edit: [Rule: JSONValue?] = [:]
        for rule in window.rules {
            let found = present.gate.json(of: rule)
            guard let left = before[rule], left != found else { continue }
            if target.expects(found, of: rule) { edit.updateValue(left, forKey: rule) } else { leave(rule, present) }
        }
        return GateEdit(edit)
    }

    private mutating func isExpected(_ target: Window.Target, _ present: Target) -> Bool {
        let changed = window.rules.filter { !target.expects(present.gate.json(of: $0), of: $0) }
        for rule in changed { leave(rule, present) }
        return changed.isEmpty
    }

    private mutating func leave(_ rule: Rule, _ target: Target, because why: String = "was changed meanwhile") {
        left.append("\(target.key): \(rule.rawValue) \(why) and stays as it is")
        leftOn.insert(target.key)
        if conflict == nil { conflict = target }
    }

    /// The step as a command; nil when there is nothing to do.
    /// - Throws: malformed for a window that this program did not write.
    func command() throws(ServiceError) -> Command? {
        guard !edits.isEmpty else { return nil }
        var commands: [TargetCommand] = []
        // The start's edit is the same for all targets of which nothing is refused. What an end brings back was in force before, so it
        // differs.
        let set = isStart ? try Self.prepared(window.set, from: .request) : nil
        for (index, item) in edits.enumerated() {
            let action: TargetCommand.Action
            if let set {
                action = .start(item.edit == window.set ? set : try Self.prepared(item.edit, from: .request))
            } else {
                action = .restore(try Self.prepared(item.edit, from: .kept))
            }
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

    /// The step as it comes out on the planner's catalog.
    ///
    /// If a rule of one target is refused, that rule stays as it is. At an end nothing else is kept shut for it, and at a start nobody else
    /// is let through: a kill switch does not wait for the required update beside it.
    /// - Parameter isWhole: whether a start of which anything is refused is refused: for a person, who is there to mend it.
    /// - Returns: the step without such rules; no command when there is nothing to do.
    /// - Throws: only if everything is refused, or part of a start that is to be whole.
    func planned(
        by planner: Planner,
        terms: WriteTerms,
        isWhole: Bool = false
    ) throws(ServiceError) -> (next: WindowStep, command: Command?, step: Step) {
        var planner = planner
        // Its targets may have grown since it was made, when it had to fit the limit of every change.
        planner.mostBytes = ApplyCommand.mostBytes
        do throws(ServiceError) { return try whole(planner, terms) } catch {
            // A kill switch that would have lifted itself by now makes the whole start too late.
            guard error.isRefusal, !isStart || !isWhole && error.word != "past_time" else { throw error }
            let rest = try withoutRefused(planner, terms)
            guard !rest.edits.isEmpty else { throw error }
            return try rest.whole(planner, terms)
        }
    }

    private func whole(_ planner: Planner, _ terms: WriteTerms) throws(ServiceError) -> (next: WindowStep, command: Command?, step: Step) {
        guard let command = try command() else { return (self, nil, Step(plan: .nothing, kind: .set)) }
        let step = try planner.plan(command, terms: terms)
        var next = self
        let codes = step.accepted.filter { !window.accept.contains($0) }
        next.overridden = (codes, step.plan.warnings.filter { codes.contains($0.code) }.map(\.detail))
        return (next, command, step)
    }

    private func withoutRefused(_ planner: Planner, _ terms: WriteTerms) throws(ServiceError) -> WindowStep {
        var planner = planner
        // Nobody reads these plans.
        planner.tellsEffects = false
        var (rest, alone) = (self, self)
        rest.edits = []
        var opens = false
        /// Why an edit of a target is refused; nil if it is not.
        func refusal(_ target: Target, _ edit: GateEdit) throws(ServiceError) -> ServiceError? {
            alone.edits = [(target, edit)]
            do throws(ServiceError) { opens = try alone.whole(planner, terms).step.targets.contains(where: \.opens) } catch {
                guard error.isRefusal else { throw error }
                return error
            }
            return nil
        }
        for item in edits {
            guard try refusal(item.target, item.edit) != nil else {
                rest.edits.append(item)
                continue
            }
            var kept: [Rule: JSONValue?] = [:]
            var isOpening = false
            for (rule, json) in item.edit.rules {
                var more = kept
                more.updateValue(json, forKey: rule)
                if let error = try refusal(item.target, GateEdit(more)) {
                    let why = error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail
                    rest.left.append("\(item.target.key): \(rule.rawValue) stays as it is: \(why)")
                    rest.leftOn.insert(item.target.key)
                    rest.refused[item.target.key, default: []].insert(rule)
                } else {
                    kept = more
                    isOpening = opens
                }
            }
            if isStart, isOpening {
                // It was to let people in only together with what is refused.
                rest.left.append("\(item.target.key): nothing else is changed, because that would let people in")
                rest.refused[item.target.key] = Set(window.rules)
            } else if !kept.isEmpty {
                rest.edits.append((item.target, GateEdit(kept)))
            }
        }
        return rest
    }

    /// An end without these targets, which wait for a person.
    /// - Parameter why: a sentence for that person.
    func puttingOff(_ targets: Set<TargetKey>, because why: String) -> WindowStep {
        var rest = self
        rest.edits.removeAll { targets.contains($0.target.key) }
        rest.putOff = (targets, why)
        return rest
    }

    private static func prepared(_ edit: GateEdit, from source: DocumentSource) throws(ServiceError) -> PreparedEdit {
        do { return try PreparedEdit(edit, from: source) } catch { throw ServiceError(error, at: "/set") }
    }

    /// The window after the step.
    /// - Parameters:
    ///   - changed: the targets that the step touched, with what became of them.
    ///   - catalog: the catalog before the step.
    func done(_ changed: [ChangedTarget], catalog: Catalog, by actor: Actor, at: Timestamp, sequence: Int?) -> Window {
        var window = window
        let changes = Dictionary(changed.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
        for index in window.targets.indices {
            let key = window.targets[index].key
            guard let before = catalog.target(key)?.gate else { continue }
            if isStart { window.targets[index].before = GateEdit(window.rules, of: before) }
            if putOff == nil {
                let refused = isStart ? refused[key] ?? [] : []
                window.targets[index].expected = GateEdit(window.rules.filter { !refused.contains($0) }, of: changes[key]?.after ?? before)
                window.targets[index].made = nil
            } else if let altered = changes[key]?.altered {
                // What a person changed meanwhile must stay when the rest is done, too.
                _ = window.follow(altered, at: index)
            }
        }
        let nothing = sequence == nil ? "There was nothing to change." : nil
        if isStart {
            window.state = window.end != nil ? .running : left.isEmpty ? .done : .failed
            window.events.append(.init(at: at, what: .started, actor: actor, detail: nothing ?? overriddenInWords, sequence: sequence))
            if !left.isEmpty { window.events.append(.init(at: at, what: .failed, actor: actor, detail: leftInWords)) }
        } else if let putOff {
            // What was left is told when the rest is done.
            window.state = .missed
            window.events.append(.init(at: at, what: .missed, actor: actor, detail: putOff.why, sequence: sequence))
        } else {
            window.state = left.isEmpty ? .done : .failed
            window.events.append(.init(at: at, what: .ended, actor: actor, detail: nothing, sequence: sequence))
            if !left.isEmpty {
                let detail = leftInWords(after: changed, catalog: catalog)
                window.events.append(.init(at: at, what: .failed, actor: actor, detail: detail))
            }
        }
        return window
    }

    /// The window after the step, first, and then those that it overtakes.
    /// - Parameters:
    ///   - targets: the targets that the step changes.
    ///   - snapshot: the state before the step.
    ///   - sequence: of the change; nil when there was nothing to change.
    func windows(after targets: [ChangedTarget], on snapshot: Snapshot, by actor: Actor, at: Timestamp, sequence: Int?) -> [Window] {
        let after = done(targets, catalog: snapshot.catalog, by: actor, at: at, sequence: sequence)
        let because = "Window \(after.id) \(isStart ? "started" : "ended") and changed what this one is about."
        let others = snapshot.schedule.overtaken(
            by: targets,
            except: after.id,
            ending: isStart ? nil : Withdrawal(of: window, from: snapshot.catalog, except: putOff?.targets ?? []),
            on: snapshot.catalog,
            by: actor,
            at: at,
            sequence: sequence,
            because: because
        )
        return [after] + others
    }

    var leftInWords: String { left.joined(separator: "; ") + "." }

    /// What a start did although it would have been refused to a person who did not insist; nil if there is no such thing.
    private var overriddenInWords: String? {
        guard !overridden.details.isEmpty else { return nil }
        let more = overridden.details.count > 5 ? " (and \(overridden.details.count - 5) more)" : ""
        return "Started as it was confirmed, although by now: " + overridden.details.prefix(5).joined(separator: " ") + more
    }

    /// The same, with those of the targets that still keep people out after the step.
    /// - Parameters:
    ///   - changed: the targets that the step touched, with what became of them.
    ///   - catalog: the catalog before the step.
    func leftInWords(after changed: [ChangedTarget], catalog: Catalog) -> String {
        let gates = Dictionary(changed.map { ($0.target, $0.after) }, uniquingKeysWith: { first, _ in first })
        return [leftInWords, window.stillBlocked(among: leftOn) { gates[$0] ?? catalog.target($0)?.gate }].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension Window {
    /// A sentence about its targets that keep people out; nil if there are none.
    func stillBlocked(among keys: Set<TargetKey>, _ gate: (TargetKey) -> Gate?) -> String? {
        let blocked = targets.map(\.key).filter { keys.contains($0) && gate($0)?.state == .blocked }
        return blocked.isEmpty ? nil : "\(blocked.inWords) \(blocked.count == 1 ? "is" : "are") still blocked."
    }
}

extension Window {
    /// The window, ended without success.
    func ended(as state: State, _ what: Event.What, by actor: Actor, at: Timestamp, because detail: String?) -> Window {
        var window = self
        window.state = state
        window.events.append(Event(at: at, what: what, actor: actor, detail: detail))
        return window
    }
}

extension [Window] {
    /// The windows, encoded for writing.
    func spelled() throws(ServiceError) -> [SpelledWindow] {
        do { return try map { window throws(StoreError) in try SpelledWindow(window) } } catch { throw ServiceError(error) }
    }
}
