import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct RollbackCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "rollback",
        abstract: "Give a target the gate of an earlier revision, as a new revision; history is never rewritten.",
        discussion: """
            --last takes back the last change of this target's gate; settings stay, and so do other targets that the change touched, which \
            are named.

            EXAMPLES
              gatectl rollback shop ios --last -r "undo"
              gatectl rollback shop ios --to 41 -r INC-123
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(
        help: "The platform; one, because each has revisions of its own.",
        completion: LiveNames.platforms
    ) var platform: String
    @Flag(name: .long, help: "Undo the last change of the gate.") var last = false
    @Option(name: .long, help: "The revision whose gate to take.") var to: Int?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var wait: WaitOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try wait.check(with: write)
        if last == (to != nil) { throw ValidationError("Say --last or --to REVISION.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var flow = try await WriteFlow.begin(session, write, revision, wait)
        let target = try await TargetLookup(client: session.client).target(app, platform)
        // The last change means the last one that the caller has seen.
        let seen = self.revision.ifRevision ?? target.target.revision
        if let revision = to {
            guard revision >= 1 else {
                let key = target.target.key
                throw Failure(.notFound, "revision_not_found", "\(key) has no revision \(revision); it is at \(target.target.revision)")
            }
            return try await flow.revert(target, to: revision)
        }
        let edit = try await LastEdit.find(of: target, from: seen, session.client)
        if edit.revision != seen {
            flow.line(
                "The gate was last changed by revision \(edit.revision), which is undone; what came after it has left the gate as it was."
            )
        }
        // If --last were repeated after it was done, it would undo itself; after somebody else's change, it would undo that one.
        flow.repetition = .instead(adding: ["--to", "\(edit.previous)"], without: ["--last"])
        try await flow.revert(target, to: edit.previous)
        if !write.dryRun { await tellOthers(edit, target.target.key, session) }
    }

    /// Says how to undo the change on the other targets that it touched and that are still as it left them.
    private func tellOthers(_ edit: LastEdit, _ key: TargetKey, _ session: Session) async {
        // Errors are safe to lose: what was asked for is done, and the history shows the rest.
        guard !session.console.isJSON, let change = try? await session.client.change(edit.sequence) else { return }
        let others = WriteResult.undoable(change).filter { $0.target != key }
        var lines: [String] = []
        for other in others.prefix(WriteResult.mostUndone) {
            let now = try? await session.client.target(other.target.app.text, other.target.platform.text)
            if now?.target.gate == other.after { lines.append("  next: " + WriteResult.undo(other)) }
        }
        guard !lines.isEmpty else { return }
        session.console.note("That change touched other targets too, which stay as they are:")
        lines.forEach(session.console.note)
        let left = max(0, others.count - WriteResult.mostUndone) + change.omitted
        if left > 0 { session.console.note("  … and \(left) more: \(Invocation.sameServer("history")) shows what they had before") }
    }
}
