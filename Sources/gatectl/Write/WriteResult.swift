import GateAPI
import GateJSON
import GateModel

/// The result of a write, for people, for scripts, and for tables.
struct WriteResult {
    let session: Session
    let status: StatusBody
    /// As they were seen before.
    let targets: [TargetBody]
    /// Whether the command could have been told to wait, and was not.
    let offersWait: Bool
    /// The zone that the command's times were typed in.
    let zone: Zone

    private var console: Console { session.console }

    /// - Parameter more: members to add to a JSON answer.
    func show(_ answer: ChangeResultBody, more: JSONObject = [:]) {
        guard let change = answer.change else { return unchanged(answer, more) }
        let rows = change.targets.map { target in
            Row(
                target: target.target,
                changed: true,
                previous: target.previous,
                revision: target.revision,
                state: target.after.state,
                gate: target.after.json,
                isRemoved: target.settings.map { $0.after == nil } ?? false
            )
        }
        guard !console.isJSON else { return console.json(document(rows, answer, change, more)) }
        let time = Words.time(change.at, inUTC: console.inUTC)
        for row in rows { line(row, (row.isRemoved ? "removed " : "published ") + time) }
        if change.omitted > 0 {
            let look = Invocation.sameServer("status")
            console.note("  … and \(change.omitted) more targets, of the same change: \(look) shows them")
        }
        if console.format != .plain { console.data(answer.plan.apps.flatMap(PlanView.rows)) }
        let undoable = Self.undoable(change)
        for target in undoable.prefix(Self.mostUndone) {
            // Of this change alone: what somebody does after it is not undone unseen.
            console.note("  Undo:   " + Self.undo(target, adding: " -r REASON --if-revision \(target.revision)"))
        }
        let left = undoable.count - Self.mostUndone
        if left > 0 { console.note("          … and \(left) more") }
        if let row = rows.first, rows.count == 1, change.kind != .delete {
            console.note("  Follow: " + Invocation.sameServer("watch \(row.target.app) \(row.target.platform)"))
        }
    }

    /// For how many targets of a change the commands that undo it are shown.
    static let mostUndone = 5

    /// The targets of a change on which a rollback undoes it: it brings back a gate, but neither settings nor what was removed.
    static func undoable(_ change: Change) -> [ChangedTarget] {
        guard change.kind != .delete else { return [] }
        return change.targets.filter { target in
            target.previous > 0 && target.before != target.after && target.settings.map { $0.after != nil } ?? true
        }
    }

    /// The command that undoes a change on one of its targets.
    /// - Parameter more: options, after a space.
    static func undo(_ target: ChangedTarget, adding more: String = "") -> String {
        Invocation.sameServer("rollback \(target.target.app) \(target.target.platform) --to \(target.previous)\(more)")
    }

    private func unchanged(_ answer: ChangeResultBody, _ more: JSONObject) {
        let rows = targets.map(Row.init(unchanged:))
        guard !console.isJSON else { return console.json(document(rows, answer, nil, more)) }
        for row in rows { line(row, "no change") }
        // A file may need nothing to be touched.
        if rows.isEmpty, console.format != .plain { console.data("no change") }
    }

    /// - Parameter sentence: the last line, from ``Confirmation/drySentence(_:targets:asksAlways:)``.
    func planned(_ answer: ChangeResultBody, _ sentence: String) {
        let plan = answer.plan
        guard !console.isJSON else {
            var members: JSONObject = ["context": .string(session.contextName(status)), "dryRun": .bool(true)]
            members["changed"] = .bool(!plan.isEmpty)
            members["targets"] = .array(
                targets.map { target in Self.seen(target, isTouched: plan.diff.contains { $0.target == target.target.key }) }
            )
            // As after the change: a single target's facts are at the top level.
            if targets.count == 1 { members["target"] = .string(targets[0].target.key.description) }
            members["plan"] = plan.json
            members["refused"] = answer.refused.map { .array($0.map(\.json)) }
            members["takeover"] = answer.takeover?.json
            return console.json(Document.of(members))
        }
        if console.format == .plain {
            return console.data(plan.apps.map(PlanView.plain) + plan.diff.map(PlanView.plain))
        }
        if let takeover = answer.takeover { console.data(TakeoverView(takeover).lines()) }
        console.data(lines(of: plan, console.out))
        guard !plan.isEmpty else { return console.data("Dry run: nothing would change.") }
        console.data(sentence)
    }

    /// The plan in words, for one of the two streams.
    func lines(of plan: Plan, _ style: Style) -> [String] {
        let now = status.serverTime
        let view = PlanView(targets: targets, plan: plan, now: now, inUTC: console.inUTC, zone: zone, offersWait: offersWait)
        return view.lines(style, width: console.width)
    }

    struct Row {
        var target: TargetKey
        var changed: Bool
        var previous: Int
        var revision: Int
        var state: GateState
        var gate: JSONValue
        var isRemoved = false
    }

    private func line(_ row: Row, _ what: String) {
        if console.format == .plain {
            console.data(
                [row.target.description, row.state.rawValue, "\(row.revision)", "\(row.previous)", "\(row.changed)"].joined(separator: "\t")
            )
        } else {
            let badge = row.isRemoved ? "REMOVED" : console.out.tinted(Words.badge(row.state), Words.tint(row.state))
            console.data("\(badge)  \(row.target)  revision \(row.revision)  \(what)")
        }
    }

    private func document(_ rows: [Row], _ answer: ChangeResultBody, _ change: Change?, _ more: JSONObject) -> JSONValue {
        var members: JSONObject = ["context": .string(session.contextName(status))]
        // A single target's facts are at the top level, where a script for one target looks; all targets are in the list.
        if let row = rows.first, rows.count == 1 {
            members["target"] = .string(row.target.description)
            members["changed"] = .bool(row.changed)
            members.add(Self.facts(row))
        } else {
            members["changed"] = .bool(change != nil)
        }
        members["targets"] = .array(
            rows.map { row in
                var object: JSONObject = ["target": .string(row.target.description), "changed": .bool(row.changed)]
                object.add(Self.facts(row))
                if row.isRemoved { object["removed"] = .bool(true) }
                return .object(object)
            }
        )
        if !answer.plan.apps.isEmpty { members["apps"] = .array(answer.plan.apps.map(\.json)) }
        members["warnings"] = .array(answer.plan.warnings.map(\.json))
        members["refused"] = answer.refused.map { .array($0.map(\.json)) }
        if let change, change.omitted > 0 { members["omitted"] = .integer(change.omitted) }
        members["sequence"] = change.map { .integer($0.sequence) }
        members["requestId"] = change.map { .string($0.requestId) } ?? .null
        members.add(more)
        return Document.of(members)
    }

    /// A target of a plan, with the names that it has after the change; what only the change produces is left out.
    private static func seen(_ target: TargetBody, isTouched: Bool) -> JSONValue {
        [
            "target": .string(target.target.key.description), "changed": .bool(isTouched), "previous": .integer(target.target.revision),
        ]
    }

    private static func facts(_ row: Row) -> JSONObject {
        ["revision": .integer(row.revision), "previous": .integer(row.previous), "state": .string(row.state.rawValue), "gate": row.gate]
    }
}

extension WriteResult.Row {
    init(unchanged target: TargetBody) {
        self.init(
            target: target.target.key,
            changed: false,
            previous: target.target.revision,
            revision: target.target.revision,
            state: target.state,
            gate: target.target.gate.json
        )
    }
}
