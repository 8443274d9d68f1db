package import GateJSON
package import GateModel

/// What the values of a file may mean, judging by telling names. Only a proposal: people look at it, and at its proof, before anything is
/// saved.
///
/// Most people say yes to what is proposed. So nothing is proposed that would shut people out for a name that can be read in another way,
/// and nothing that would be refused.
package struct TakeoverProposal: Sendable {
    /// A value with a telling name for which nothing is proposed.
    package struct Doubt: Sendable, Hashable {
        /// RFC 6901 pointer into the file.
        package let place: String
        /// One sentence for people, which names the place and says why.
        package let detail: String
    }

    /// In the order of the document.
    package let meanings: [TakeoverMeaning]
    /// In the order of the document.
    package let doubts: [Doubt]

    /// Whether any of the names is telling.
    package var isEmpty: Bool { meanings.isEmpty && doubts.isEmpty }

    /// Whether it has a value outside these places.
    package func speaks(outside places: Set<String>) -> Bool {
        meanings.contains { !places.contains($0.place) } || doubts.contains { !places.contains($0.place) }
    }

    /// - Parameters:
    ///   - platform: for a feed of one platform; nil for a file in which names of platforms count too.
    ///   - settings: those of the app's platforms.
    package init(of document: JSONValue, for platform: PlatformKey?, settings: [PlatformKey: PlatformSettings]) {
        let candidates = Self.candidates(document, platform, settings)
        let order = Dictionary(candidates.enumerated().map { ($1.place, $0) }, uniquingKeysWith: { first, _ in first })
        var meanings: [TakeoverMeaning] = []
        var doubts: [Doubt] = []
        for owner in settings.keys.sorted() {
            var choice = TakeoverChoice(candidates.filter { $0.leaf.platform == owner })
            choice.makeSafe()
            meanings += choice.leaves.map(\.meaning)
            doubts += choice.doubts
        }
        func isBefore(_ one: String, _ other: String) -> Bool { order[one] ?? 0 < order[other] ?? 0 }
        self.meanings = meanings.sorted { isBefore($0.place, $1.place) }
        self.doubts = doubts.sorted { isBefore($0.place, $1.place) }
    }

    /// A value with a telling name.
    struct Candidate: Sendable {
        let leaf: TakeoverLeaf
        let rank: Int

        var place: String { leaf.meaning.place }
    }

    private static func candidates(
        _ document: JSONValue,
        _ platform: PlatformKey?,
        _ settings: [PlatformKey: PlatformSettings]
    ) -> [Candidate] {
        let named = Dictionary(
            settings.keys.sorted().map { (TakeoverNames.bare($0.text), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        // A file that names no platform belongs to the only one.
        let only = settings.count == 1 ? settings.keys.first : nil
        var found: [Candidate] = []
        func walk(
            _ value: JSONValue,
            _ place: String,
            _ name: String?,
            _ owner: PlatformKey?,
            _ surroundings: TakeoverNames.Surroundings
        ) {
            switch value {
            case .object(let object):
                for (name, value) in object.members {
                    let word = TakeoverNames.bare(name)
                    let key = named[word]
                    // What is said of another platform is not meant.
                    if let platform, let key, key != platform { continue }
                    var inner = surroundings
                    if let object = value.object, key == nil {
                        inner = TakeoverNames.surroundings(word, of: object.names.map(TakeoverNames.bare), in: surroundings)
                    } else if value.array != nil {
                        inner = .other
                    }
                    walk(value, place + JSONPointer.member(name), word, key ?? owner, inner)
                }
            case .array(let items):
                for (index, item) in items.enumerated() { walk(item, "\(place)/\(index)", name, owner, .other) }
            default:
                guard let owner = platform ?? owner ?? only, let settings = settings[owner], let name,
                    let suggestion = TakeoverNames.suggestion(name, in: surroundings), fits(value, suggestion.word)
                else { return }
                // Values in lists must not take the room of those that speak clearly.
                guard found.count < TakeoverMeaning.most || suggestion.rank < 4 else { return }
                let meaning = TakeoverMeaning(
                    place: place,
                    word: suggestion.word,
                    platform: platform == nil ? owner : nil,
                    isInverted: suggestion.isInverted
                )
                let leaf = TakeoverLeaf(meaning, value, owner, isPrefixed: platform == nil, settings)
                found.append(Candidate(leaf: leaf, rank: suggestion.rank))
            }
        }
        walk(document, "", nil, nil, .neutral)
        return found
    }

    private static func fits(_ value: JSONValue, _ word: TakeoverMeaning.Word) -> Bool {
        switch value {
        case .bool: word.isSwitch || word == .blocking
        case .number:
            word.isSwitch || word == .blocking || word.isVersion || word == .retryInterval
        case .string(let text):
            if word.isSwitch || word == .blocking { text.utf8.count < 12 } else { word != .retryInterval }
        case .null: word.isMessage
        case .array, .object: false
        }
    }
}
