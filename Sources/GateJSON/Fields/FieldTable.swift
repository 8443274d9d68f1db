/// A document declared once, as a table of its fields, from which it is read, written and described.
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
    /// Both are evaluated only for a schema: programs that only read documents never need one, and a table of tables would evaluate all of
    /// theirs.
    private let naming: @Sendable () -> String?
    private let describing: @Sendable () -> [JSONSchema.Member]
    private let reading: @Sendable (inout ObjectReader, _ isClosed: Bool) throws(ModelError) -> Document
    /// What writes each field. Kept as separate closures, because looking the fields up by their types takes longer than writing them.
    private let writers: [@Sendable (Document, inout JSONObject) -> Void]

    /// The schema of the document.
    package var schema: JSONSchema { isClosed ? .request(naming() ?? what, members) : .answer(naming(), members) }

    /// The schemas of its members, in order.
    package var members: [JSONSchema.Member] { describing() }

    /// The members' names, in order.
    package var names: [String] { members.map(\.name) }

    /// A document for requests: an unknown member is refused, and `null` is read as absent where a member may be missing.
    /// - Parameters:
    ///   - name: the name of its schema component.
    ///   - what: the document in words, as the start of an error's sentence.
    ///   - make: combines the fields' values, in order; may refuse values that contradict each other.
    package init<each Value>(
        request name: @autoclosure @escaping @Sendable () -> String,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name(), what, isClosed: true, repeat each field, make: make)
    }

    /// A document for answers: members that a newer server adds are ignored.
    /// - Parameter name: nil for a document whose schema is written out where it is used.
    package init<each Value>(
        answer name: @autoclosure @escaping @Sendable () -> String?,
        _ what: String,
        _ field: repeat Field<Document, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document
    ) {
        self.init(name(), what, isClosed: false, repeat each field, make: make)
    }

    /// A document for requests if `isClosed`, otherwise one for answers.
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
        // Writing does not check whether a name is already there.
        assert(Set(names).count == names.count, "\(what) has two members of one name")
    }

    private static func next(_ place: inout Int) -> Int {
        defer { place += 1 }
        return place
    }

    /// Which error to report for a document with errors. All members are read before any is refused: something malformed (400) is reported
    /// before a value that the rules refuse (422), wherever it stands.
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

    /// - Throws: malformed (400) or invalid (422), with the RFC 6901 pointer of the faulty member.
    package func read(_ json: JSONValue) throws(ModelError) -> Document {
        var reader = try ObjectReader(json, what, refusesOthers: isClosed)
        return try reading(&reader, isClosed)
    }

    /// Reads its members from an object that has others too, which are left unread.
    func read(from reader: inout ObjectReader) throws(ModelError) -> Document { try reading(&reader, false) }

    package func write(_ document: Document) -> JSONValue {
        var object = JSONObject()
        object.reserveCapacity(writers.count)
        write(document, to: &object)
        return .object(object)
    }

    /// Appends its members to an object.
    func write(_ document: Document, to object: inout JSONObject) { for write in writers { write(document, &object) } }
}

/// A document declared by a table.
package protocol TabledDocument: Sendable, Hashable {
    static var table: FieldTable<Self> { get }
}

extension TabledDocument {
    /// - Throws: malformed (400) or invalid (422), with the RFC 6901 pointer of the faulty member.
    package init(json: JSONValue) throws(ModelError) { self = try Self.table.read(json) }

    /// The document, with its members in the order of the table.
    package var json: JSONValue { Self.table.write(self) }

    package static var schema: JSONSchema { table.schema }
}
