import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// How every change goes: look, ask the server for the plan, show it, get it confirmed, commit, report the result.
struct WriteFlow {
    let session: Session
    let options: WriteOptions
    /// The revision that the target must have for the change to be made; nil for the one that was seen.
    let ifRevision: Int?
    /// Asked for at the start of each write: only the server says which environment this is and whether it is protected.
    let status: StatusBody
    /// What may be typed after a write that was not made, or whose outcome is unknown.
    var repetition = Repetition.same
    /// What to wait for when the change is made; nil for nothing.
    var wait: ReachWait?
    /// Whether this command could have been told to wait, and was not.
    var offersWait = false
    /// The zone that the command's times were typed in.
    var zone = Zone.current
    /// What the command says of the gates as they are after the change, or where there was nothing to change.
    var afterwards: (@Sendable ([(target: TargetKey, gate: Gate)]) -> Void)?

    static func begin(
        _ session: Session,
        _ options: WriteOptions,
        _ revision: RevisionOption? = nil,
        _ wait: WaitOptions? = nil
    ) async throws -> WriteFlow {
        Interrupt.now(.beforeWrite)
        let status = try await session.client.status()
        var flow = WriteFlow(session: session, options: options, ifRevision: revision?.ifRevision, status: status, wait: wait?.reachWait)
        if revision != nil { flow.repetition = .revision }
        if let wait { flow.offersWait = wait.reachWait == nil }
        return flow
    }

    private var console: Console { session.console }

    /// Edits the gates of the targets that were named.
    /// - Parameters:
    ///   - verb: the command's, as in the phrase for several targets: `kill`.
    ///   - question: "Block": the verb of the yes/no question.
    ///   - over: seconds over which a cleared kill switch lets callers in gradually; nil for at once.
    ///   - edit: the rules to set for a target as it stands.
    func edit(
        _ target: TargetArguments,
        _ verb: String,
        _ question: String,
        over: Int? = nil,
        _ edit: (TargetBody) throws -> GateEdit
    ) async throws {
        let named = try await TargetLookup(client: session.client).targets(target.app, target.platform)
        let targets = over == nil ? named : closed(named)
        let revision = try onlyRevision(named)
        let edits = try targets.map(edit)
        let isOne = edits.allSatisfy { $0 == edits[0] }
        let references = zip(targets, edits).map { target, edit in
            TargetRef(target.target.key, revision: revision ?? target.target.revision, set: isOne ? nil : edit)
        }
        let content: ChangeRequest.Content = isOne ? .set(edits[0]) : .setPerTarget
        try await perform(targets, question, named: .init(verb: verb, count: targets.count)) { terms in
            try await session.client.commit(ChangeRequest(targets: references, content: content, over: over, terms: terms))
        }
    }

    /// Those of several targets that a kill switch shuts: only these can be opened gradually. Were the others to fail the whole command,
    /// people would say it again without `--over`, and all phones would come at once. If none is shut, the server says so of all.
    private func closed(_ named: [TargetBody]) -> [TargetBody] {
        let closed = named.filter { $0.target.gate.killSwitch != nil }
        guard !closed.isEmpty, closed.count < named.count else { return named }
        let others = named.filter { $0.target.gate.killSwitch == nil }.map(\.target.key.description)
        line("left out: \(Self.few(others)), where no kill switch is on")
        return closed
    }

    /// Gives a target the gate of one of its revisions.
    func revert(_ target: TargetBody, to revision: Int) async throws {
        let reference = TargetRef(target.target.key, revision: try onlyRevision([target]) ?? target.target.revision)
        try await perform([target], "Roll back to revision \(revision):") { terms in
            try await session.client.commit(ChangeRequest(targets: [reference], content: .revertTo(revision), terms: terms))
        }
    }

