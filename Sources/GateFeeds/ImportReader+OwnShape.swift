import GateJSON
package import GateModel

extension ImportReader {
    /// Whether a file looks like one of the app's own making: no library's, or one that shares a name with a library's and has values besides
    /// whose names speak. Taken for a library's file such a one would say that no rule is on.
    /// - Parameter format: `own` says that it is one; of others only `auto` asks.
    package static func isOwnShape(_ text: String, format: ImportFormat, platform: PlatformKey?, app: App) -> Bool {
        if format == .own { return true }
        // What cannot be read is told by the import, with its line.
        guard format == .auto, let document = try? Takeover.document(text) else { return false }
        let platforms = app.platforms.keys.sorted()
        var meanings = TakeoverProposal.meanings(of: document, for: platform, platforms: platforms)
        // That nobody said whose file it is does not make it a library's.
        if meanings.isEmpty, let any = platforms.first {
            meanings = TakeoverProposal.meanings(of: document, for: any, platforms: platforms)
        }
        guard !meanings.isEmpty else { return false }
        guard let root = document.object else { return document.array != nil }
        let parts = ImportParts(root, app: app)
        guard !parts.formats.isEmpty else { return true }
        let read = Set(ImportParts.statusNames.map(JSONPointer.member))
        return parts.isDoubtful && meanings.contains { !read.contains($0.place) }
    }
}

extension ImportParts {
    /// Whether there is nothing but what other files have by chance: a status that does not say whether the API is inactive, objects of
    /// platforms without any rule.
    fileprivate var isDoubtful: Bool {
        status?["apiInactive"] == nil && lists.isEmpty
            && objects.allSatisfy { _, value in
                value.object.map { object in !object.isEmpty && Self.ruleNames.allSatisfy { object[$0.rawValue] == nil } } ?? false
            }
    }
}
