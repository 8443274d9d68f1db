/// Hands out the members of one object by name, and remembers which were asked for, so unknown names can be refused.
///
/// Foundation's decoders are not used for bodies: they keep one of two equal names, lose the order of members, and describe the place of a
/// fault in their own words rather than as a pointer that lets a form show it beside its field.
public struct ObjectReader {
    private let object: JSONObject
    private let what: String
    /// Where the search for the next member starts: members are mostly asked for in the order in which they were written.
    private var place = 0
    private let refusesOthers: Bool
    /// The names that were asked for, recorded only where others are refused.
    private var known: [String] = []

    /// - Parameters:
    ///   - what: the object in words, as the start of a sentence: "A change".
    ///   - refusesOthers: whether ``refuseOthers()`` refuses names that were not asked for; false where a newer writer may add members.
    /// - Throws: malformed (400) if `json` is not an object.
    package init(_ json: JSONValue, _ what: String, refusesOthers: Bool) throws(ModelError) {
        guard let object = json.object else { throw .malformed("\(what) is an object, not \(json.kindInWords).") }
        self.object = object
        self.what = what
        self.refusesOthers = refusesOthers
    }

    /// The member, or nil if it is missing or null.
    public mutating func optional(_ name: String) -> JSONValue? {
        guard let value = present(name), !value.isNull else { return nil }
        return value
    }

    /// The member; may be null.
    /// - Throws: malformed (400), with the member's pointer, if it is missing.
    public mutating func needed(_ name: String) throws(ModelError) -> JSONValue {
        guard let value = present(name) else { throw .malformed("\(what) needs a member \"\(name)\".", field: "/" + name) }
        return value
    }

    /// The member, which may be null, or nil if it is missing.
    mutating func present(_ name: String) -> JSONValue? {
        if refusesOthers { known.append(name) }
        let members = object.members
        // From behind the last one found to the end, then from the start.
        for index in members.indices[place...] where members[index].name == name {
            place = index + 1
            return members[index].value
        }
        for index in 0..<place where members[index].name == name {
            place = index + 1
            return members[index].value
        }
        return nil
    }

    /// The members with these names, in the object's order.
    mutating func unread(_ names: Set<String>) -> JSONObject {
        if refusesOthers { known += names }
        return JSONObject(uniqueMembers: object.members.filter { names.contains($0.name) })
    }

    /// Call this last.
    /// - Throws: malformed (400) with the pointer of a member that was not asked for, if such members are refused.
    package func refuseOthers() throws(ModelError) {
        guard refusesOthers else { return }
        let known = Set(self.known)
        for name in object.names where !known.contains(name) {
            throw .malformed(
                "\(what) has no member \(JSONValue.quoted(name)); its members are \(known.sorted().joined(separator: ", ")).",
                field: JSONPointer.member(name)
            )
        }
    }
}

/// RFC 6901 pointers into a document.
public enum JSONPointer {
    /// One step of a pointer: `/` and the name, with `~` and `/` escaped as in section 3; a very long name is cut.
    public static func member(_ name: String) -> String {
        "/" + String(name.prefix(80).flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }
}
