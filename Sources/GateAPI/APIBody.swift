package import GateJSON
package import GateModel

/// A document of the admin API as a Swift value.
///
/// Requests read strictly: an unknown member is refused. Answers read leniently: a newer server may add members.
package protocol APIBody: Sendable, Hashable {
    /// - Throws: malformed (400) or invalid (422) with the RFC 6901 pointer of the member at fault.
    init(json: JSONValue) throws(ModelError)

    /// The document, its members in the order of the design.
    var json: JSONValue { get }
}

extension Change: APIBody {}

/// A document as it came, for who hands it on without looking into it.
extension JSONValue: APIBody {
    package init(json: JSONValue) { self = json }

    package var json: JSONValue { self }
}
extension Plan: APIBody {}
extension Simulation: APIBody {}
