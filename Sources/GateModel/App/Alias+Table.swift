package import GateJSON

extension Alias {
    /// As requests give it.
    static let asked = table("AliasRequest", isClosed: true, path: .aliasPath)
    /// As this program stored it. Its path stays valid even if Gatehouse has since reserved it.
    static let kept = table(nil, isClosed: true, path: .string)
    /// As a server sends it: members that a newer server adds are ignored, and which paths are allowed is for that server to decide.
    static let told = table("Alias", isClosed: false, path: .string)

    private static func table(_ name: String?, isClosed: Bool, path: JSONCodec<String>) -> FieldTable<Alias> {
        FieldTable(
            name,
            "An alias",
            isClosed: isClosed,
            .needed("path", path, \.path),
            .needed("feed", .aliasedFeed, \.feed),
            .optional("platform", .platformKey, \.platform)
        ) { path, feed, platform throws(ModelError) in
            // Whether a feed of the app's own shape is per platform, only the app knows.
            if let library = feed.library, library.isPerPlatform != (platform != nil) {
                throw .invalid(
                    "invalid_alias",
                    library.isPerPlatform
                        ? "\(feed.fileName) is a feed of one platform: name it in \"platform\"."
                        : "\(feed.fileName) is a feed of the whole app: leave \"platform\" out.",
                    field: "/platform"
                )
            }
            return Alias(path: path, feed: feed, platform: platform)
        }
    }
}

extension JSONCodec where Value == Alias {
    /// An alias as requests give it.
    package static var askedAlias: JSONCodec { document(Alias.asked) }

    /// An alias as a server sends it.
    package static var alias: JSONCodec { document(Alias.told) }
}

extension JSONCodec where Value == String {
    fileprivate static var aliasPath: JSONCodec {
        JSONCodec(.string(Alias.pathLengths, pattern: Alias.pattern)) { value, name throws(ModelError) in
            let path = try string.read(value, name)
            try Alias.check(path: path)
            return path
        } write: {
            .string($0)
        }
    }
}

extension JSONCodec where Value == AliasedFeed {
    /// One of Gatehouse's documents, or one of the app's own shape.
    fileprivate static var aliasedFeed: JSONCodec {
        let files = FeedName.allCases.map(\.fileName)
        return JSONCodec(.either(.word(files), .string(pattern: "^own/\(OwnFeedName.form)[.]json$"))) { value, name throws(ModelError) in
            guard let feed = AliasedFeed(fileName: try JSONCodec<String>.string.read(value, name)) else {
                throw .invalid("invalid_alias", "\(name) is one of \(files.joined(separator: ", ")), or own/NAME.json.")
            }
            return feed
        } write: {
            .string($0.fileName)
        }
    }
}
