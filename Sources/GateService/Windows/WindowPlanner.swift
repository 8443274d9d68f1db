import GateJSON
import GateModel

/// Works out what a window will do to people, before it exists.
struct WindowPlanner {
    let planner: Planner
    let schedule: Schedule
    /// Who makes the window.
    let maker: Actor

    /// - Returns: the step that its start would be now, with the plan of the whole window: its tier is that of the worst effect, whenever
    ///   that comes.
    /// - Throws: the refusals of any change, in their order; then what is wrong with its times; `window_too_large`, `too_many_windows`.
    func plan(_ draft: WindowDraft, terms: WriteTerms) throws(ServiceError) -> Step {
        guard !draft.set.isEmpty else {
            throw ServiceError(.malformed, "malformed", "A window names at least one rule in \"set\".", field: "/set")
        }
        var step = try planner.plan(draft.command, terms: terms)
        try check(draft)
        var effects: [ChangedTarget] = []
        for target in draft.targets.compactMap({ planner.catalog.target($0.key) }) { effects.append(try effect(of: draft, on: target)) }
        var worst = try plan(of: effects)
        let new = Window(draft, id: 0, by: .schedule, source: .schedule, reason: nil, accept: [], at: planner.now, catalog: planner.catalog)
        try checkSize(new)
        worst.diff = step.plan.diff
        worst.effects = step.plan.effects
        // Whom it shuts out is reported for the effect that must be confirmed, and not for what it would be now.
        worst.warnings += step.plan.warnings.filter { !BlastRadius.codes.contains($0.code) } + overlaps(of: new)
        worst.warnings += refusals(of: new, starting: step) + losses(after: new)
        step.plan = worst
        return step
    }

    /// Plans another end, or none, for a running window.
    /// - Returns: a plan that changes nothing now, with the tier of what changes for people.
    /// - Throws: `window_running` when anything else would change; `past_time`.
    func plan(_ draft: WindowDraft, for running: Window) throws(ServiceError) -> Plan {
        guard draft.targets.map(\.key) == running.targets.map(\.key), draft.set == running.set, draft.start.at == running.start.at else {
            throw ServiceError(
                .conflict,
                "window_running",
                "Window \(running.id) is running: only its end, and what happens then, can still be changed. For anything else, change the gates themselves."
            )
        }
        if let end = draft.end, end.at <= planner.now { throw .past(end.at, now: planner.now, at: "/end") }
        let isLonger = draft.end.map { end in running.end.map { end.at > $0.at } ?? false } ?? true
        var effects: [ChangedTarget] = []
        for target in running.targets {
            guard let present = planner.catalog.target(target.key) else { continue }
            func effect(_ before: Gate, _ after: Gate) { effects.append(present.changed(from: before, to: after)) }
            let ended = try present.gate.ended(running, running.then, target, settings: present.settings)
            if isLonger { effect(ended, present.gate) } else { effect(present.gate, ended) }
            if draft.end != nil, draft.then != running.then {
                effect(present.gate, try present.gate.ended(running, draft.then, target, settings: present.settings))
            }
        }
        var worst = try plan(of: effects)
        var moved = running
        moved.end = draft.end
        worst.warnings += overlaps(of: moved)
        return worst
    }

