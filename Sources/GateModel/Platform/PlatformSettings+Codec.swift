public import GateJSON

/// Whole settings as a server tells them.
extension JSONSchema {
    private static let interval = integer(PlatformSettings.retryIntervals)

    package static let settings = answer(
        "Settings",
        [
            .needed("versionScheme", word(VersionScheme.allCases.map(\.rawValue))), .needed("storeURL", nullable(text)),
            .needed("releases", array(of: version)), .needed("defaultRetryInterval", interval),
            .needed("clients", nullable(array(of: word(ClientLibrary.allCases.map(\.rawValue))))),
        ]
    )

    /// The members of settings as somebody asks for them, each of which may be left out.
    package static let settingsMembers: [Member] = [
        .optional("versionScheme", word(VersionScheme.allCases.map(\.rawValue))),
        .optional("storeURL", nullable(string(PlatformSettings.storeURLLengths, pattern: "^https://"))),
        .optional("releases", array(of: version, 0...GateLimits.versions)), .optional("defaultRetryInterval", interval),
        .optional("clients", nullable(array(of: word(ClientLibrary.allCases.map(\.rawValue)), 1...ClientLibrary.allCases.count))),
    ]
}

extension PlatformSettings {
    /// Reads whole settings as a client does: a setting or a client library that this version does not know is left out.
    public init(lenient json: JSONValue) throws(ModelError) {
        guard let object = json.object else { throw .malformed("The settings are an object, not \(json.kindInWords).") }
        let standard = PlatformSettings(versionScheme: .dotted)
        var known = JSONObject()
        for name in standard.json.object?.names ?? [] { known[name] = object[name] }
        if let names = known["clients"]?.array {
            let clients = names.filter { $0.string.flatMap(ClientLibrary.init(rawValue:)) != nil }
            // Of an app that uses only libraries which this version does not know, nothing is known.
            known["clients"] = clients.isEmpty ? .null : .array(clients)
        }
        self = standard
        try apply(json: .object(known), from: .kept)
    }
}

extension JSONCodec where Value == PlatformSettings {
    /// As a server tells them.
    package static var settings: JSONCodec {
        JSONCodec(.settings) { value, _ throws(ModelError) in
            try PlatformSettings(lenient: value)
        } write: {
            $0.json
        }
    }
}
