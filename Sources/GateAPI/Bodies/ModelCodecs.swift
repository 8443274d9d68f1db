import GateJSON
import GateModel

// The model's values in bodies.

extension JSONCodec where Value == String {
    /// An app's or a platform's key that the body does not check: what cannot be one is not found (404), like any other that is not there.
    static var key: JSONCodec { string(AppKey.lengths, pattern: AppKey.pattern) }
}

extension JSONCodec where Value == AppScope {
    /// Keys of apps, or `null` for all.
    static var scope: JSONCodec {
        JSONCodec(.nullable(.array(of: .appKey))) { value, _ throws(ModelError) in
            try AppScope(json: value)
        } write: {
            $0.json
        }
    }
}

extension JSONSchema {
    /// One of Gatehouse's documents, or one of the app's own shape.
    private static let aliasedFeed = either(
        word(FeedName.allCases.map(\.fileName)),
        string(pattern: "^own/\(OwnFeedName.form)[.]json$")
    )

    static let alias = answer("Alias", [.needed("path", text), .needed("feed", aliasedFeed), .optional("platform", appKey)])

    static let aliasRequest = request(
        "AliasRequest",
        [.needed("path", string(Alias.pathLengths, pattern: Alias.pattern)), .needed("feed", aliasedFeed), .optional("platform", appKey)]
    )
}

extension JSONCodec where Value == Alias {
    /// An alias as somebody asks for it.
    static var askedAlias: JSONCodec {
        JSONCodec(.aliasRequest) { value, _ throws(ModelError) in
            try Alias(json: value)
        } write: {
            $0.json
        }
    }

    /// An alias as a server tells it.
    static var alias: JSONCodec {
        JSONCodec(.alias) { value, _ throws(ModelError) in
            var known = JSONObject()
            for name in ["path", "feed", "platform"] { known[name] = value.object?[name] }
            return try Alias(json: .object(known))
        } write: {
            $0.json
        }
    }
}

extension JSONCodec {
    /// Something for each platform, by its key.
    static func platforms<Element>(of element: JSONCodec<Element>) -> JSONCodec where Value == [PlatformKey: Element] {
        map(of: element, names: AppKey.pattern) { name throws(ModelError) in
            try PlatformKey(validating: name)
        } name: {
            $0.text
        }
    }
}