    private func check(_ draft: WindowDraft) throws(ServiceError) {
        guard draft.start.at > planner.now else { throw .past(draft.start.at, now: planner.now, at: "/start") }
        if let end = draft.end, end.at <= draft.start.at {
            throw ServiceError(
                .invalid,
                "invalid_window",
                "The window ends at \(end.inWords), before it starts at \(draft.start.inWords).",
                field: "/end"
            )
        }
        if draft.end != nil, draft.then == .open, draft.set.rules.allSatisfy({ $0.json == nil }) {
            throw ServiceError(
                .invalid,
                "invalid_window",
                "This window only clears rules, so there is nothing to open at its end; leave \"end\" out, or say \"then\": \"restore\".",
                field: "/then"
            )
        }
        if let until = draft.set.rules.first(where: { $0.rule == .killSwitch })?.json?.object?["until"]?.string.flatMap(Timestamp.init(_:)),
            until <= draft.start.at
        {
            throw ServiceError(
                .invalid,
                "past_time",
                "The kill switch lifts itself at \(until), before the window starts at \(draft.start.at).",
                field: "/set/killSwitch/until"
            )
        }
        if draft.set.rules.contains(where: { $0.rule == .killSwitch && $0.json?.object?["opening"].map { !$0.isNull } == true }) {
            throw ServiceError(
                .invalid,
                "invalid_opening",
                "A window shuts people out from its start; open gradually when it is over.",
                field: "/set/killSwitch/opening"
            )
        }
        guard schedule.share(of: maker.account).windows < Window.mostOwn else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "\(Window.mostOwn) windows of yours are waiting already, and the rest of the room is for others; cancel some first."
            )
        }
        guard schedule.active.count < Window.mostActive else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "\(Window.mostActive) windows are waiting already, those of others included; somebody has to cancel some first."
            )
        }
    }

    /// Limits the size: all waiting windows are in memory, and whatever happens to one writes the whole of it.
    private func checkSize(_ window: Window) throws(ServiceError) {
        guard window.bytesAtMost <= Window.mostBytes else {
            throw ServiceError(
                .invalid,
                "window_too_large",
                "The window would take \(window.bytesAtMost) bytes, including what each of its targets goes back to; the limit is \(Window.mostBytes). Make several windows with fewer targets.",
                field: "/targets"
            )
        }
        guard schedule.share(of: maker.account).weight + window.weight <= Window.mostOwnWeight else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "With this one your waiting windows would name more than \(Window.mostOwnWeight) targets together, and the rest of the room is for others; cancel some first."
            )
        }
        guard schedule.weight + window.weight <= Window.mostWeight else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "The windows that are waiting already, those of others included, name as many targets as there is room for, \(Window.mostWeight) together; somebody has to cancel some first."
            )
        }
    }

    /// The worse of two effects: what its start does to a target whose rules are off by then, and what a restoring end does to a target
    /// that is as it is now. Nobody knows what will be there, and the worst is what must be confirmed.
    private func effect(of draft: WindowDraft, on target: Target) throws(ServiceError) -> ChangedTarget {
        var before = target.gate
        for (rule, json) in draft.set.rules where json != nil { before.clear(rule) }
        var after = before
        do { try after.apply(draft.edit, settings: target.settings) } catch { throw ServiceError(error, at: "/set") }
        // One of the two is enough to ask about.
        let startShuts = DangerTier(from: before, to: after, scheme: target.settings.versionScheme) >= .block
        let isEndAsked = draft.end != nil && draft.then == .restore && !startShuts
        return isEndAsked ? target.changed(from: after, to: target.gate) : target.changed(from: before, to: after)
    }

    /// How dangerous these effects are, as for a change, and whom they shut out as far as polls tell. They are not what would happen now,
    /// so there is no difference to show, and no load: how many phones poll at that hour is not known.
    private func plan(of effects: [ChangedTarget]) throws(ServiceError) -> Plan {
        var draft = PlanDraft(environment: planner.environment, kind: .set)
        for effect in effects {
            guard let target = planner.catalog.target(effect.target) else { throw .missing(effect.target) }
            draft.add(effect, scheme: target.settings.versionScheme)
            draft.add(BlastRadius(of: effect, settings: target.settings, polls: planner.polls), wideAbove: planner.wideShare)
        }
        var plan = draft.plan(warnings: draft.radiusWarnings)
        // A window always counts as something, even one that would change nothing now.
        plan.tier = max(plan.tier, .notice)
        plan.diff = []
        return plan
    }

    /// Starts that the rules refuse because another window is in force then: those of later windows because of the new one, and its own
    /// because of earlier ones.
    /// - Parameter step: what the new one's start would be now.
    private func refusals(of new: Window, starting step: Step) -> [Warning] {
        let trial = StartTrial(by: planner)
        let others = schedule.windows(about: new.targets.map(\.key)).filter { $0.state == .pending }
        let later = others.filter { $0.begins >= new.begins && new.isInForce(at: $0.begins) }
        let earlier = others.filter { $0.begins < new.begins && $0.isInForce(at: new.begins) }
        return Warning.refused(trial.refusals(of: later, after: step), because: "While this one is in force,")
            + trial.refusals(of: new, during: earlier).map { other, why in
                Warning(
                    code: "window_refused",
                    detail:
                        "While window \(other.id) is in force, from \(other.start.inWords), this one cannot do all that it is for: \(why)"
                )
            }
    }

    /// What keeps people out already, and is gone after a window that opens at its end although it was there before.
    private func losses(after new: Window) -> [Warning] {
        guard let end = new.end, new.then == .open else { return [] }
        // What ends before the window begins is not the window's to take away. By target: many of them in many windows are not multiplied.
        var ending: [TargetKey: [Window.Target]] = [:]
        for window in schedule.windows(about: new.targets.map(\.key)) where window.state == .running {
            guard let end = window.end, end.at <= new.begins else { continue }
            for target in window.targets { ending[target.key, default: []].append(target) }
        }
        let lost = new.targets.compactMap { planner.catalog.target($0.key) }.filter { present in
            new.set.rules.contains { rule, set in
                guard set != nil, let json = present.gate.json(of: rule) else { return false }
                var without = present.gate
                without.clear(rule)
                guard DangerTier.rule(shuttingOut: without, present.gate, scheme: present.settings.versionScheme) != nil else {
                    return false
                }
                if rule == .killSwitch, let until = present.gate.killSwitch?.until, until <= new.begins { return false }
                return ending[present.key]?.contains { $0.expects(json, of: rule) } != true
            }
        }
        guard !lost.isEmpty else { return [] }
        let names = lost.map(\.key).inWords
        return [
            Warning(
                code: "window_clears",
                detail:
                    "\(names): what keeps people out there now goes, too, when the window ends at \(end.inWords), because it then opens. To have it stay, let the window restore what was there before."
            )
        ]
    }

    private func overlaps(of new: Window) -> [Warning] {
        let others = schedule.windows(about: new.targets.map(\.key)).filter { $0.overlaps(new) }.map { ($0, [TargetKey]()) }
        let later = others.filter { $0.0.begins >= new.begins }
        let earlier = others.filter { $0.0.begins < new.begins }
        return Warning.overlaps(later) { _, other in
            let ends = new.end.map { ", and this one's end at \($0.inWords) comes after it" } ?? ""
            return "Window \(other.id) at \(other.start.inWords) will overwrite this one\(ends)."
        } many: { _, numbers in
            let ends = new.end.map { ", and this one's end at \($0.inWords) comes after their starts" } ?? ""
            return "Windows \(numbers) will overwrite this one\(ends)."
        }
            + Warning.overlaps(earlier.filter { $0.0.end != nil }) { _, other in
                let gone = other.ends(before: new) ? ", and what it takes away then is gone although this one goes on" : ""
                return "Window \(other.id) ends at \(other.end?.inWords ?? "") all the same; this one does not cancel it\(gone)."
            } many: { _, numbers in
                let isAny = earlier.contains { $0.0.ends(before: new) }
                let gone = isAny ? ", and what they take away then is gone although this one goes on" : ""
                return "Windows \(numbers) end all the same; this one does not cancel them\(gone)."
            }
            + Warning.overlaps(earlier.filter { $0.0.end == nil }) { _, other in
                "Window \(other.id) has no end; this one will overwrite it."
            } many: { _, numbers in
                "Windows \(numbers) have no end; this one will overwrite them."
            }
    }
}

