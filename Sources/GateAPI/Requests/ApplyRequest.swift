package import GateJSON
import GateModel

/// Body of `POST /apply`: an export document that is to be made true.
package struct ApplyRequest: WriteRequest {
    /// The document as it came; ``ExportBody`` reads it.
    package var document: JSONValue
    /// Whether targets and apps that the document lacks go. Otherwise they stay.
    package var prune: Bool
    /// The sequence that the caller planned at, as a dry run answers it. Nil is refused with 428 unless nothing is going to be written.
    package var sequence: Int?
    package var terms: WriteTerms

    package init(document: JSONValue, prune: Bool = false, sequence: Int? = nil, terms: WriteTerms = WriteTerms()) {
        self.document = document
        self.prune = prune
        self.sequence = sequence
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An apply")
        document = try reader.needed("document")
        prune = try reader.flag("prune", default: false)
        sequence = try reader.optionalInteger("sequence")
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["document": document, "prune": .bool(prune)]
        if let sequence { object["sequence"] = .integer(sequence) }
        terms.write(to: &object)
        return .object(object)
    }
}
