package import GateJSON
package import GateModel

/// Body of `POST /import`: the file that an app polls today, to be taken over.
package struct ImportRequest: TabledBody, WriteRequest {
    package var app: String
    package var format: ImportFormat
    /// The file's text, unparsed: reading it is the import's work.
    package var document: String
    /// Which platform a file that names none is for; a Bellerophon file means `ios` unless this says otherwise.
    package var platform: String?
    /// What the values of a file of the app's own shape mean: `$.maintenance=kill`. Nil lets a dry run propose it.
    package var map: [String]?
    /// The name of the feed that a file of the app's own shape becomes; nil for the default.
    package var name: String?
    /// True: what is refused is left out and the rest is written. False: one refusal refuses the whole.
    package var skipInvalid: Bool
    /// The revision that the caller saw of each platform that the file touches.
    package var revisions: [String: Int]
    package var terms: WriteTerms

    package init(
        app: String,
        format: ImportFormat = .auto,
        document: String,
        platform: String? = nil,
        map: [String]? = nil,
        name: String? = nil,
        skipInvalid: Bool = false,
        revisions: [String: Int] = [:],
        terms: WriteTerms = WriteTerms()
    ) {
        self.app = app
        self.format = format
        self.document = document
        self.platform = platform
        self.map = map
        self.name = name
        self.skipInvalid = skipInvalid
        self.revisions = revisions
        self.terms = terms
    }

    package static let table = FieldTable<ImportRequest>(
        request: "ImportRequest",
        "An import",
        .needed("app", .key, \.app),
        .optional("format", .word, \.format, standard: .auto, isTold: true),
        .needed("document", .string, \.document),
        .optional("platform", .key, \.platform),
        .optional("map", .list(of: .string, 0...TakeoverProof.mostMeanings), \.map),
        .optional("name", .key, \.name),
        .optional("skipInvalid", .flag, \.skipInvalid, standard: false, isTold: true),
        .optional("revisions", .map(of: .integer(0...)), \.revisions, standard: [:], isTold: true),
        .terms(\.terms),
        make: ImportRequest.init
    )
}
