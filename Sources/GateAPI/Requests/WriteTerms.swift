import GateJSON
package import GateModel

extension Field where Value == WriteTerms {
    /// The four members of the terms, among the body's own.
    static func terms(_ path: any KeyPath<Document, WriteTerms> & Sendable) -> Field { .inlined(WriteTerms.table, path) }
}

/// A body that asks for a write.
package protocol WriteRequest: APIBody {
    var terms: WriteTerms { get set }
}

extension WriteRequest {
    package var reason: String? { terms.reason }
    package var confirm: String? { terms.confirm }
    package var dryRun: Bool { terms.dryRun }
    package var accept: [String] { terms.accept }
}
