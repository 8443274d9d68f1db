package import GateJSON
import GateModel

/// A document of the admin API as a Swift value: read, written and described.
///
/// Requests read strictly: an unknown member is refused. Answers read leniently: a newer server may add members.
package protocol APIBody: Sendable, Hashable {
    /// - Throws: malformed (400) or invalid (422) with the RFC 6901 pointer of the member at fault.
    init(json: JSONValue) throws(ModelError)

    /// The document, its members in the order of the design.
    var json: JSONValue { get }

    /// The form of the document, for the API's description.
    static var schema: JSONSchema { get }
}

/// A body that one table of fields declares.
package protocol TabledBody: APIBody, TabledDocument {}

/// A document as it came, for code that passes it on without looking into it.
extension JSONValue: APIBody {
    package init(json: JSONValue) { self = json }

    package var json: JSONValue { self }

    package static var schema: JSONSchema { .anything }
}

extension JSONCodec where Value: APIBody {
    /// A body inside another one.
    package static var body: JSONCodec {
        JSONCodec(Value.schema) { value, _ throws(ModelError) in
            try Value(json: value)
        } write: {
            $0.json
        }
    }
}
