/// Reads the members of one object by name and type, and remembers which were asked for, so that an unknown name can be refused.
///
/// Foundation's decoders are not used for bodies: they keep one of two equal names, lose the order of members, and name a fault's
/// place in their own words and not as a pointer that a form can show beside its field.
public struct ObjectReader {
    private let object: JSONObject
    private let what: String
    private var known: Set<String> = []

    /// - Parameter what: the object in words, as the start of a sentence: "A change".
    /// - Throws: malformed (400) when `json` is no object.
    public init(_ json: JSONValue, _ what: String) throws(ModelError) {
        guard let object = json.object else { throw .malformed("\(what) is an object, not \(json.kindInWords).") }
        self.object = object
        self.what = what
    }

    /// The member, or nil when it is missing or null.
    public mutating func optional(_ name: String) -> JSONValue? {
        known.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// The member, null included. Every accessor below throws malformed (400) with the member's pointer.
    public mutating func needed(_ name: String) throws(ModelError) -> JSONValue {
        known.insert(name)
        guard let value = object[name] else { throw .malformed("\(what) needs a member \"\(name)\".", field: "/" + name) }
        return value
    }

    public mutating func string(_ name: String) throws(ModelError) -> String {
        let value = try needed(name)
        guard let text = value.string else { throw wrong(name, "a string", value) }
        return text
    }

    public mutating func optionalString(_ name: String) throws(ModelError) -> String? {
        guard let value = optional(name) else { return nil }
        guard let text = value.string else { throw wrong(name, "a string", value) }
        return text
    }

    /// A string that is one of the words of this version.
    public mutating func word<Word: RawRepresentable<String>>(_ name: String) throws(ModelError) -> Word {
        let text = try string(name)
        guard let word = Word(rawValue: text) else {
            throw .malformed("\(JSONValue.string(String(text.prefix(80))).text) is no word of this version.", field: "/" + name)
        }
        return word
    }

    public mutating func integer(_ name: String) throws(ModelError) -> Int {
        let value = try needed(name)
        guard let number = value.integer else { throw wrong(name, "a whole number", value, tellsNumber: true) }
        return number
    }

    public mutating func optionalInteger(_ name: String) throws(ModelError) -> Int? {
        guard let value = optional(name) else { return nil }
        guard let number = value.integer else { throw wrong(name, "a whole number", value, tellsNumber: true) }
        return number
    }

    /// The flag, or `missing` when it is missing or null.
    public mutating func flag(_ name: String, default missing: Bool) throws(ModelError) -> Bool {
        guard let value = optional(name) else { return missing }
        guard let flag = value.bool else { throw wrong(name, "true or false", value) }
        return flag
    }

    public mutating func flag(_ name: String) throws(ModelError) -> Bool {
        let value = try needed(name)
        guard let flag = value.bool else { throw wrong(name, "true or false", value) }
        return flag
    }

    /// Each element of an array, read with its own pointer in front of its errors.
    public mutating func list<Element>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Element
    ) throws(ModelError) -> [Element] {
        try elements(name, of: try needed(name), read)
    }

    /// As ``list(_:_:)``, or nil when the member is missing or null.
    public mutating func optionalList<Element>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Element
    ) throws(ModelError) -> [Element]? {
        guard let value = optional(name) else { return nil }
        return try elements(name, of: value, read)
    }

    /// The strings of an array; empty when the member is missing or null.
    public mutating func strings(_ name: String) throws(ModelError) -> [String] {
        try optionalList(name) { value throws(ModelError) in
            guard let text = value.string else { throw .malformed("An element of \(name) is a string, not \(value.kindInWords).") }
            return text
        } ?? []
    }

    /// A member that is a document of its own, with its pointer in front of its errors.
    public mutating func document<Document>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Document
    ) throws(ModelError) -> Document {
        let value = try needed(name)
        do { return try read(value) } catch { throw error.within("/" + name) }
    }

    /// As ``document(_:_:)``, or nil when the member is missing or null.
    public mutating func optionalDocument<Document>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Document
    ) throws(ModelError) -> Document? {
        guard let value = optional(name) else { return nil }
        do { return try read(value) } catch { throw error.within("/" + name) }
    }

    /// The member, null included, or nil when it is missing.
    mutating func present(_ name: String) -> JSONValue? {
        known.insert(name)
        return object[name]
    }

    /// The members of these names, in the object's order.
    mutating func unread(_ names: Set<String>) -> JSONObject {
        known.formUnion(names)
        return JSONObject(uniqueMembers: object.members.filter { names.contains($0.name) })
    }

    /// Call last where unknown names are refused; leave out where a newer writer may add some.
    public func refuseOthers() throws(ModelError) {
        for name in object.names where !known.contains(name) {
            throw .malformed(
                "\(what) has no member \(JSONValue.string(String(name.prefix(80))).text); its members are \(known.sorted().joined(separator: ", ")).",
                field: JSONPointer.member(name)
            )
        }
    }

    private func elements<Element>(
        _ name: String,
        of value: JSONValue,
        _ read: (JSONValue) throws(ModelError) -> Element
    ) throws(ModelError) -> [Element] {
        guard let items = value.array else { throw wrong(name, "an array", value) }
        var elements: [Element] = []
        for (index, item) in items.enumerated() {
            do { elements.append(try read(item)) } catch { throw error.within("/\(name)/\(index)") }
        }
        return elements
    }

    /// - Parameter tellsNumber: whether to say which number it was. Not where a text is wanted: that may be a password or a code, without
    ///   its quotes.
    private func wrong(_ name: String, _ wanted: String, _ value: JSONValue, tellsNumber: Bool = false) -> ModelError {
        let found = if tellsNumber, case .number(let text) = value { text } else { value.kindInWords }
        return .malformed("\(name) is \(wanted), not \(found.prefix(40)).", field: "/" + name)
    }
}

/// RFC 6901 pointers into a document.
public enum JSONPointer {
    /// One step of a pointer: `/` and the name, with `~` and `/` escaped as section 3 wants it; cut when somebody sends a very long name.
    public static func member(_ name: String) -> String {
        "/" + String(name.prefix(80).flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }
}
