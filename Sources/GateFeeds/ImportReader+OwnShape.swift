import GateJSON
package import GateModel

extension ImportReader {
    /// Whether a file seems to have a shape of the app's own: it is no library's file, or it shares a name with one and also has values
    /// with telling names. Read as a library's file, it would say that no rule is on.
    /// - Parameter format: `own` says that it is one; of the other formats, only `auto` leaves the question open.
    package static func isOwnShape(_ text: String, format: ImportFormat, platform: PlatformKey?, app: App) -> Bool {
        if format == .own { return true }
        // If the file cannot be read, the import reports that, with its line.
        guard format == .auto, let document = try? Takeover.document(text) else { return false }
        let settings = app.platforms.mapValues { $0.settings }
        var proposal = TakeoverProposal(of: document, for: platform, settings: settings)
        // Not knowing the file's platform does not make it a library's file.
        if proposal.isEmpty, let any = app.platforms.keys.min() {
            proposal = TakeoverProposal(of: document, for: any, settings: settings)
        }
        guard !proposal.isEmpty else { return false }
        guard let root = document.object else { return document.array != nil }
        let parts = ImportParts(root, app: app, appleReads: PrinceOfVersionsAppleClient.reads)
        guard !parts.formats.isEmpty else { return true }
        return parts.isDoubtful && proposal.speaks(outside: Set(ImportParts.statusNames.map(JSONPointer.member)))
    }
}

extension ImportParts {
    /// Whether it has only what other files may have by chance: a status that does not say whether the API is inactive, or platform objects
    /// without any rule.
    fileprivate var isDoubtful: Bool {
        status?["apiInactive"] == nil && lists.isEmpty
            && objects.allSatisfy { _, value in
                value.object.map { object in !object.isEmpty && Self.ruleNames.allSatisfy { object[$0.rawValue] == nil } } ?? false
            }
    }
}
