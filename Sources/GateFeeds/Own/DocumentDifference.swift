package import GateJSON

/// In which places two documents say something else.
package enum DocumentDifference {
    /// RFC 6901 pointers, in the order of the first document; the deepest place of each difference.
    package static func places(_ one: JSONValue, _ other: JSONValue) -> [String] {
        var places: [String] = []
        func walk(_ one: JSONValue?, _ other: JSONValue?, _ place: String) {
            switch (one, other) {
            case (.object(let one)?, .object(let other)?):
                let values = Dictionary(other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
                let known = Set(one.names)
                for (name, value) in one.members { walk(value, values[name], place + JSONPointer.member(name)) }
                for (name, value) in other.members where !known.contains(name) { walk(nil, value, place + JSONPointer.member(name)) }
            case (.array(let one)?, .array(let other)?) where one.count == other.count:
                for (index, pair) in zip(one, other).enumerated() { walk(pair.0, pair.1, "\(place)/\(index)") }
            default: if one != other { places.append(place) }
            }
        }
        walk(one, other, "")
        return places
    }
}

extension JSONValue {
    /// What stands at an RFC 6901 pointer; nil where nothing does.
    package func value(at pointer: String) -> JSONValue? {
        var value: JSONValue? = self
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            switch value {
            case .object(let object):
                value = object.members.first { JSONPointer.member($0.name).dropFirst() == step }?.value
            case .array(let items): value = Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
            default: return nil
            }
        }
        return value
    }
}
