import GateFeeds
import GateJSON
package import GateModel

/// Turns a file of an app's own shape into a feed of that shape, and its content into a change of the gates: one command for both.
package struct TakeoverPlanner: Sendable {
    package let app: AppKey
    package let document: String
    /// The feed's name; nil for ``standardName``.
    package let name: OwnFeedName?
    /// What the file's values mean, as typed; nil to have it proposed.
    package let map: [String]?
    /// The platform the file belongs to; nil for a file of the whole app, or of its only platform.
    package let platform: PlatformKey?
    /// The revisions that the caller saw.
    package let revisions: [PlatformKey: Int]

    package init(
        app: AppKey,
        document: String,
        name: OwnFeedName?,
        map: [String]?,
        platform: PlatformKey?,
        revisions: [PlatformKey: Int]
    ) {
        self.app = app
        self.document = document
        self.name = name
        self.map = map
        self.platform = platform
        self.revisions = revisions
    }

    /// The feed's name when none is given.
    package static let standardName = "status"
    /// The most values that are named for having no proposal; nobody reads more.
    private static let mostDoubts = 20

    /// What a takeover does, as a command, and what people check beforehand.
    package struct Reading: Sendable {
        package let command: Command
        package let proof: TakeoverProof
        package let warnings: [Warning]
    }

    /// Whether to take a file over in this way: because it was asked for, or because none of its names means anything to a client library.
    package static func isWanted(
        _ document: String,
        format: ImportFormat,
        map: [String]?,
        platform: PlatformKey?,
        app: App
    ) -> Bool {
        map != nil || ImportReader.isOwnShape(document, format: format, platform: platform, app: app)
    }

    /// - Parameter current: the app as it stands.
    /// - Throws: `invalid_map`, `map_required`, `platform_required`, and any refusal of a template or a gate.
    package func read(current: App, terms: WriteTerms) throws(ServiceError) -> Reading {
        let only = current.platforms.count == 1 ? current.platforms.keys.first : nil
        if map == nil, platform == nil, only == nil { try requireNames(in: current) }
        let (meanings, doubts) = try meanings(in: current, only: only, isTrial: terms.dryRun)
        // A map that names platforms belongs to a file for the whole app.
        let owner = platform ?? (meanings.contains { $0.platform != nil } ? nil : only)
        let settings = current.platforms.mapValues { $0.settings }
        let takeover: Takeover
        do throws(TemplateRefusal) {
            takeover = try Takeover(document, meanings, for: owner, settings: settings)
        } catch { throw refused(error) }
        let name = if let name { name } else { try Self.named(Self.standardName) }
        let draft = OwnFeedDraft(name: name, platform: owner, template: takeover.template, sample: nil)
        var commands: [TargetCommand] = []
        var after = current
        var warnings = doubts.prefix(Self.mostDoubts).map { Warning(code: "takeover_not_proposed", detail: $0.detail) }
        for platform in takeover.edits.keys.sorted() {
            guard var target = current.platforms[platform], let json = takeover.edits[platform] else { continue }
            let edit: PreparedEdit
            let changes = takeover.changes[platform].flatMap { target.settings.isAltered(by: $0) ? $0 : nil }
            do throws(ModelError) {
                edit = try PreparedEdit(GateEdit(json: json))
                if let changes { try target.settings.apply(json: changes) }
                try target.gate.apply(edit, settings: target.settings)
            } catch { throw ServiceError(error, at: "/document") }
            after.platforms[platform] = target
            for rule in takeover.textless[platform] ?? [] { warnings.append(.hasNoText(rule, on: target.key)) }
            commands.append(
                TargetCommand(
                    target: target.key,
                    revision: revisions[platform],
                    action: .set(edit),
                    settings: changes,
                    pointer: "/document",
                    editPointer: "/document",
                    revisionField: "/revisions/\(platform)",
                    mayBeTriedUnseen: true
                )
            )
        }
        let proof: TakeoverProof
        do throws(OwnFeedFault) {
            proof = try takeover.proof(of: OwnFeed(name: name, platform: owner, template: takeover.template), in: after)
        } catch { throw .refused(error, at: "/map") }
        return Reading(command: .takeOver(app, draft, commands), proof: proof, warnings: warnings)
    }

    /// Checks that the file says which platform it belongs to when there are several.
    private func requireNames(in current: App) throws(ServiceError) {
        let platforms = current.platforms.keys.sorted()
        let file: JSONValue
        do { file = try Takeover.document(document) } catch { throw refused(error) }
        guard TakeoverProposal(of: file, for: nil, settings: current.platforms.mapValues { $0.settings }).isEmpty else { return }
        throw ServiceError(
            .invalid,
            "platform_required",
            "The file does not say which platform it is for: name the platform (\(platforms.map(\.text).joined(separator: ", "))), or say what its values mean in \"map\".",
            field: "/platform"
        )
    }

    /// What the file's values mean, and for which of them nothing is proposed.
    private func meanings(in current: App, only: PlatformKey?, isTrial: Bool) throws(ServiceError)
        -> ([TakeoverMeaning], [TakeoverProposal.Doubt])
    {
        do throws(TemplateRefusal) {
            if let map {
                var meanings: [TakeoverMeaning] = []
                for text in map { meanings.append(try TakeoverMeaning(text)) }
                return (meanings, [])
            }
            let proposal = TakeoverProposal(
                of: try Takeover.document(document),
                for: platform ?? only,
                settings: current.platforms.mapValues { $0.settings }
            )
            guard !isTrial else { return (proposal.meanings, proposal.doubts) }
            let told = proposal.meanings.prefix(5).map { JSONValue.string($0.text).text }.joined(separator: ", ")
            throw TemplateRefusal.unmapped(told)
        } catch { throw refused(error) }
    }

    private func refused(_ refusal: TemplateRefusal) -> ServiceError {
        let place = refusal.place.isEmpty ? "" : "\(TakeoverMeaning.path(of: refusal.place)): "
        return ServiceError(.invalid, refusal.code, place + refusal.detail, field: refusal.isOfMap ? "/map" : "/document")
    }

    private static func named(_ text: String) throws(ServiceError) -> OwnFeedName {
        do { return try OwnFeedName(validating: text) } catch { throw ServiceError(error, at: "/name") }
    }
}

extension Warning {
    fileprivate static func hasNoText(_ rule: Rule, on target: TargetKey) -> Warning {
        Warning(
            code: "takeover_without_text",
            detail:
                "The file has no text for the \(rule.rawValue) of \(target), which is on: other feeds show “–” until somebody writes one."
        )
    }
}
