package import GateJSON
package import GateModel

/// A file that an app already polls, turned into a feed of that shape: each value with a meaning becomes a place, the rest stays as it is.
package struct Takeover: Sendable {
    /// The template that the file becomes.
    package let template: String
    /// What the file says about each platform's gate, as the `set` of a change: the rules that it switches on, and null for those that it
    /// switches off.
    package let edits: [PlatformKey: JSONValue]
    /// Settings in the file, possibly only some: `{"defaultRetryInterval":30}`. Phones that read such a file also poll at an interval while
    /// nothing is on.
    package let changes: [PlatformKey: JSONValue]
    /// What its values mean, in the order given.
    package let meanings: [TakeoverMeaning]
    /// Rules that are on although the file has no text for them.
    package let textless: [PlatformKey: [Rule]]
    /// The parsed file.
    let file: JSONValue
    /// The file as it was given.
    let text: String

    /// Reads a file, given what its values mean.
    /// - Parameters:
    ///   - text: strict JSON, at most ``OwnTemplate/mostBytes``.
    ///   - meanings: each for a value of the file; at most ``TakeoverMeaning/most``.
    ///   - platform: the platform of a feed for one platform, to which all meanings apply; nil if each names its own.
    ///   - settings: the platforms' settings.
    /// - Throws: ``TemplateRefusal``: `invalid_map`, with the place in the file.
    package init(
        _ text: String,
        _ meanings: [TakeoverMeaning],
        for platform: PlatformKey?,
        settings: [PlatformKey: PlatformSettings]
    ) throws(TemplateRefusal) {
        guard meanings.count <= TakeoverMeaning.most else {
            throw .tooManyMeanings(meanings.count)
        }
        file = try Self.document(text)
        (self.text, self.meanings) = (text, meanings)
        let values = try Self.values(file)
        var leaves: [String: TakeoverLeaf] = [:]
        for meaning in meanings {
            guard let value = values[meaning.place] else {
                throw .invalidMap("The file has nothing there; name one of its values.", at: meaning.place)
            }
            guard leaves[meaning.place] == nil else {
                throw .invalidMap("One value means one thing; it is named twice.", at: meaning.place)
            }
            guard let owner = meaning.platform ?? platform, settings[owner] != nil,
                platform == nil || platform == owner
            else {
                throw .invalidMap("Name the platform of \(meaning.word), one that the app has: ios.\(meaning.word).", at: meaning.place)
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
        changes = gates.compactMapValues { $0.settings }
        textless = gates.mapValues { $0.textless }.filter { !$0.value.isEmpty }
        template = try TakeoverWriter.template(text, leaves, gates)
    }

    /// Reads a file, within the limits of a template.
    /// - Throws: ``TemplateRefusal``: `invalid_template` if it is not JSON, `template_too_large`.
    package static func document(_ text: String) throws(TemplateRefusal) -> JSONValue {
        guard text.utf8.count <= OwnTemplate.mostBytes else {
            throw .tooLarge("A file has at most \(OwnTemplate.mostBytes) bytes, not \(text.utf8.count).")
        }
        do {
            return try JSONReader.read(text, limits: OwnTemplate.limits)
        } catch { throw .invalid("The file is not JSON: \(error).", at: "") }
    }

    /// All values of a file by their places, collected in one pass.
    private static func values(_ document: JSONValue) throws(TemplateRefusal) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        func walk(_ value: JSONValue, _ place: String) throws(TemplateRefusal) {
            guard values.updateValue(value, forKey: place) == nil else {
                throw .invalid("Two names there differ only after 80 characters; a place is identified by the first 80.", at: place)
            }
            switch value {
            case .object(let object):
                for (name, value) in object.members { try walk(value, place + JSONPointer.member(name)) }
            case .array(let items): for (index, item) in items.enumerated() { try walk(item, "\(place)/\(index)") }
            default: break
            }
        }
        try walk(document, "")
        return values
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
