package import GateJSON

extension JSONSchema {
    /// The key of an app or of a platform.
    package static let appKey = string(AppKey.lengths, pattern: AppKey.pattern)
}

extension JSONCodec where Value == AppKey {
    package static var appKey: JSONCodec {
        JSONCodec(.appKey) { value, name throws(ModelError) in
            try AppKey(validating: JSONCodec<String>.string.read(value, name))
        } write: {
            .string($0.text)
        }
    }
}

extension JSONCodec where Value == PlatformKey {
    package static var platformKey: JSONCodec {
        JSONCodec(.appKey) { value, name throws(ModelError) in
            try PlatformKey(validating: JSONCodec<String>.string.read(value, name))
        } write: {
            .string($0.text)
        }
    }
}

extension Field where Value == TargetKey {
    /// The members `app` and `platform`.
    package static func target(_ value: @escaping @Sendable (Document) -> TargetKey) -> Field {
        Field(schema: [.needed("app", .appKey), .needed("platform", .appKey)]) { reader throws(ModelError) in
            let (app, platform) = (try reader.value("app", .appKey), try reader.value("platform", .platformKey))
            return TargetKey(app: app, platform: platform)
        } write: { document, object in
            let key = value(document)
            object["app"] = .string(key.app.text)
            object["platform"] = .string(key.platform.text)
        }
    }
}
