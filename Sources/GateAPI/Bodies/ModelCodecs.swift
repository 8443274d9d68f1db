import GateJSON
import GateModel

// The model's values in bodies.

extension JSONCodec where Value == String {
    /// An app's or a platform's key that the body does not check: what cannot be one is not found (404), like any other that is not there.
    static var key: JSONCodec { string(AppKey.lengths, pattern: AppKey.pattern) }

    /// A version of either scheme; the platform's own is looked at when it is known.
    static var version: JSONCodec { string(VersionScheme.lengths) }
}

extension JSONCodec where Value == AppKey {
    static var appKey: JSONCodec {
        JSONCodec(.appKey) { value, name throws(ModelError) in
            try AppKey(validating: JSONCodec<String>.string.read(value, name))
        } write: {
            .string($0.text)
        }
    }
}

extension JSONCodec where Value == PlatformKey {
    static var platformKey: JSONCodec {
        JSONCodec(.appKey) { value, name throws(ModelError) in
            try PlatformKey(validating: JSONCodec<String>.string.read(value, name))
        } write: {
            .string($0.text)
        }
    }
}

extension JSONCodec where Value == AppScope {
    /// Keys of apps, or `null` for all.
    static var scope: JSONCodec {
        JSONCodec(.scope) { value, _ throws(ModelError) in
            try AppScope(json: value)
        } write: {
            $0.json
        }
    }
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

extension JSONCodec where Value == PlatformSettings {
    /// As a server tells them.
    static var settings: JSONCodec {
        JSONCodec(.settings) { value, _ throws(ModelError) in
            try PlatformSettings(lenient: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == Gate {
    /// As a server tells it.
    static var gate: JSONCodec {
        JSONCodec(.gate) { value, _ throws(ModelError) in
            try Gate(lenient: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == GateEdit {
    static var edit: JSONCodec {
        JSONCodec(.edit) { value, _ throws(ModelError) in
            try GateEdit(json: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == ZonedTime {
    /// A time as somebody asks for it.
    static var askedTime: JSONCodec {
        JSONCodec(.askedTime) { value, _ throws(ModelError) in
            try ZonedTime(request: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == Actor {
    static var actor: JSONCodec {
        JSONCodec(.actor) { value, _ throws(ModelError) in
            try Actor(json: value)
        } write: {
            $0.json
        }
    }
}

extension Field where Value == TargetKey {
    /// The members `app` and `platform`.
    static func target(_ path: any KeyPath<Document, TargetKey> & Sendable) -> Field {
        Field(schema: [.needed("app", .appKey), .needed("platform", .appKey)]) { reader throws(ModelError) in
            try TargetKey(reading: &reader)
        } write: { document, object in
            let key = document[keyPath: path]
            object["app"] = .string(key.app.text)
            object["platform"] = .string(key.platform.text)
        }
    }
}

extension JSONCodec where Value == [FeedName: String] {
    /// Where each feed is, in their order; a feed that this version does not know is left out.
    static var feedPaths: JSONCodec {
        JSONCodec(.answer(nil, FeedName.allCases.map { .needed($0.rawValue, .text) })) { value, _ in
            var paths: [FeedName: String] = [:]
            for (name, path) in value.object?.members ?? [] {
                if let name = FeedName(rawValue: name) { paths[name] = path.string }
            }
            return paths
        } write: { paths in
            var object = JSONObject()
            for name in FeedName.allCases { object[name.rawValue] = paths[name].map(JSONValue.string) }
            return .object(object)
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
