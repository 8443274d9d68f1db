package import GateJSON

extension OwnFeed {
    static let table = FieldTable<OwnFeed>(
        request: "OwnFeedDocument",
        "A feed of an own shape",
        .needed("name", .ownFeedName, \.name),
        .optional("platform", .platformKey, \.platform),
        .needed("template", .template, \.template),
        .optional("accept", .acceptsTypeChanges, \.acceptsTypeChanges, standard: false),
        make: OwnFeed.init
    )

    /// As a server sends it; this schema has a name of its own.
    package static let toldSchema = JSONSchema.answer("ExportedOwnFeed", table.members)
}

extension JSONCodec where Value == OwnFeed {
    package static var ownFeed: JSONCodec { document(OwnFeed.table) }
}

extension JSONCodec where Value == OwnFeedName {
    /// The name of a feed of an app's own shape.
    package static var ownFeedName: JSONCodec {
        JSONCodec(.string(AppKey.lengths, pattern: OwnFeedName.pattern)) { value, name throws(ModelError) in
            try OwnFeedName(validating: JSONCodec<String>.string.read(value, name))
        } write: {
            .string($0.text)
        }
    }
}

extension JSONCodec where Value == String {
    fileprivate static var template: JSONCodec {
        JSONCodec(.text) { value, name throws(ModelError) in
            let text = try string.read(value, name)
            guard text.utf8.count <= OwnFeed.mostBytes else {
                throw .invalid("template_too_large", "A template has at most \(OwnFeed.mostBytes) bytes, not \(text.utf8.count).")
            }
            return text
        } write: {
            .string($0)
        }
    }
}

extension JSONCodec where Value == Bool {
    /// A list of what is accepted; only one word can be in it.
    fileprivate static var acceptsTypeChanges: JSONCodec {
        let accepted = JSONCodec<[String]>.list(of: .string)
        return JSONCodec(.array(of: .word([OwnFeed.typeChanges]))) { value, name throws(ModelError) in
            let words = try accepted.read(value, name)
            if let index = words.firstIndex(where: { $0 != OwnFeed.typeChanges }) {
                throw .malformed("\(name) holds \"\(OwnFeed.typeChanges)\" and nothing else.", field: "/\(index)")
            }
            return !words.isEmpty
        } write: { accepts in
            .array(accepts ? [.string(OwnFeed.typeChanges)] : [])
        }
    }
}