    /// - Parameters:
    ///   - targets: as they were seen.
    ///   - asksAlways: also for a plan that is not dangerous.
    ///   - showsUntouched: false leaves the targets that the plan does not touch out of plan and result.
    ///   - named: what the command names by itself; nil if a file names the targets.
    ///   - app: whose own values are edited, where they are no target's.
    ///   - send: plans or commits, as the terms say.
    func perform(
        _ targets: [TargetBody],
        _ question: String,
        asksAlways: Bool = false,
        showsUntouched: Bool = true,
        named: Confirmation.Named? = nil,
        in app: String? = nil,
        send: (WriteTerms) async throws -> ChangeResultBody
    ) async throws {
        let planned: ChangeResultBody
        do { planned = try await send(options.terms(dryRun: true)) } catch { throw explained(error, targets, in: app) }
        let isTouched = { (target: TargetBody) in planned.plan.diff.contains { $0.target == target.target.key } }
        let targets = showsUntouched ? targets : targets.filter(isTouched)
        let result = WriteResult(session: session, status: status, targets: targets, offersWait: offersWait, zone: zone)
        let confirmation = Confirmation(console: console, options: options, named: named, place: session.place(status))
        show(planned, result)
        if options.dryRun {
            if planned.plan.isEmpty { afterwards?(targets.map { ($0.target.key, $0.target.gate) }) }
            return result.planned(planned, confirmation.drySentence(planned.plan, targets: targets, asksAlways: asksAlways))
        }
        if planned.plan.isEmpty { return try await finish(result, planned, targets.map { .init($0) }) }
        let terms = try confirmation.terms(
            for: planned.plan,
            targets: targets,
            question: "\(question) \(Self.names(planned.plan))",
            asksAlways: asksAlways
        )
        let answer: ChangeResultBody
        do { answer = try await send(terms) } catch { throw await lookedAgain(explained(error, targets, in: app), targets) }
        let goals = answer.change?.targets.map { ReachWait.Goal(target: $0.target, revision: $0.revision, isNew: true) }
        try await finish(result, answer, goals ?? targets.map { .init($0) })
    }

    /// Reports the result and, if asked to, waits until phones have it.
    private func finish(_ result: WriteResult, _ answer: ChangeResultBody, _ goals: [ReachWait.Goal]) async throws {
        guard let wait else { return show(result, answer) }
        Interrupt.now(.waiting)
        // With JSON there is one document, and it is complete only when the waiting is over.
        if !console.isJSON { show(result, answer) }
        let outcome = await wait.run(goals, session: session)
        if console.isJSON {
            result.show(answer, more: ["wait": outcome.json(wait)])
        } else if outcome.isReached {
            console.data("\(outcome.words) (waited \(outcome.seconds)s)")
        } else {
            console.say("not reached: \(wait.share.percent)% within \(outcome.seconds)s. The change is made; \(outcome.words)")
            let status = "status" + (goals.first.map { " \($0.target.app) \($0.target.platform)" } ?? "")
            console.say("  next: \(Invocation.sameServer(status)) shows how far it is")
        }
        if !outcome.isReached { throw ExitCode(Exit.other) }
    }

    private func show(_ result: WriteResult, _ answer: ChangeResultBody) {
        result.show(answer)
        let changed = Dictionary(uniqueKeysWithValues: (answer.change?.targets ?? []).map { ($0.target, $0.after) })
        afterwards?(result.targets.map { ($0.target.key, changed[$0.target.key] ?? $0.target.gate) })
    }

    /// The targets and apps that a plan touches, for a question.
    private static func names(_ plan: Plan) -> String {
        let touched =
            plan.diff.map(\.target.description)
            + plan.apps.map(\.app.text).filter { app in !plan.diff.contains { $0.target.app.text == app } }
        let names = touched.reduce(into: [String]()) { if $0.last != $1 && !$0.contains($1) { $0.append($1) } }
        return few(names)
    }

    private static func few(_ names: [String]) -> String {
        names.count <= 6 ? names.joined(separator: ", ") : "\(names.count) targets"
    }

    /// Whoever is about to be asked must have seen this, so -q does not hide it from a terminal.
    func line(_ text: String) { console.mayAsk ? console.say(text) : console.note(text) }

    /// The plan in words, on standard error; in a dry run the plan is the answer and goes to standard output later.
    private func show(_ planned: ChangeResultBody, _ result: WriteResult) {
        line(session.contextLine(status))
        session.warn(of: status.health)
        if !options.dryRun {
            result.lines(of: planned.plan, console.err).forEach(line)
            if let takeover = planned.takeover { TakeoverView(takeover).lines().forEach(line) }
        }
        for value in planned.refused ?? [] {
            line("  left out: \(Style.safe(value.path)) = \(Words.value(value.value)): \(Style.safe(value.detail)) [\(value.code)]")
        }
    }

