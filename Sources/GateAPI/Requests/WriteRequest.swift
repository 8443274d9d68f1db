import GateJSON
package import GateModel

extension Field where Value == WriteTerms {
    /// The four members of the terms, among the body's own.
    static func terms(_ value: @escaping @Sendable (Document) -> WriteTerms) -> Field { .inlined(WriteTerms.table, value) }
}

/// A body that asks for a write.
package protocol WriteRequest: APIBody {
    var terms: WriteTerms { get }
}
