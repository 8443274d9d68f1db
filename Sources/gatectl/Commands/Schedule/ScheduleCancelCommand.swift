import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleCancelCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "cancel",
        abstract: "Call a window off: what has not happened yet will not. What it has done stays.",
        discussion: """
            Cancelling a window that has started leaves things as they are, and nothing opens by itself any more, so you are asked \
            first; where the environment is protected, a window that keeps people out needs a reason and a typed confirmation then.
            gatectl schedule end takes back what it did.

            EXAMPLE
              gatectl schedule cancel 12 -r "The sale is off"
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @Option(name: [.short, .long], help: "Why; kept with the window.") var reason: String?
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
    @Option(name: .long, help: "The text a confirmation asks for, such as shop/ios or \"kill 2 targets\".") var confirm: String?
    @Flag(name: [.customShort("n"), .long], help: "Show what would be called off and write nothing.") var dryRun = false
    @OptionGroup var seen: WindowRevisionOption
    @OptionGroup var common: CommonOptions

    private var options: WriteOptions { .given(reason: reason, dryRun: dryRun, yes: yes, confirm: confirm) }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let before = try await session.client.window(id)
        if dryRun {
            try await session.require(.operator)
            if let revision = seen.ifRevision, revision != before.revision, before.state != .cancelled {
                throw Failure(.changedMeanwhile, "stale_revision", "window \(id) has revision \(before.revision), not \(revision)")
            }
            guard before.state == .cancelled || Self.mayCancel(before) else {
                throw Failure(.refused, "window_over", "window \(id) is over (\(before.state.rawValue))")
            }
        }
        let meaning = try await Self.meaning(of: before, session)
        let status = try await session.client.status()
        session.warn(of: status.health)
        let confirmation = Confirmation(console: console, options: options, place: session.place(status))
        if dryRun { return report(before, meaning, confirmation) }
        var terms = options.terms()
        if let meaning, meaning.plan.confirm != nil || meaning.plan.reasonRequired {
            if console.mayAsk { console.say(session.contextLine(status)) }
            tell(before, console)
            terms = try confirmation.terms(for: meaning.plan, targets: meaning.targets, question: "Cancel window \(id)", asksAlways: true)
        } else if Self.hasEffect(before) {
            if !yes { tell(before, console) }
            try agree(before, console)
        }
        let request = WindowCancelRequest(reason: terms.reason, confirm: terms.confirm, revision: seen.ifRevision ?? before.revision)
        let window = try await session.client.cancelWindow(id, request).window
        let changed = before.state != .cancelled
        guard !console.isJSON else { return console.json(Document.of(["changed": .bool(changed), "window": window.json])) }
        console.data(changed ? "Cancelled window \(id): \(WindowView.what(window))" : "Window \(id) was cancelled already")
        if Self.hasEffect(before) { console.note("  What it did stays: \(Invocation.sameServer("status")) shows what users face.") }
    }

    /// What calling off a running window means for people: the same as taking its end away, for which the server makes a plan.
    /// - Returns: nil where it means nothing: the window does not run, or has no end, or one that the rules refuse by now.
    private static func meaning(of window: Window, _ session: Session) async throws -> (plan: Plan, targets: [TargetBody])? {
        guard window.state == .running, window.end != nil else { return nil }
        do {
            let targets = try await TargetLookup(client: session.client).targets(of: window)
            let endless = WindowRequest(
                targets: targets.map { TargetRef($0.target.key, revision: $0.target.revision) },
                set: window.set,
                start: window.start,
                end: nil,
                then: window.then,
                terms: WriteTerms(dryRun: true)
            )
            let answer = try await session.client.replaceWindow(window.id, WindowReplaceRequest(endless, revision: window.revision))
            return answer.plan.map { ($0, targets) }
        } catch let failure as Failure where failure.exit == .notFound {
            return nil
        } catch let error as AdminClientError where error.problem != nil {
            // Whatever stands in the way of that need not stand in the way of this; the server decides.
            return nil
        }
    }

    /// Also one that was missed: it still waits for somebody to carry it out.
    private static func mayCancel(_ window: Window) -> Bool { window.state.isActive || window.state == .missed }

    /// Whether its start was carried out and its end was not: it runs, or its end was missed.
    static func hasEffect(_ window: Window) -> Bool {
        window.state == .running || window.state == .missed && window.hasStarted
    }

    private func report(_ window: Window, _ meaning: (plan: Plan, targets: [TargetBody])?, _ confirmation: Confirmation) {
        let console = confirmation.console
        let changes = Self.mayCancel(window)
        guard !console.isJSON else {
            var document: JSONObject = ["dryRun": .bool(true), "changed": .bool(changes), "window": window.json]
            if let meaning { document["plan"] = meaning.plan.json }
            return console.json(Document.of(document))
        }
        console.data(WindowView.lines(window, now: .now))
        if let meaning {
            console.data("It would be called off, and what it did stays.")
            return console.data(confirmation.drySentence(meaning.plan, targets: meaning.targets, asksAlways: true))
        }
        let consent = Self.hasEffect(window) && !yes ? " To do it: -y" : ""
        console.data(
            "Dry run: nothing was written. " + (changes ? "It would be called off.\(consent)" : "It is \(window.state.rawValue) already.")
        )
    }

    /// What becomes of people when a window that has an effect is called off.
    private static func consequence(of window: Window) -> String {
        let names = window.targets.map(\.key.description).joined(separator: ", ")
        let what = window.state == .running ? "runs" : "has started and not ended"
        return "window \(window.id) \(what), and without it \(Style.safe(names)) stays as it is until somebody changes it"
    }

    /// Whoever calls off a sale must not lock people out for good without knowing it.
    private func tell(_ window: Window, _ console: Console) {
        guard console.mayAsk else { return }
        let words = Self.consequence(of: window)
        console.say("\(words.prefix(1).uppercased() + words.dropFirst()); \(Invocation.sameServer("schedule end \(id)")) takes it back.")
    }

    private func agree(_ window: Window, _ console: Console) throws(Failure) {
        try Consent(console: console, isGiven: yes).require(
            "Cancel window \(id)",
            because: Self.consequence(of: window),
            or: [("take back what it did", Invocation.sameServer("schedule end \(id)"))]
        )
    }
}
