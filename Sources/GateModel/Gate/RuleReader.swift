import GateJSON

/// Reads the members of one rule's object, remembering which were asked for, so that an unknown name is refused and not lost.
struct RuleReader {
    private let object: JSONObject
    private let rule: Rule
    private let source: DocumentSource
    private var known: Set<String> = []

    init(_ json: JSONValue, rule: Rule, from source: DocumentSource) throws(ModelError) {
        guard let object = json.object else {
            throw .malformed("\(rule.rawValue) is an object, or null to clear it, not \(json.kindInWords).")
        }
        self.object = object
        self.rule = rule
        self.source = source
    }

    mutating func message() throws(ModelError) -> Message {
        try Message(json: try needed("message"), field: "/message", from: source)
    }

    mutating func version(_ name: String, scheme: VersionScheme) throws(ModelError) -> String {
        let value = try needed(name)
        guard let text = value.string else {
            throw .malformed("\(name) is a string such as \"4.2.0\" or \"41\", not \(value.kindInWords).", field: "/" + name)
        }
        try scheme.validate(text, field: "/" + name)
        return text
    }

    mutating func versions(_ name: String, scheme: VersionScheme) throws(ModelError) -> [String] {
        known.insert(name)
        guard let value = object[name], !value.isNull else { return [] }
        guard let items = value.array else {
            throw .malformed("\(name) is an array of versions, not \(value.kindInWords).", field: "/" + name)
        }
        if source == .request, items.count > GateLimits.versions { throw .tooManyVersions(items.count, name, field: "/" + name) }
        var versions: [String] = []
        var seen: Set<String> = []
        for (index, item) in items.enumerated() {
            let field = "/\(name)/\(index)"
            guard let text = item.string else { throw .malformed("A version is a string, not \(item.kindInWords).", field: field) }
            try scheme.validate(text, field: field)
            guard seen.insert(text).inserted else { throw .invalid("invalid_version", "\(text) is listed twice.", field: field) }
            versions.append(text)
        }
        return versions
    }

    mutating func retryInterval(default interval: Int) throws(ModelError) -> Int {
        known.insert("retryInterval")
        guard let value = object["retryInterval"], !value.isNull else { return interval }
        return try PlatformSettings.retryInterval(json: value, field: "/retryInterval")
    }

    mutating func flag(_ name: String) throws(ModelError) -> Bool {
        let value = try needed(name)
        guard let flag = value.bool else { throw .malformed("\(name) is true or false, not \(value.kindInWords).", field: "/" + name) }
        return flag
    }

    /// A moment, or nil when the member is missing or null.
    mutating func time(_ name: String) throws(ModelError) -> Timestamp? {
        known.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        guard let text = value.string else {
            throw .malformed("\(name) is a time such as \"2026-04-02T09:32:14Z\", not \(value.kindInWords).", field: "/" + name)
        }
        do throws(TimeFault) {
            if source == .request { return try Timestamp(entering: text) }
            guard let time = Timestamp(text) else { throw .form }
            return time
        } catch {
            let detail =
                error == .years ? TimeFault.outside(name) : "\(name) is an RFC 3339 time with its offset, such as 2026-04-02T09:32:14Z."
            throw .invalid("invalid_time", detail, field: "/" + name)
        }
    }

    func refuseOthers() throws(ModelError) {
        for name in object.names where !known.contains(name) {
            throw .malformed(
                "\(rule.rawValue) has no member \(JSONValue.string(String(name.prefix(80))).text); its members are \(known.sorted().joined(separator: ", ")).",
                field: JSONPointer.member(name)
            )
        }
    }

    private mutating func needed(_ name: String) throws(ModelError) -> JSONValue {
        known.insert(name)
        guard let value = object[name] else { throw .malformed("\(rule.rawValue) needs a member \"\(name)\".", field: "/" + name) }
        return value
    }
}
