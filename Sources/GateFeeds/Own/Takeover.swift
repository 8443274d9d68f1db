package import GateJSON
package import GateModel

/// A file that an app polls already, turned into a feed of that shape: what each of its values means becomes a place, the rest stays as it is.
package struct Takeover: Sendable {
    /// The template that the file becomes.
    package let template: String
    /// What the file says of each platform's gate, as `set` of a change: rules that it switches on, and null for those that it switches off.
    package let edits: [PlatformKey: JSONValue]

    /// Reads a file with what its values mean.
    /// - Parameters:
    ///   - text: strict JSON, at most ``OwnTemplate/mostBytes``.
    ///   - meanings: each of a value of the file; at most ``TakeoverMeaning/most``.
    ///   - platform: for a feed of one platform, of which all meanings are; nil where each names its own.
    ///   - settings: of the platforms.
    /// - Throws: ``TemplateRefusal``: `invalid_map` with the place in the file.
    package init(
        _ text: String,
        _ meanings: [TakeoverMeaning],
        for platform: PlatformKey?,
        settings: [PlatformKey: PlatformSettings]
    ) throws(TemplateRefusal) {
        guard text.utf8.count <= OwnTemplate.mostBytes else {
            throw .tooLarge("A file has at most \(OwnTemplate.mostBytes) bytes, not \(text.utf8.count).")
        }
        let document: JSONValue
        do {
            let limits = JSONReader.Limits(
                bytes: OwnTemplate.mostBytes,
                depth: OwnTemplate.mostDepth,
                members: OwnTemplate.mostMembers
            )
            document = try JSONReader.read(text, limits: limits)
        } catch { throw .invalid("The file is no JSON: \(error).", at: "") }
        var leaves: [String: TakeoverLeaf] = [:]
        for meaning in meanings {
            guard let value = document.value(at: meaning.place) else {
                throw TemplateRefusal(
                    "invalid_map",
                    at: meaning.place,
                    "The file has nothing there; name one of its values."
                )
            }
            guard leaves[meaning.place] == nil else {
                throw TemplateRefusal(
                    "invalid_map",
                    at: meaning.place,
                    "One value means one thing; it is named twice."
                )
            }
            guard let owner = meaning.platform ?? platform, settings[owner] != nil,
                platform == nil || platform == owner
            else {
                throw TemplateRefusal(
                    "invalid_map",
                    at: meaning.place,
                    "Say of which platform \(meaning.word) is, and one that the app has: ios.\(meaning.word)."
                )
            }
            leaves[meaning.place] = TakeoverLeaf(
                meaning,
                value,
                owner,
                isPrefixed: platform == nil,
                settings[owner] ?? .standard(for: owner)
            )
        }
        let gates = try Self.gates(leaves)
        edits = gates.mapValues { $0.edit }
        template = try TakeoverWriter.template(text, leaves, gates)
    }

    /// What all values together say, by platform.
    private static func gates(_ leaves: [String: TakeoverLeaf]) throws(TemplateRefusal)
        -> [PlatformKey: TakeoverGate]
    {
        var gates: [PlatformKey: TakeoverGate] = [:]
        for (_, leaf) in leaves.sorted(by: { $0.key < $1.key }) {
            try gates[leaf.platform, default: TakeoverGate()].note(leaf)
        }
        return gates
    }
}
