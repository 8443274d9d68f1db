import ArgumentParser
import GateAPI
import GateModel

struct RollbackCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "rollback",
        abstract: "Give a target the gate of an earlier revision, as a new revision; history is never rewritten.",
        discussion: """
            EXAMPLES
              gatectl rollback shop ios --last -r "undo"
              gatectl rollback shop ios --to 41 -r INC-123
            """
    )

    @Argument(help: "The app's key.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String
    @Argument(
        help: "The platform; one, because each has revisions of its own.",
        completion: .custom { _, _, _ async in await LiveNames.platforms() }
    ) var platform: String
    @Flag(name: .long, help: "Undo the last change.") var last = false
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
        let revision = to ?? seen - 1
        guard revision >= 1 else {
            throw Failure(.refused, "nothing_before", "there is nothing before revision \(seen) of \(target.target.key)")
        }
        // If --last were repeated after it was done, it would undo itself; after somebody else's change, it would undo that one.
        if last { flow.repetition = .instead(adding: ["--to", "\(revision)"], without: ["--last"]) }
        try await flow.revert(target, to: revision)
    }
}
