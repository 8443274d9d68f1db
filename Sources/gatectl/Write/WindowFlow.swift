import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// How every write of a window goes: ask the server for the plan, show it with its times, get it confirmed, write, report the result.
struct WindowFlow {
    let session: Session
    let options: WriteOptions
    let status: StatusBody

    static func begin(_ session: Session, _ options: WriteOptions) async throws -> WindowFlow {
        WindowFlow(session: session, options: options, status: try await session.client.status())
    }

    private var console: Console { session.console }

    /// - Parameter send: plans or writes, as the terms say.
    /// - Parameter step: the one that is carried out now, whenever it was planned for.
    func perform(
        _ targets: [TargetBody],
        _ question: String,
        now step: Window.Step? = nil,
        send: (WriteTerms) async throws -> WindowResultBody
    ) async throws {
        Interrupt.now(.beforeWrite)
        let planned = try await send(options.terms(dryRun: true))
        guard let plan = planned.plan else { throw Failure(.other, "bad_answer", "the server answered without a plan") }
        var lines =
            WindowView.times(planned.window, now: status.serverTime, happening: step)
            + PlanView(targets: targets, plan: plan, now: status.serverTime, inUTC: console.inUTC).lines(
                options.dryRun ? console.out : console.err,
                width: console.width
            )
        if planned.window.id == 0, plan.diff.isEmpty { lines.append("  As things are now the start would change nothing.") }
        let confirmation = Confirmation(console: console, options: options, place: session.place(status))
        if options.dryRun { return finish(planned, lines, confirmation.drySentence(plan, targets: targets)) }
        let mayBeAsked = console.mayAsk
        session.warn(of: status.health)
        for line in [session.contextLine(status)] + lines { mayBeAsked ? console.say(line) : console.note(line) }
        if step == nil, let end = planned.window.end, end.at.milliseconds - planned.window.begins.milliseconds > WindowView.longest {
            let length = WindowView.length(from: planned.window.begins, to: end.at)
            try confirmation.agree("This lasts \(length). Go on")
        }
        let terms = try confirmation.terms(for: plan, targets: targets, question: question, asksAlways: false)
        let done = try await send(terms)
        guard !console.isJSON else { return console.json(document(done)) }
        let window = done.window
        console.data(
            "◷ \(window.state.rawValue.uppercased())  window \(window.id)  \(window.targets.map(\.key.description).joined(separator: ", "))  \(WindowView.what(window))"
        )
        console.data(WindowView.times(window, now: status.serverTime, happening: step))
        if let change = done.change {
            for target in change.targets {
                console.data("\(Words.badge(target.after.state))  \(target.target)  revision \(target.revision)")
            }
        }
        if window.state.isActive {
            let cancel = Invocation.sameServer("schedule cancel \(window.id)")
            let look = Invocation.sameServer("schedule show \(window.id)")
            console.note("  Cancel: \(cancel)      Look: \(look)")
        }
    }

    /// Carries out a step of a window at once.
    /// - Parameters:
    ///   - step: nil for the next one, but not to end a running window: that must be named.
    ///   - revision: the window's that the caller has seen; nil for the one that it has now, of which the plan is shown.
    func run(_ id: Int, step: Window.Step? = nil, ifRevision revision: Int?, _ question: String) async throws {
        let window = try await session.client.window(id)
        guard step != nil || window.state != .running else {
            throw Failure(
                .refused,
                "window_over",
                "window \(id) is already running",
                next: [("next", "to end it now: \(Invocation.sameServer("schedule end \(id)"))")]
            )
        }
        let targets = try await TargetLookup(client: session.client).targets(of: window)
        try await perform(targets, question, now: step ?? (window.hasStarted ? .end : .start)) { terms in
            try await session.client.runWindow(id, WindowRunRequest(step: step, revision: revision ?? window.revision, terms: terms))
        }
    }

    private func finish(_ planned: WindowResultBody, _ lines: [String], _ sentence: String) {
        guard !console.isJSON else { return console.json(document(planned, dryRun: true)) }
        console.note(session.contextLine(status))
        session.warn(of: status.health)
        console.data(lines)
        console.data(sentence)
    }

    private func document(_ answer: WindowResultBody, dryRun: Bool = false) -> JSONValue {
        var members: JSONObject = ["context": .string(session.contextName(status))]
        if dryRun { members["dryRun"] = .bool(true) }
        members["changed"] = .bool(true)
        members["window"] = answer.window.json
        members["plan"] = dryRun ? answer.plan?.json : nil
        members["warnings"] = .array((answer.plan?.warnings ?? []).map(\.json))
        members["sequence"] = answer.change.map { .integer($0.sequence) }
        return Document.of(members)
    }
}
