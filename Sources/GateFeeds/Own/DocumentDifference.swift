package import GateJSON

/// One place in which two documents differ.
package struct DocumentDifference: Sendable {
    /// RFC 6901 pointer; empty for the whole document.
    package let place: String
    /// Nil if nothing is there.
    package let before: JSONValue?
    package let after: JSONValue?

    /// The deepest differing places, in the order of the first document. No pointers are built for equal parts, so the work is that of a
    /// comparison.
    package static func between(_ one: JSONValue, _ other: JSONValue) -> [DocumentDifference] {
        var found: [DocumentDifference] = []
        func walk(_ one: JSONValue?, _ other: JSONValue?, _ place: String) {
            switch (one, other) {
            case (.object(let one)?, .object(let other)?):
                let values = Dictionary(other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
                let known = Set(one.names)
                for (name, value) in one.members where value != values[name] {
                    walk(value, values[name], place + JSONPointer.member(name))
                }
                for (name, value) in other.members where !known.contains(name) { walk(nil, value, place + JSONPointer.member(name)) }
            case (.array(let one)?, .array(let other)?) where one.count == other.count:
                for (index, pair) in zip(one, other).enumerated() where pair.0 != pair.1 { walk(pair.0, pair.1, "\(place)/\(index)") }
            default: if one != other { found.append(DocumentDifference(place: place, before: one, after: other)) }
            }
        }
        walk(one, other, "")
        return found
    }

    /// Only their places.
    package static func places(_ one: JSONValue, _ other: JSONValue) -> [String] { between(one, other).map(\.place) }
}
