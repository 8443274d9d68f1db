/// Hands out the members of one object by name, and remembers which were asked for, so that an unknown name can be refused.
///
/// Foundation's decoders are not used for bodies: they keep one of two equal names, lose the order of members, and name a fault's
/// place in their own words and not as a pointer that a form can show beside its field.
public struct ObjectReader {
    private let object: JSONObject
    private let what: String
    /// A list, because it is looked through only where unknown names are refused.
    private var known: [String] = []

    /// - Parameter what: the object in words, as the start of a sentence: "A change".
    /// - Throws: malformed (400) when `json` is no object.
    public init(_ json: JSONValue, _ what: String) throws(ModelError) {
        guard let object = json.object else { throw .malformed("\(what) is an object, not \(json.kindInWords).") }
        self.object = object
        self.what = what
    }

    /// The member, or nil when it is missing or null.
    public mutating func optional(_ name: String) -> JSONValue? {
        known.append(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// The member, null included.
    /// - Throws: malformed (400) with the member's pointer when it is missing.
    public mutating func needed(_ name: String) throws(ModelError) -> JSONValue {
        known.append(name)
        guard let value = object[name] else { throw .malformed("\(what) needs a member \"\(name)\".", field: "/" + name) }
        return value
    }

    /// The member, null included, or nil when it is missing.
    mutating func present(_ name: String) -> JSONValue? {
        known.append(name)
        return object[name]
    }

    /// The members of these names, in the object's order.
    mutating func unread(_ names: Set<String>) -> JSONObject {
        known += names
        return JSONObject(uniqueMembers: object.members.filter { names.contains($0.name) })
    }

    /// Call last where unknown names are refused; leave out where a newer writer may add some.
    public func refuseOthers() throws(ModelError) {
        let known = Set(self.known)
        for name in object.names where !known.contains(name) {
            throw .malformed(
                "\(what) has no member \(JSONValue.string(String(name.prefix(80))).text); its members are \(known.sorted().joined(separator: ", ")).",
                field: JSONPointer.member(name)
            )
        }
    }
}

/// RFC 6901 pointers into a document.
public enum JSONPointer {
    /// One step of a pointer: `/` and the name, with `~` and `/` escaped as section 3 wants it; cut when somebody sends a very long name.
    public static func member(_ name: String) -> String {
        "/" + String(name.prefix(80).flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }
}
