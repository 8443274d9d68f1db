import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct DiffCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "diff",
        abstract: "What differs between two revisions, or between a file and now. Exits 10 when anything does.",
        discussion: """
            One revision is compared with the present one, gate with gate; settings are in gatectl history. A file is an export, of \
            everything or of one app, or a single gate: {"killSwitch": {…}}. Where nothing differs but the server is degraded, it exits 1: \
            with a damaged history, what the server says now may be old.

            EXAMPLES
              gatectl diff shop ios 41
              gatectl diff shop ios 41 43 --json
              gatectl diff shop ios -f gate.json
              gatectl diff -f gates.json
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String?
    @Argument(help: "The platform.", completion: LiveNames.platforms) var platform: String?
    @Argument(help: "The older revision.") var from: Int?
    @Argument(help: "The newer revision. Default: the present one.") var to: Int?
    @Option(name: .short, help: "Compare the present gate with this file; - reads standard input.", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if (from == nil) == (file == nil) { throw ValidationError("Name a revision, or a file with -f.") }
    }

    func execute(_ console: Console) async throws {
        let json = try file.map { path throws(Failure) in try ExportFile.json(in: path) }
        let session = try Session.open(common.connection, console)
        let status = try await session.client.status()
        let health = status.health
        session.warn(of: health)
        if let json, let file, json.object?["schema"]?.string == ExportBody.form {
            return try await compare(try ExportFile.read(json, from: file), session, health, at: status.serverTime)
        }
        guard let app, let platform else {
            throw Failure(.refused, "malformed", "the file is not an export, so name the app and the platform whose gate it is")
        }
        let target = try await TargetLookup(client: session.client).target(app, platform).target
        let (before, after) = try await sides(session, target, json)
        let diff = FieldDifference.between(before.gate, after.gate, of: target.key)
        if console.isJSON {
            console.json(
                Document.list(
                    diff.map(\.json),
                    [
                        "target": .string(target.key.description), "from": .string(before.name), "to": .string(after.name),
                        "different": .bool(!diff.isEmpty), "health": health.json,
                    ]
                )
            )
        } else if console.format == .plain {
            console.data(diff.map { PlanView.plain([$0.field], $0.before, $0.after) })
        } else if diff.isEmpty {
            console.data("\(target.key): the gates of \(before.name) and \(after.name) are the same")
        } else {
            console.data("\(target.key): \(before.name) → \(after.name)")
            console.data(diff.map(PlanView.row))
        }
        try end(isEmpty: diff.isEmpty, health, console)
    }

    /// Nobody may take the answer of a server that serves an older database for the proof that all is as it should be.
    private func end(isEmpty: Bool, _ health: Health, _ console: Console) throws {
        guard isEmpty else { throw ExitCode(Exit.different) }
        guard health.state == .degraded else { return }
        // The one document says it already.
        guard !console.isJSON else { throw ExitCode(Exit.other) }
        throw Failure(
            .other,
            "server_degraded",
            "nothing differs, but the server is degraded, so that proves nothing",
            next: [("next", Invocation.sameServer("doctor"))]
        )
    }

    private func compare(_ wanted: ExportBody, _ session: Session, _ health: Health, at time: Timestamp) async throws {
        let console = session.console
        // An app that the server does not have is a difference like any other.
        let present = try ExportFile.read(try await session.client.export(), from: "the server's export", as: .kept)
        let seen = wanted.apps.filter { present.scope.contains($0.key) }
        if let app, !(present.apps + seen).contains(where: { $0.has(app, platform) }) {
            throw try await TargetLookup(client: session.client).missing(app, platform)
        }
        if seen.isEmpty, !wanted.apps.isEmpty {
            throw Failure(.notAllowed, "forbidden", "you may see none of the file's apps, so nothing was compared")
        }
        let diff = ExportDifference(server: present, file: wanted, app: app, platform: platform, at: time)
        for (target, until) in diff.ended {
            console.note("the file's kill switch of \(target) ended at \(Words.time(until, inUTC: console.inUTC)), so it is left out")
        }
        if !diff.leftOut.isEmpty {
            console.note("left out, because you may not see them: \(Words.some(diff.leftOut.map(\.text)))")
        }
        switch console.format {
        case .json:
            console.json(
                Document.list(
                    diff.targets.map(\.json),
                    [
                        "from": .string("now"), "to": .string("the file"), "different": .bool(!diff.isEmpty),
                        "apps": .array(diff.apps.map(\.json)), "leftOut": .array(diff.leftOut.map { .string($0.text) }),
                        "health": health.json,
                    ]
                )
            )
        case .plain:
            console.data(diff.apps.map(PlanView.plain) + diff.targets.map(PlanView.plain))
        case .table, .wide:
            console.data(diff.isEmpty ? "the server and the file are the same" : "now → the file")
            console.data(diff.lines)
        }
        try end(isEmpty: diff.isEmpty, health, console)
    }

    private typealias Side = (name: String, gate: Gate)

    private func sides(_ session: Session, _ target: Target, _ json: JSONValue?) async throws -> (Side, Side) {
        let now: Side = ("revision \(target.revision)", target.gate)
        if let json, let file { return (now, ("the file", try GateFile.gate(json, in: file, settings: target.settings))) }
        let old: Side = ("revision \(from ?? 0)", try await gate(session, target, from ?? 0))
        guard let to else { return (old, now) }
        return (old, ("revision \(to)", try await gate(session, target, to)))
    }

    /// The gate at a revision: what the change that made the revision left behind.
    private func gate(_ session: Session, _ target: Target, _ revision: Int) async throws -> Gate {
        if revision == target.revision { return target.gate }
        guard revision >= 1, revision < target.revision else {
            throw Failure(.notFound, "revision_not_found", "\(target.key) has no revision \(revision); it is at \(target.revision)")
        }
        var cursor: String?
        repeat {
            let page = try await session.client.changes([
                ("app", target.key.app.text), ("platform", target.key.platform.text), ("limit", "500"), ("cursor", cursor),
            ])
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

extension App {
    /// Whether this is the app with that key and, if a platform is named, has it.
    fileprivate func has(_ app: String, _ platform: String?) -> Bool {
        key.text == app && (platform == nil || platforms.keys.contains { $0.text == platform })
    }
}
