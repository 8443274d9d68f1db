public import GateJSON

/// A gate as the JSON document of the admin API, export files and the native feed, and back.
///
/// Members stand in the order of ``Rule``, and each rule's own members in the order of the design, so equal gates have equal bytes.
extension Gate {
    /// As a server sends it and a client reads it.
    fileprivate static let table = FieldTable<Gate>(
        answer: "Gate",
        "A gate",
        .rule(.killSwitch, RuleTables.told.killSwitch, \.killSwitch),
        .rule(.forceUpdate, RuleTables.told.forceUpdate, \.forceUpdate),
        .rule(.requiredUpdate, RuleTables.told.requiredUpdate, \.requiredUpdate),
        .rule(.optionalUpdate, RuleTables.told.optionalUpdate, \.optionalUpdate),
        .rule(.alert, RuleTables.told.alert, \.alert),
        make: Gate.init
    )

    package static var schema: JSONSchema { table.schema }

    public var json: JSONValue { Self.table.write(self) }

    /// The rule's object, or nil when it is off.
    public func json(of rule: Rule) -> JSONValue? {
        switch rule {
        case .killSwitch: killSwitch.map(RuleTables.told.killSwitch.write)
        case .forceUpdate: forceUpdate.map(RuleTables.told.forceUpdate.write)
        case .requiredUpdate: requiredUpdate.map(RuleTables.told.requiredUpdate.write)
        case .optionalUpdate: optionalUpdate.map(RuleTables.told.optionalUpdate.write)
        case .alert: alert.map(RuleTables.told.alert.write)
        }
    }

    /// Reads a gate as a client does: rules and members that this version does not know, because a newer server sent them, are left out.
    ///
    /// Never use this for a gate that is to be written back: what is left out here would be lost.
    /// - Throws: malformed or invalid for a known rule that cannot be read.
    public init(lenient json: JSONValue) throws(ModelError) { self = try Self.table.read(json) }

    /// Reads a whole gate document and validates every rule for a platform with these settings.
    public init(json: JSONValue, settings: PlatformSettings, from source: DocumentSource = .request) throws(ModelError) {
        self.init()
        try apply(GateEdit(json: json), settings: settings, from: source)
    }

    /// Reads a gate that this program stored: only the rules of the day on which it was written applied to it.
    public init(stored json: JSONValue) throws(ModelError) {
        // The gate does not say its scheme; every version code is also a dotted version of one number.
        try self.init(json: json, settings: PlatformSettings(versionScheme: .dotted), from: .kept)
    }

    /// Applies an edit: the rules it names are replaced or cleared, the others stay.
    /// - Throws: malformed or invalid, with the field inside the edit's document; the gate is then unchanged.
    public mutating func apply(_ edit: GateEdit, settings: PlatformSettings, from source: DocumentSource = .request) throws(ModelError) {
        var gate = self
        for (rule, json) in edit.rules {
            do {
                try gate.set(rule, to: json, settings: settings, from: source)
            } catch {
                throw error.within("/" + rule.rawValue)
            }
        }
        self = gate
    }

    private mutating func set(_ rule: Rule, to json: JSONValue?, settings: PlatformSettings, from source: DocumentSource) throws(ModelError)
    {
        guard let json else { return clear(rule) }
        guard json.object != nil else {
            throw .malformed("\(rule.rawValue) is an object, or null to clear it, not \(json.kindInWords).")
        }
        let tables = RuleTables.reading(source, settings.versionScheme)
        switch rule {
        case .killSwitch:
            var read = try tables.killSwitch.read(json)
            if read.retryInterval == RuleTables.unnamedInterval { read.retryInterval = settings.defaultRetryInterval }
            killSwitch = read
        case .forceUpdate: forceUpdate = try tables.forceUpdate.read(json)
        case .requiredUpdate: requiredUpdate = try tables.requiredUpdate.read(json)
        case .optionalUpdate: optionalUpdate = try tables.optionalUpdate.read(json)
        case .alert: alert = try tables.alert.read(json)
        }
    }

    /// Checks that every version of the gate is valid in a scheme.
    /// - Throws: `invalid_version` (422), with the field inside the gate's document.
    public func check(versionsOf scheme: VersionScheme) throws(ModelError) {
        if let rule = requiredUpdate {
            try scheme.validate(rule.minimumVersion, field: "/requiredUpdate/minimumVersion")
            for (index, version) in rule.blockedVersions.enumerated() {
                try scheme.validate(version, field: "/requiredUpdate/blockedVersions/\(index)")
            }
        }
        if let rule = optionalUpdate { try scheme.validate(rule.optionalVersion, field: "/optionalUpdate/optionalVersion") }
    }

    /// Turns a rule off.
    public mutating func clear(_ rule: Rule) {
        switch rule {
        case .killSwitch: killSwitch = nil
        case .forceUpdate: forceUpdate = nil
        case .requiredUpdate: requiredUpdate = nil
        case .optionalUpdate: optionalUpdate = nil
        case .alert: alert = nil
        }
    }
}

extension Field {
    /// A rule of a gate, left out if it is off. A value that is not an object is a form of the rule that this version does not know.
    fileprivate static func rule<Wrapped>(
        _ rule: Rule,
        _ table: FieldTable<Wrapped>,
        _ value: @escaping @Sendable (Document) -> Wrapped?
    ) -> Field where Value == Wrapped? {
        Field(schema: [.optional(rule.rawValue, table.schema)]) { reader throws(ModelError) in
            guard let json = reader.optional(rule.rawValue), json.object != nil else { return nil }
            do throws(ModelError) { return try table.read(json) } catch { throw error.within("/" + rule.rawValue) }
        } write: { document, object in
            if let value = value(document) { object[rule.rawValue] = table.write(value) }
        }
    }
}

extension JSONCodec where Value == Gate {
    /// As a server sends it.
    package static var gate: JSONCodec { document(Gate.table) }
}

extension JSONCodec where Value == GateEdit {
    /// Rules that are named are replaced, `null` clears a rule, rules not named stay.
    package static var edit: JSONCodec {
        JSONCodec(GateEdit.schema) { value, _ throws(ModelError) in
            try GateEdit(json: value)
        } write: {
            $0.json
        }
    }

    /// A part of an edit in an answer: whole rules, by their names.
    package static var toldEdit: JSONCodec { edit.described(as: .anyObject) }
}

extension GateEdit {
    package static let schema = JSONSchema.request(
        "GateEdit",
        Rule.allCases.map { .optional($0.rawValue, RuleTables.reading(.request, .dotted).schema(of: $0)) }
    )
}
