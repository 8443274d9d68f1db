/// A document declared once, as the table of its fields: read, written and described by it.
///
/// For example:
///
/// ```swift
/// package static let table = FieldTable<SessionRequest>(
///     request: "SessionRequest", "A sign-in",
///     .needed("username", .string, \.username), .needed("password", .string, \.password), .optional("totp", .string, \.totp),
///     make: SessionRequest.init
/// )
/// ```
package struct FieldTable<Document>: Sendable {
    /// What the document looks like.
    package let schema: JSONSchema
    /// What its members look like, in their order.
    package let members: [JSONSchema.Member]
    private let what: String
    private let isClosed: Bool
    private let reading: @Sendable (inout ObjectReader, _ isClosed: Bool) throws(ModelError) -> Document
    /// What writes each field: by themselves, since to look the fields up by their types costs more than to write them.
    private let writers: [@Sendable (Document, inout JSONObject) -> Void]

    /// The members' names, in their order.
    package var names: [String] { members.map(\.name) }

    /// A document that is sent: an unknown member is refused, and `null` where a member may be missing is read as its absence.
    /// - Parameters:
    ///   - name: its component's name in a description.
    ///   - what: the document in words, as the start of an error's sentence.
    ///   - make: puts the fields' values together, in their order; may refuse what contradicts itself.
    package init<each Value>(
        request name: String,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name, what, isClosed: true, repeat each field, make: make)
    }

    /// A document that is answered: members that a newer server adds are left out.
    /// - Parameter name: nil for one that is described where it is used.
    package init<each Value>(
        answer name: String?,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name, what, isClosed: false, repeat each field, make: make)
    }

    /// A document that is sent where `isClosed`, else one that is answered.
    package init<each Value>(
        _ name: String?,
        _ what: String,
        isClosed: Bool,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        var members: [JSONSchema.Member] = []
        // swift-format-ignore: NoAssignmentInExpressions
        repeat members += (each field).schema
        var writers: [@Sendable (Document, inout JSONObject) -> Void] = []
        repeat writers.append((each field).write)
        self.writers = writers
        // What writes them does not look whether one is there.
        assert(Set(members.map(\.name)).count == members.count, "\(what) has two members of one name")
        self.members = members
        self.what = what
        self.isClosed = isClosed
        schema = isClosed ? .request(name ?? what, members) : .answer(name, members)
        reading = { reader, isClosed throws(ModelError) in
            let start = reader
            let values: (repeat each Value)
            do throws(ModelError) { values = (repeat try (each field).read(&reader)) } catch {
                throw Self.foremost(after: error, in: start, isClosed, repeat each field)
            }
            if isClosed { try reader.refuseOthers() }
            return try make(repeat each values)
        }
    }

    /// What to say of a document in which something is wrong. All members are looked at before any is refused: what is malformed (400) is
    /// said before a value that the rules refuse (422), wherever it stands.
    private static func foremost<each Value>(
        after first: ModelError,
        in start: ObjectReader,
        _ isClosed: Bool,
        _ field: repeat Field<Document, each Value>
    ) -> ModelError {
        var reader = start
        for field in repeat each field {
            do throws(ModelError) { _ = try field.read(&reader) } catch { if error.kind == .malformed { return error } }
        }
        if isClosed { do throws(ModelError) { try reader.refuseOthers() } catch { return error } }
        return first
    }

    /// - Throws: malformed (400) or invalid (422) with the RFC 6901 pointer of the member at fault.
    package func read(_ json: JSONValue) throws(ModelError) -> Document {
        var reader = try ObjectReader(json, what)
        return try reading(&reader, isClosed)
    }

    /// Reads the members among others, which stay unread.
    func read(from reader: inout ObjectReader) throws(ModelError) -> Document { try reading(&reader, false) }

    package func write(_ document: Document) -> JSONValue {
        var object = JSONObject()
        object.reserveCapacity(members.count)
        write(document, to: &object)
        return .object(object)
    }

    /// Writes the members behind others.
    func write(_ document: Document, to object: inout JSONObject) { for write in writers { write(document, &object) } }
}

/// A document that one table declares.
package protocol TabledDocument: Sendable, Hashable {
    static var table: FieldTable<Self> { get }
}

extension TabledDocument {
    /// - Throws: malformed (400) or invalid (422) with the RFC 6901 pointer of the member at fault.
    package init(json: JSONValue) throws(ModelError) { self = try Self.table.read(json) }

    /// The document, its members in the order of the table.
    package var json: JSONValue { Self.table.write(self) }

    package static var schema: JSONSchema { table.schema }
}
