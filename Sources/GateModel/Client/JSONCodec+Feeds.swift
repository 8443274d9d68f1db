package import GateJSON

extension JSONCodec where Value == [FeedName: String] {
    /// One value per feed, in the feeds' order; a feed that only newer versions know is left out.
    /// - Parameter member: makes the schema of a feed's member from its name.
    package static func byFeed(_ member: @escaping @Sendable (String) -> JSONSchema.Member) -> JSONCodec {
        JSONCodec(.answer(nil, FeedName.allCases.map { member($0.rawValue) })) { value, _ in
            var texts = [FeedName: String](minimumCapacity: FeedName.allCases.count)
            for (name, text) in value.object?.members ?? [] {
                if let name = FeedName(rawValue: name) { texts[name] = text.string }
            }
            return texts
        } write: { texts in
            var object = JSONObject()
            for name in FeedName.allCases { object[name.rawValue] = texts[name].map(JSONValue.string) }
            return .object(object)
        }
    }

    /// The path of each feed.
    package static var feedPaths: JSONCodec { byFeed { .needed($0, .text) } }

    /// The SHA-256 of each feed's bytes, in lower-case hexadecimal.
    package static var feedDigests: JSONCodec { byFeed { .optional($0, .string(64...64, pattern: "^[0-9a-f]{64}$")) } }
}
