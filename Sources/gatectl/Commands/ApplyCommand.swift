import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct ApplyCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "apply",
        abstract: "Make an export file true, in one change: create, change and, with --prune, remove.",
        discussion: """
            What already matches is not touched: a file applied twice changes things once. Apps and platforms that the file lacks stay, \
            unless you say --prune, which wants a typed phrase. A file of one app (gatectl export shop) never removes another \
            app. An empty or damaged file is refused. Nothing is written when somebody changed the same apps after the plan was \
            shown, or when a target that would change has moved past the revision in the file (exit 5).

            EXAMPLES
              gatectl apply -f gates.json --dry-run
              gatectl apply -f gates.json -r "release 4.3" -y
              gatectl export | gatectl apply -f -
              gatectl apply -f gates.json --prune --confirm "apply 2 targets" -r "clean up"
            """
    )

    @Option(name: .short, help: "The file; - reads standard input.", completion: .file()) var file: String
    @Flag(name: .long, help: "Remove the apps and platforms that the file lacks.") var prune = false
    @Flag(name: .long, help: "Apply the file although targets have moved past the revisions in it.") var ignoreRevisions = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var wait: WaitOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try wait.check(with: write) }

    func execute(_ console: Console) async throws {
        let written = try ExportFile.json(in: file)
        let document = ignoreRevisions ? ExportFile.withoutRevisions(written) : written
        let session = try Session.open(common.connection, console)
        var flow = try await WriteFlow.begin(session, write, nil, wait)
        if !ignoreRevisions { flow.repetition = .file }
        let targets = try await session.client.targets()
        var plannedAt: Int?
        try await flow.perform(targets, "Apply to", showsUntouched: false) { terms in
            let request = ApplyRequest(document: document, prune: prune, sequence: terms.dryRun ? nil : plannedAt, terms: terms)
            let answer = try await session.client.apply(request)
            plannedAt = answer.sequence ?? plannedAt
            return answer
        }
    }
}
