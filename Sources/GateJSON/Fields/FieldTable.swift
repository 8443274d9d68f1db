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
    private let what: String
    private let isClosed: Bool
    /// Both are made when a description asks for them: who only reads documents never does, and a table of tables would make all of theirs.
    private let naming: @Sendable () -> String?
    private let describing: @Sendable () -> [JSONSchema.Member]
    private let reading: @Sendable (inout ObjectReader, _ isClosed: Bool) throws(ModelError) -> Document
    /// What writes each field: by themselves, since to look the fields up by their types costs more than to write them.
    private let writers: [@Sendable (Document, inout JSONObject) -> Void]

    /// What the document looks like.
    package var schema: JSONSchema { isClosed ? .request(naming() ?? what, members) : .answer(naming(), members) }

    /// What its members look like, in their order.
    package var members: [JSONSchema.Member] { describing() }

    /// The members' names, in their order.
    package var names: [String] { members.map(\.name) }

    /// A document that is sent: an unknown member is refused, and `null` where a member may be missing is read as its absence.
    /// - Parameters:
    ///   - name: its component's name in a description.
    ///   - what: the document in words, as the start of an error's sentence.
    ///   - make: puts the fields' values together, in their order; may refuse what contradicts itself.
    package init<each Value>(
        request name: @autoclosure @escaping @Sendable () -> String,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name(), what, isClosed: true, repeat each field, make: make)
    }

    /// A document that is answered: members that a newer server adds are left out.
    /// - Parameter name: nil for one that is described where it is used.
    package init<each Value>(
        answer name: @autoclosure @escaping @Sendable () -> String?,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name(), what, isClosed: false, repeat each field, make: make)
    }

    /// A document that is sent where `isClosed`, else one that is answered.
    package init<each Value>(
        _ name: @autoclosure @escaping @Sendable () -> String?,
        _ what: String,
        isClosed: Bool,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        naming = name
        self.what = what
        self.isClosed = isClosed
        describing = {
            var members: [JSONSchema.Member] = []
            // swift-format-ignore: NoAssignmentInExpressions
            repeat members += (each field).schema
            return members
        }
        var writers: [@Sendable (Document, inout JSONObject) -> Void] = []
        repeat writers.append((each field).write)
        self.writers = writers
        var list: [any FieldReading] = []
        repeat list.append(TypedFieldReading((each field).read))
        let readings = list
        reading = { reader, isClosed throws(ModelError) in
            let start = reader
            var place = 0
            let values: (repeat each Value)
            do throws(ModelError) { values = (repeat try readings[Self.next(&place)].value((each Value).self, &reader)) } catch {
                throw Self.foremost(after: error, in: start, isClosed, readings)
            }
            if isClosed { try reader.refuseOthers() }
            return try make(repeat each values)
        }
        // What writes them does not look whether one is there.
        assert(Set(names).count == names.count, "\(what) has two members of one name")
    }

    private static func next(_ place: inout Int) -> Int {
        defer { place += 1 }
        return place
    }

    /// What to say of a document in which something is wrong. All members are looked at before any is refused: what is malformed (400) is
    /// said before a value that the rules refuse (422), wherever it stands.
    private static func foremost(
        after first: ModelError,
        in start: ObjectReader,
        _ isClosed: Bool,
        _ readings: [any FieldReading]
    ) -> ModelError {
        var reader = start
        for field in readings {
            do throws(ModelError) { try field.attempt(&reader) } catch { if error.kind == .malformed { return error } }
        }
        if isClosed { do throws(ModelError) { try reader.refuseOthers() } catch { return error } }
        return first
    }

    /// - Throws: malformed (400) or invalid (422) with the RFC 6901 pointer of the member at fault.
    package func read(_ json: JSONValue) throws(ModelError) -> Document {
        var reader = try ObjectReader(json, what, refusesOthers: isClosed)
        return try reading(&reader, isClosed)
    }

    /// Reads the members among others, which stay unread.
    func read(from reader: inout ObjectReader) throws(ModelError) -> Document { try reading(&reader, false) }

    package func write(_ document: Document) -> JSONValue {
        var object = JSONObject()
        object.reserveCapacity(writers.count)
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
