import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct DiffCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "What differs between two revisions, or between a file and now. Exits 10 when anything does.",
        discussion: """
            One revision is compared with the present one. A file holds a gate: {"killSwitch": {…}}.

            EXAMPLES
              gatectl diff shop ios 41
              gatectl diff shop ios 41 43 --json
              gatectl diff shop ios -f gate.json
            """
    )

    @Argument(help: "The app's key.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String
    @Argument(help: "The platform.", completion: .custom { _, _, _ async in await LiveNames.platforms() }) var platform: String
    @Argument(help: "The older revision.") var from: Int?
    @Argument(help: "The newer revision. Default: the present one.") var to: Int?
    @Option(name: .short, help: "Compare the present gate with this file; - reads standard input.", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if (from == nil) == (file == nil) { throw ValidationError("Name a revision, or a file with -f.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let target = try await TargetLookup(client: session.client).target(app, platform).target
        let (before, after) = try await sides(session, target)
        let diff = FieldDifference.between(before.gate, after.gate, of: target.key)
        if console.isJSON {
            console.json(
                Document.list(
                    diff.map(\.json),
                    [
                        "target": .string(target.key.description), "from": .string(before.name), "to": .string(after.name),
                        "different": .bool(!diff.isEmpty),
                    ]
                )
            )
        } else if console.format == .plain {
            for row in diff { console.data([row.field, row.before?.text ?? "", row.after?.text ?? ""].joined(separator: "\t")) }
        } else if diff.isEmpty {
            console.data("\(target.key): \(before.name) and \(after.name) are the same")
        } else {
            console.data("\(target.key): \(before.name) → \(after.name)")
            diff.map(PlanView.row).forEach(console.data)
        }
        if !diff.isEmpty { throw ExitCode(Failure.Exit.different.rawValue) }
    }

    private typealias Side = (name: String, gate: Gate)

    private func sides(_ session: Session, _ target: Target) async throws -> (Side, Side) {
        let now: Side = ("revision \(target.revision)", target.gate)
        if let file { return (now, ("the file", try GateFile.read(file, settings: target.settings))) }
        let old: Side = ("revision \(from ?? 0)", try await gate(session, target, from ?? 0))
        guard let to else { return (old, now) }
        return (old, ("revision \(to)", try await gate(session, target, to)))
    }

    /// The gate of a revision: what the change that made it left behind.
    private func gate(_ session: Session, _ target: Target, _ revision: Int) async throws -> Gate {
        if revision == target.revision { return target.gate }
        guard revision >= 1, revision < target.revision else {
            throw Failure(.notFound, "revision_not_found", "\(target.key) has no revision \(revision); it is at \(target.revision)")
        }
        var cursor: String?
        repeat {
            let page = try await session.client.changes([("app", app), ("platform", platform), ("limit", "500"), ("cursor", cursor)])
            for change in page.items {
                for changed in change.targets where changed.target == target.key {
                    if changed.revision == revision { return changed.after }
                    if changed.revision < revision {
                        throw Failure(.notFound, "revision_not_found", "\(target.key) has no revision \(revision)")
                    }
                }
            }
            cursor = page.next
        } while cursor != nil
        throw Failure(.notFound, "revision_not_found", "\(target.key) has no revision \(revision) in its history")
    }
}
