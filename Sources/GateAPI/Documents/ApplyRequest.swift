package import GateJSON
package import GateModel

/// Body of `POST /apply`: an export document whose state is to be put in force.
package struct ApplyRequest: TabledBody, WriteRequest {
    /// The document as it came; ``ExportBody`` reads it.
    package var document: JSONValue
    /// Whether targets and apps that are missing from the document are removed. Otherwise they stay.
    package var prune: Bool
    /// The sequence that the caller planned at, as a dry run answers it. Nil is refused with 428 unless nothing would be written.
    package var sequence: Int?
    package var terms: WriteTerms

    package init(document: JSONValue, prune: Bool = false, sequence: Int? = nil, terms: WriteTerms = WriteTerms()) {
        self.document = document
        self.prune = prune
        self.sequence = sequence
        self.terms = terms
    }

    package static let table = FieldTable<ApplyRequest>(
        request: "ApplyRequest",
        "An apply",
        .needed("document", JSONCodec.anything.described(as: ExportBody.requestSchema), \.document),
        .optional("prune", .flag, \.prune, standard: false, isTold: true),
        .optional("sequence", .integer(0...), \.sequence),
        .terms(\.terms),
        make: ApplyRequest.init
    )
}
