import GateFeeds
import GateJSON
package import GateModel

/// Turns a file that an app polls today into a command, leaving out what cannot be published safely.
package struct ImportPlanner: Sendable {
    package let app: AppKey
    package let document: String
    package let format: ImportFormat
    /// For files that name no platform; nil means the format's own default.
    package let platform: PlatformKey?
    /// Whether to import the rest when a part is refused.
    package let skipsInvalid: Bool
    /// The revisions that the caller saw.
    package let revisions: [PlatformKey: Int]

    package init(
        app: AppKey,
        document: String,
        format: ImportFormat,
        platform: PlatformKey?,
        skipsInvalid: Bool,
        revisions: [PlatformKey: Int]
    ) {
        self.app = app
        self.document = document
        self.format = format
        self.platform = platform
        self.skipsInvalid = skipsInvalid
        self.revisions = revisions
    }

    /// What the file asks for, as a command, and what was left out.
    package struct Reading: Sendable {
        package let command: Command
        package let format: ImportFormat
        package let refused: [RefusedValue]
        package let warnings: [Warning]
    }

    /// - Parameter current: the app as it stands.
    /// - Throws: `invalid_document` for a file of no known format; `invalid_import` with every refused part, unless refused parts are
    ///   skipped.
    package func read(current: App, terms: WriteTerms) throws(ServiceError) -> Reading {
        let proposal: ImportProposal
        do {
            proposal = try ImportReader.read(document, format: format, app: current, platform: platform)
        } catch {
            throw ServiceError(.invalid, "invalid_document", error.detail, field: "/document")
        }
        let bytes = Array(document.utf8)
        var refused = proposal.refused
        var commands: [TargetCommand] = []
        let touched = Set(proposal.edits.keys).union(proposal.settings.keys).sorted()
        // A dry run also covers platforms for which nothing is imported: their phones will get the feed instead of the file.
        let seen = terms.dryRun ? Set(touched).union(proposal.readers.keys).sorted() : touched
        for platform in seen {
            guard let target = current.platforms[platform] else { continue }
            // Rules that phones do not see today, but the caller wants them to.
            let shown = (proposal.hidden[platform] ?? []).filter { terms.accept.contains($0.refusal.code) }
            refused.removeAll { value in shown.contains { $0.refusal.path == value.path } }
            let edit = (proposal.edits[platform] ?? GateEdit([:])).with(shown)
            let (kept, left) = try withoutRefusals(edit, of: target, terms: terms)
            refused += left
            let settings = proposal.settings[platform].flatMap { target.settings.isAltered(by: $0) ? $0 : nil }
            guard !kept.isEmpty || settings != nil || terms.dryRun else { continue }
            let prepared: PreparedEdit
            do { prepared = try PreparedEdit(kept) } catch { throw ServiceError(error, at: "/document") }
            commands.append(
                TargetCommand(
                    target: target.key,
                    revision: revisions[platform],
                    action: .set(prepared),
                    settings: settings,
                    pointer: "/document",
                    editPointer: "/document",
                    revisionField: "/revisions/\(platform)",
                    mayBeTriedUnseen: true,
                    hosted: Dictionary(uniqueKeysWithValues: (proposal.readers[platform] ?? []).map { ($0, bytes) }),
                    findings: shown.filter { shown in kept.rules.contains { $0.rule == shown.rule } }.map(\.finding)
                )
            )
        }
        if !refused.isEmpty, !skipsInvalid {
            try checkRevisions(touched.compactMap { current.platforms[$0] }, terms: terms)
            let first = refused[0]
            throw ServiceError(
                .invalid,
                "invalid_import",
                "\(first.path) \(first.value.text): \(first.detail) Nothing was taken over; fix the file, or skip what is invalid to take over the rest.",
                field: "/document"
            ).with(\.refused, refused)
        }
        return Reading(command: .gates(commands, kind: .import), format: proposal.format, refused: refused, warnings: proposal.warnings)
    }

    /// Checks that nobody else was faster; as for every change, this is reported before the file is refused.
    private func checkRevisions(_ targets: [Target], terms: WriteTerms) throws(ServiceError) {
        for target in targets where revisions[target.key.platform] == nil && !terms.dryRun {
            throw .revisionMissing(target.key, at: "/revisions/\(target.key.platform)")
        }
        for target in targets {
            guard let revision = revisions[target.key.platform], revision != target.revision else { continue }
            throw .stale(target, saw: revision, at: "/revisions/\(target.key.platform)")
        }
    }

    /// Leaves out, one by one, the rules that a client library's lint refuses, so that the good ones can be imported.
    private func withoutRefusals(_ edit: GateEdit, of target: Target, terms: WriteTerms) throws(ServiceError) -> (GateEdit, [RefusedValue])
    {
        var kept: [Rule: JSONValue?] = [:]
        for (rule, json) in edit.rules { kept.updateValue(json, forKey: rule) }
        var refused: [RefusedValue] = []
        while true {
            var gate = target.gate
            do { try gate.apply(GateEdit(kept), settings: target.settings) } catch { throw ServiceError(error, at: "/document") }
            let findings = FeedLint.findings(before: target.gate, after: gate, target: target.key, settings: target.settings)
            let refusal = findings.first { finding in
                guard case .refusal(let overridable) = finding.severity else { return false }
                return !(overridable && terms.accept.contains(finding.code))
            }
            guard let refusal, let rule = Self.rule(of: refusal), let json = kept.removeValue(forKey: rule) else { break }
            let parts = refusal.field.split(separator: "/").map(String.init)
            let value = parts.count > 1 ? json?.object?[parts[1]] : json
            refused.append(
                RefusedValue(
                    path: ([target.key.platform.text] + parts).joined(separator: "."),
                    value: value ?? .null,
                    code: refusal.code,
                    detail: refusal.detail,
                    overridable: refusal.severity == .refusal(overridable: true)
                )
            )
        }
        return (GateEdit(kept), refused)
    }

    private static func rule(of finding: Finding) -> Rule? {
        finding.field.split(separator: "/").first.flatMap { Rule(rawValue: String($0)) }
    }

}

extension GateEdit {
    /// This edit with these rules, too.
    fileprivate func with(_ hidden: [HiddenRule]) -> GateEdit {
        GateEdit(hidden.reduce(into: dictionary) { all, one in all.updateValue(one.json, forKey: one.rule) })
    }
}

extension PlatformSettings {
    /// Whether a partial settings document would change anything. True for an invalid one, so that the planner reports what is wrong with
    /// it.
    func isAltered(by json: JSONValue) -> Bool {
        var changed = self
        guard (try? changed.apply(json: json)) != nil else { return true }
        return changed != self
    }
}