    private func onlyRevision(_ targets: [TargetBody]) throws(Failure) -> Int? {
        guard let revision = ifRevision else { return nil }
        guard targets.count == 1 else { throw .usage("--if-revision needs one target: each has revisions of its own") }
        return revision
    }

    /// After a lost answer, adds where the targets are now and what may be repeated.
    private func lookedAgain(_ error: any Error, _ targets: [TargetBody]) async -> any Error {
        guard let refusal = error as? AdminClientError, refusal.outcomeUnknown else { return error }
        var failure = Failure(refusal)
        var seen: [String] = []
        for target in targets.prefix(5) {
            let key = target.target.key
            // If the server cannot be asked about one, it is not asked about the next; the advice below covers that.
            guard let now = try? await session.client.target(key.app.text, key.platform.text) else { break }
            let by = now.lastChange.map { ", by \($0.actor.said)" } ?? ""
            seen.append(
                now.target.revision == target.target.revision
                    ? "\(key) is still at revision \(now.target.revision)"
                    : "\(key) went from revision \(target.target.revision) to \(now.target.revision)\(by)"
            )
        }
        if !seen.isEmpty { failure.message += "; looked again: " + seen.joined(separator: "; ") }
        if let again = repetition.afterUnknown() {
            failure.next = [("next", "if it was not made and is still needed: \(again)")] + failure.next.dropFirst()
        }
        return failure
    }

    private static func leftOut(_ refused: [RefusedValue], _ refusal: AdminClientError) -> Failure {
        var failure = Failure(refusal)
        failure.message =
            refused.count == 1
            ? "one value of the file cannot be published safely" : "\(refused.count) values of the file cannot be published safely"
        failure.message += ": nothing was taken over"
        // Each value is listed with its own place in the file; the place in the request says nothing to whoever typed a file's name.
        failure.field = nil
        failure.next = [("next", "fix the file, or take the rest with --skip-invalid")]
        if refused.allSatisfy(\.overridable) {
            let codes = Set(refused.map(\.code)).sorted().map { "--accept \($0)" }.joined(separator: " ")
            failure.next.append(("", "to take it all as it is: \(codes)"))
        }
        return failure
    }

    /// Explains a stale revision with who was faster, and a refused import with each value.
    /// - Parameter app: whose own values were edited, where they are no target's.
    func explained(_ error: any Error, _ targets: [TargetBody], in app: String? = nil) -> any Error {
        guard let refusal = error as? AdminClientError else { return error }
        if let refused = refusal.problem?.refused, !refused.isEmpty { return Self.leftOut(refused, refusal) }
        var failure = Failure(refusal)
        switch refusal.problem?.code {
        case "stale_sequence": failure.next = [("next", Repetition.looksAnew)]
        case "stale_values" where refusal.problem?.current == nil:
            failure.next = (app.map { [("now", Invocation.sameServer("history \($0)"))] } ?? []) + [("then", Repetition.looksAnew)]
        case "map_required":
            failure.message = "the file has a shape of its own: say what its values mean"
            failure.next = [("next", "repeat it with --dry-run: it proposes a --map for each value, and shows the result")]
        case "platform_required": failure.next = [("next", "repeat it with --platform, such as --platform ios")]
        default:
            guard refusal.status == 412, let current = refusal.problem?.current else { return error }
            explain(&failure, current, targets)
        }
        return failure
    }

    /// Says who changed a target between the look and the write, and what may be done now.
    /// - Parameter current: the target as it is now.
    private func explain(_ failure: inout Failure, _ current: TargetBody, _ targets: [TargetBody]) {
        let key = current.target.key
        // The revision is the one in the file. The server's message names it; what may be done is added here.
        if case .file = repetition {
            failure.next = repetition.afterChange(of: key, from: nil, to: current.target.revision)
            return
        }
        let seen = ifRevision ?? targets.first { $0.target.key == key }?.target.revision
        let by = current.lastChange.map { ", by \($0.actor.said) \(Words.age(from: $0.at, to: status.serverTime)) ago" } ?? ""
        failure.message =
            "\(key) changed while you were working (you saw revision \(seen.map(String.init) ?? "?"), now \(current.target.revision)\(by))"
        // Each of several targets has revisions of its own, so no single option can name them.
        let isOne = targets.count == 1
        let repetition = if case .revision = repetition, !isOne { Repetition.same } else { repetition }
        failure.next = repetition.afterChange(of: key, from: seen, to: current.target.revision)
    }
}
