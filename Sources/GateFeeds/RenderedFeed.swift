package import GateModel

/// One feed as phones receive it.
package struct RenderedFeed: Sendable, Hashable {
    package let name: FeedName
    /// The platform whose feed it is; nil for a feed of the whole app.
    package let platform: PlatformKey?
    /// Where it is served: `/feeds/shop/ios/bellerophon.json`.
    package let path: String
    /// Compact strict JSON in UTF-8: one object, no byte order mark, nothing after the closing brace. Equal states give equal bytes.
    package let bytes: [UInt8]

    package init(name: FeedName, platform: PlatformKey?, path: String, bytes: [UInt8]) {
        self.name = name
        self.platform = platform
        self.path = path
        self.bytes = bytes
    }
}
