/// Header fields in the order they were sent or added. Names are compared without regard to case (RFC 9110 section 5.1).
///
/// A list and not a dictionary: a request has about ten fields, and a repeated field (`Set-Cookie`) must keep its place.
package struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the field can be sent without turning into two fields or a different one: the name is a token (RFC 9110 section 5.6.2),
        /// and the value has no CR, LF, NUL or other control character except tab (section 5.5).
        package var isSendable: Bool {
            !name.isEmpty && name.utf8.allSatisfy(ASCII.isToken) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
        }
    }

    package private(set) var fields: [Field]

    package init() {
        fields = []
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name, or nil. For a field that may only come once, such as `Authorization`,
    /// compare `values(of:)` with one element instead.
    package subscript(name: String) -> String? {
        fields.first { Self.sameName($0.name, name) }?.value
    }

    /// The values of every field of that name, in order.
    package func values(of name: String) -> [String] {
        fields.filter { Self.sameName($0.name, name) }.map(\.value)
    }

    /// Adds a field after the others, whether or not there is one of that name already.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Makes this the only field of that name.
    package mutating func set(_ name: String, _ value: String) {
        guard let first = fields.firstIndex(where: { Self.sameName($0.name, name) }) else { return append(name, value) }
        fields[first] = Field(name: name, value: value)
        var kept = first + 1
        while kept < fields.count {
            if Self.sameName(fields[kept].name, name) { fields.remove(at: kept) } else { kept += 1 }
        }
    }

    /// Removes every field of that name.
    package mutating func remove(_ name: String) {
        fields.removeAll { Self.sameName($0.name, name) }
    }

    package func makeIterator() -> IndexingIterator<[Field]> {
        fields.makeIterator()
    }

    /// Folds only ASCII letters: a field name is a token (RFC 9110 section 5.6.2), so it has no others.
    static func sameName(_ first: String, _ second: String) -> Bool {
        let (first, second) = (first.utf8, second.utf8)
        return first.count == second.count && zip(first, second).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
