package import GateJSON
package import GateModel

/// A feed of an app's own shape, as lists show it.
package struct ListedOwnFeed: TabledBody {
    package var name: String
    package var platform: PlatformKey?
    /// Its path on both listeners.
    package var path: String

    package init(name: String, platform: PlatformKey?, path: String) {
        self.name = name
        self.platform = platform
        self.path = path
    }

    package init(_ feed: OwnFeed, of app: AppKey) { self.init(name: feed.name.text, platform: feed.platform, path: feed.path(in: app)) }

    package static let table = FieldTable<ListedOwnFeed>(
        answer: "ListedOwnFeed",
        "A feed of an own shape",
        .needed("name", .string, \.name),
        .optional("platform", .platformKey, \.platform),
        .needed("path", .string, \.path),
        make: ListedOwnFeed.init(name:platform:path:)
    )
}

/// A feed of an app's own shape, with its template and the document that it makes at the moment.
package struct OwnFeedBody: TabledBody {
    package var name: String
    package var platform: PlatformKey?
    package var path: String
    package var template: String
    /// Refusals that were overridden when it was saved.
    package var accept: [String]
    /// The document's text, byte for byte.
    package var document: String

    package init(name: String, platform: PlatformKey?, path: String, template: String, accept: [String], document: String) {
        self.name = name
        self.platform = platform
        self.path = path
        self.template = template
        self.accept = accept
        self.document = document
    }

    package static let table = FieldTable<OwnFeedBody>(
        answer: "OwnFeed",
        "A feed of an own shape",
        .needed("name", .string, \.name),
        .optional("platform", .platformKey, \.platform),
        .needed("path", .string, \.path),
        .needed("template", .string, \.template),
        .needed("accept", .list(of: .string), \.accept),
        .needed("document", .string, \.document),
        make: OwnFeedBody.init(name:platform:path:template:accept:document:)
    )
}
