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
    ///
    /// Texts and names are the same only if they have the same characters. To Swift a composed and a decomposed `é` are equal; to a
    /// library that remembers what somebody has dismissed, or looks a name up, they are not.
    package static func between(_ one: JSONValue, _ other: JSONValue) -> [DocumentDifference] {
        var found: [DocumentDifference] = []
        func walk(_ one: JSONValue?, _ other: JSONValue?, _ place: String) {
            switch (one, other) {
            case (.object(let one)?, .object(let other)?):
                let (values, known) = (other.byExactName, one.byExactName)
                for (name, value) in one.members {
                    let next = values[Array(name.utf8)]
                    if next.map({ !value.isExactly($0) }) ?? true { walk(value, next, place + JSONPointer.member(name)) }
                }
                for (name, value) in other.members where known[Array(name.utf8)] == nil {
                    walk(nil, value, place + JSONPointer.member(name))
                }
            case (.array(let one)?, .array(let other)?) where one.count == other.count:
                for (index, pair) in zip(one, other).enumerated() where !pair.0.isExactly(pair.1) {
                    walk(pair.0, pair.1, "\(place)/\(index)")
                }
            case (let one?, let other?) where one.isExactly(other): break
            default: found.append(DocumentDifference(place: place, before: one, after: other))
            }
        }
        walk(one, other, "")
        return found
    }

    /// Only their places.
    package static func places(_ one: JSONValue, _ other: JSONValue) -> [String] { between(one, other).map(\.place) }
}

extension JSONValue {
    /// Whether it is the same document, with texts and names compared by their characters as they are.
    fileprivate func isExactly(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let other)): return one.isExactly(other)
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { $0.isExactly($1) }
        case (.object(let one), .object(let other)):
            guard one.members.count == other.members.count else { return false }
            // The order is nearly always the same.
            if zip(one.members, other.members).allSatisfy({ $0.name.isExactly($1.name) }) {
                return zip(one.members, other.members).allSatisfy { $0.value.isExactly($1.value) }
            }
            let values = other.byExactName
            return one.members.allSatisfy { member in values[Array(member.name.utf8)].map(member.value.isExactly) ?? false }
        default: return self == other
        }
    }
}

extension JSONObject {
    /// The values by the characters of their names. A document can have two names that Swift calls equal.
    fileprivate var byExactName: [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// Whether it has the same characters as another text.
    fileprivate func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