extension Window {
    /// Whether it has not ended by a time after its start.
    fileprivate func isInForce(at time: Timestamp) -> Bool { end.map { time < $0.at } ?? true }

    fileprivate func ends(before other: Window) -> Bool {
        guard let end else { return false }
        return other.end.map { end.at < $0.at } ?? true
    }

    /// A new window over targets as they are now.
    init(
        _ draft: WindowDraft,
        id: Int,
        by actor: Actor,
        source: Change.Source,
        reason: String?,
        accept: [String],
        at: Timestamp,
        catalog: Catalog
    ) {
        let rules = draft.set.rules.map(\.rule)
        self.init(
            id: id,
            state: .pending,
            targets: draft.targets.map { target in
                let present = catalog.target(target.key)
                return Target(key: target.key, revision: present?.revision ?? 0, expected: GateEdit(rules, of: present?.gate ?? .open))
            },
            set: draft.set,
            start: draft.start,
            end: draft.end,
            then: draft.then,
            actor: actor,
            source: source,
            reason: reason,
            accept: accept,
            events: [Event(at: at, what: .made, actor: actor)]
        )
    }
}

extension Actor {
    /// The clock, carrying out windows.
    static let schedule = Actor(kind: .system, name: "schedule")
    /// The clock, lifting kill switches whose time is over.
    static let expiry = Actor(kind: .system, name: "expiry")
}

extension Target {
    /// A step of a window from one gate to another, whatever the target has by then.
    fileprivate func changed(from before: Gate, to after: Gate) -> ChangedTarget {
        ChangedTarget(target: key, previous: revision, revision: revision + 1, before: before, after: after)
    }
}

extension Gate {
    /// The gate after a window's end, if nobody changes anything until then.
    fileprivate func ended(
        _ window: Window,
        _ then: Window.Ending,
        _ target: Window.Target,
        settings: PlatformSettings
    ) throws(ServiceError) -> Gate {
        var gate = self
        switch then {
        case .open: for (rule, json) in window.set.rules where json != nil { gate.clear(rule) }
        case .restore:
            guard let before = target.before else { break }
            do { try gate.apply(try PreparedEdit(before, from: .kept), settings: settings) } catch {
                throw ServiceError(error, at: "/then")
            }
        }
        return gate
    }
}
