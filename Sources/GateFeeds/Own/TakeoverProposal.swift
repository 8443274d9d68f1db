package import GateJSON
package import GateModel

/// What the values of a file may mean, judging by telling names. Only a proposal: people look at it, and at its proof, before anything is
/// saved.
package enum TakeoverProposal {
    /// Values with telling names, in the order of the document.
    /// - Parameters:
    ///   - platform: for a feed of one platform; nil for a file in which names of platforms count too.
    ///   - platforms: the app's platforms.
    package static func meanings(
        of document: JSONValue,
        for platform: PlatformKey?,
        platforms: some Sequence<PlatformKey>
    ) -> [TakeoverMeaning] {
        let named = Dictionary(platforms.map { (bare($0.text), $0) }, uniquingKeysWith: { first, _ in first })
        // A file that names no platform belongs to the only one.
        let only = named.count == 1 ? named.values.first : nil
        var found: [TakeoverMeaning] = []
        var taken: Set<String> = []
        func walk(_ value: JSONValue, _ place: String, _ name: String?, _ owner: PlatformKey?) {
            guard found.count < TakeoverMeaning.most else { return }
            switch value {
            case .object(let object):
                for (name, value) in object.members {
                    let word = bare(name)
                    walk(value, place + JSONPointer.member(name), word, (platform == nil ? named[word] : nil) ?? owner)
                }
            case .array(let items):
                for (index, item) in items.enumerated() { walk(item, "\(place)/\(index)", name, owner) }
            default:
                guard let owner = platform ?? owner ?? only, let name, let speaks = words[name]
                else { return }
                guard fits(value, speaks.word), taken.insert("\(owner)/\(speaks.word.rawValue)").inserted
                else { return }
                found.append(
                    TakeoverMeaning(
                        place: place,
                        word: speaks.word,
                        platform: platform == nil ? owner : nil,
                        isInverted: speaks.isInverted
                    )
                )
            }
        }
        walk(document, "", nil, nil)
        return found
    }

    /// A name without its separators and capitals: `min_version`, `minVersion` and `MIN-VERSION` are the same.
    private static func bare(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static func fits(_ value: JSONValue, _ word: TakeoverMeaning.Word) -> Bool {
        switch value {
        case .bool: word.isSwitch || word == .blocking
        case .number:
            word.isSwitch || word == .blocking
                || [.minimumVersion, .optionalVersion, .retryInterval].contains(word)
        case .string(let text):
            if word.isSwitch || word == .blocking { text.utf8.count < 12 } else { word != .retryInterval }
        case .null: word.isMessage
        case .array, .object: false
        }
    }

    private static let words: [String: (word: TakeoverMeaning.Word, isInverted: Bool)] = {
        var words: [String: (word: TakeoverMeaning.Word, isInverted: Bool)] = [:]
        func add(_ word: TakeoverMeaning.Word, _ names: String..., isInverted: Bool = false) {
            for name in names { words[name] = (word, isInverted) }
        }
        add(
            .kill,
            "maintenance",
            "maintenancemode",
            "inmaintenance",
            "ismaintenance",
            "killswitch",
            "kill",
            "apiinactive",
            "blocked",
            "down",
            "offline"
        )
        add(.kill, "available", "active", "enabled", "online", "apiactive", isInverted: true)
        add(
            .killMessage,
            "message",
            "text",
            "maintenancemessage",
            "maintenancetext",
            "userinfo",
            "reason"
        )
        add(.force, "forceupdate", "forcedupdate", "mustupdate", "updaterequired")
        add(.forceMessage, "forcemessage", "forceupdatemessage")
        add(
            .minimumVersion,
            "minversion",
            "minimumversion",
            "minimum",
            "requiredversion",
            "minsupportedversion",
            "minbuild",
            "minversioncode"
        )
        add(.requiredMessage, "updatemessage", "requiredmessage")
        add(
            .optionalVersion,
            "latestversion",
            "currentversion",
            "recommendedversion",
            "optionalversion",
            "latestbuild",
            "latest"
        )
        add(.optionalMessage, "optionalmessage", "latestmessage")
        add(.alertMessage, "notice", "banner", "announcement", "alertmessage")
        add(.storeURL, "storeurl", "updateurl", "appstoreurl", "downloadurl")
        add(.retryInterval, "retryinterval", "retryafter", "interval")
        return words
    }()
}
