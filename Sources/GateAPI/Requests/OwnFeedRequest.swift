package import GateJSON
package import GateModel

/// Body of `PUT /apps/{app}/own-feeds/{name}`: the whole feed, which replaces an existing one.
package struct OwnFeedRequest: TabledBody, WriteRequest {
    /// Checked by the service: a bad key is 422 `invalid_platform_key`. Nil for a feed of the whole app.
    package var platform: String?
    /// The template's text, byte for byte: its order, numbers and white space are those of the documents.
    package var template: String
    /// The file that phones poll today, so that the plan can say where the feed differs from it. It is not kept.
    package var sample: String?
    /// `template` as the caller read it, and `null` where there was no such feed: with another in force by now it is 412 `stale_values`.
    /// Nil to replace whatever is there.
    package var seen: JSONObject?
    package var terms: WriteTerms

    package init(
        platform: String? = nil,
        template: String,
        sample: String? = nil,
        seen: JSONObject? = nil,
        terms: WriteTerms = WriteTerms()
    ) {
        self.platform = platform
        self.template = template
        self.sample = sample
        self.seen = seen
        self.terms = terms
    }

    package static let table = FieldTable<OwnFeedRequest>(
        request: "OwnFeedRequest",
        "A feed of an own shape",
        .optional("platform", .key, \.platform),
        .needed("template", .string, \.template),
        .optional("sample", .string, \.sample),
        .optional("seen", .seen("SeenOwnFeed", ["template"]), \.seen),
        .terms(\.terms),
        make: OwnFeedRequest.init
    )
}
