public import GateJSON

/// Reading gates that another program wrote.
extension Gate {
    /// Reads a gate as a client does: rules and members that this version does not know are left out, as a newer server may send them.
    ///
    /// Never for a gate that is to be written back: what is left out here would be lost there.
    /// - Throws: malformed or invalid for a known rule that cannot be read.
    public init(lenient json: JSONValue) throws(ModelError) {
        guard let object = json.object else { throw .malformed("A gate is an object, not \(json.kindInWords).") }
        var known = JSONObject()
        for rule in Rule.allCases {
            guard let members = object[rule.rawValue]?.object else { continue }
            var kept = JSONObject()
            for (name, value) in members.members where rule.memberNames.contains(name) { kept[name] = value }
            known[rule.rawValue] = .object(kept)
        }
        try self.init(stored: .object(known))
    }
}

extension Rule {
    /// The members that a rule's object can have, in the order in which they are written.
    public var memberNames: [String] {
        switch self {
        case .killSwitch: ["message", "retryInterval", "until", "opening"]
        case .forceUpdate: ["message"]
        case .requiredUpdate: ["minimumVersion", "blockedVersions", "message"]
        case .optionalUpdate: ["optionalVersion", "message"]
        case .alert: ["message", "blocking"]
        }
    }
}
