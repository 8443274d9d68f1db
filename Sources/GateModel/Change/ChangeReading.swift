public import GateJSON

/// Changes and plans read back by a client of the admin API. Unknown members are ignored: within one API version members are only added.
extension Change {
    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A change")
        let atText = try reader.string("at")
        guard let at = Timestamp(atText) else { throw .malformed("at is an RFC 3339 time.", field: "/at") }
        let sourceText = try reader.string("source")
        guard let source = Source(rawValue: sourceText) else {
            throw .malformed("There is no source \(JSONValue.string(sourceText).text).", field: "/source")
        }
        let kindText = try reader.string("kind")
        guard let kind = Kind(rawValue: kindText) else {
            throw .malformed("There is no kind of change \(JSONValue.string(kindText).text).", field: "/kind")
        }
        let app = try reader.optionalString("app")
        let sequence = try reader.integer("sequence")
        let skipped = try reader.optionalDocument("skipped") { json throws(ModelError) in
            var range = try ObjectReader(json, "What is skipped")
            return try range.integer("from")
        }
        guard skipped.map({ (1..<sequence).contains($0) }) ?? true else {
            throw .malformed("What is skipped stands before the change.", field: "/skipped")
        }
        self.init(
            sequence: sequence,
            at: at,
            actor: try reader.document("actor", Actor.init(json:)),
            source: source,
            kind: kind,
            reason: try reader.optionalString("reason"),
            requestId: try reader.string("requestId"),
            app: try app.map { text throws(ModelError) in try AppKey(validating: text) },
            targets: try reader.list("targets", ChangedTarget.init(json:)),
            skipped: skipped.map { sequence - $0 } ?? 0,
            fault: try reader.optionalString("unreadable")
        )
        omitted = try reader.optionalInteger("omitted") ?? 0
    }
}

extension ChangedTarget {
    /// Reads the document as a client does; ``init(stored:)`` is for the store, which must lose nothing.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A changed target")
        let target = try TargetKey(reading: &reader)
        var feeds: [FeedName: String] = [:]
        for (name, hash) in reader.optional("feeds")?.object?.members ?? [] {
            if let name = FeedName(rawValue: name) { feeds[name] = hash.string }
        }
        self.init(
            target: target,
            previous: try reader.integer("previous"),
            revision: try reader.integer("revision"),
            before: try reader.document("before", Gate.init(lenient:)),
            after: try reader.document("after", Gate.init(lenient:)),
            settings: try reader.optionalDocument("settings") { json throws(ModelError) in
                var both = try ObjectReader(json, "The settings of a change")
                return SettingsChange(
                    before: try both.optionalDocument("before", PlatformSettings.init(lenient:)),
                    after: try both.optionalDocument("after", PlatformSettings.init(lenient:))
                )
            },
            feeds: feeds,
            fault: try reader.optionalString("unreadable")
        )
    }
}

extension TargetKey {
    /// The members `app` and `platform` of a document.
    public init(reading reader: inout ObjectReader) throws(ModelError) {
        let (appText, platformText) = (try reader.string("app"), try reader.string("platform"))
        let app: AppKey
        do { app = try AppKey(validating: appText) } catch { throw error.within("/app") }
        do { self.init(app: app, platform: try PlatformKey(validating: platformText)) } catch { throw error.within("/platform") }
    }
}

extension PlatformSettings {
    /// Reads whole settings as a client does: a setting or a client library that this version does not know is left out.
    public init(lenient json: JSONValue) throws(ModelError) {
        guard let object = json.object else { throw .malformed("The settings are an object, not \(json.kindInWords).") }
        let standard = PlatformSettings(versionScheme: .dotted)
        var known = JSONObject()
        for name in standard.json.object?.names ?? [] { known[name] = object[name] }
        if let names = known["clients"]?.array {
            let clients = names.filter { $0.string.flatMap(ClientLibrary.init(rawValue:)) != nil }
            // Of an app that uses only libraries which this version does not know, nothing is known.
            known["clients"] = clients.isEmpty ? .null : .array(clients)
        }
        self = standard
        try apply(json: .object(known), from: .kept)
    }
}

extension Plan {
    /// Reads what ``json`` wrote. Effects of libraries that this version does not know count as left out.
    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A plan")
        let tier = try reader.integer("tier")
        // Older servers tell none.
        let effects = try reader.optionalList("effects", Effect.known(json:)) ?? []
        self.init(
            // A tier above ours can only be more dangerous than any we know.
            tier: DangerTier(rawValue: tier) ?? .many,
            confirm: try reader.optionalString("confirm"),
            reasonRequired: try reader.flag("reasonRequired"),
            diff: try reader.list("diff", FieldDifference.init(json:)),
            apps: try reader.optionalList("apps", AppDifference.init(json:)) ?? [],
            effects: effects.compactMap(\.self),
            warnings: try reader.list("warnings", Warning.init(json:))
        )
        omitted = try reader.optionalDocument("omitted", Omitted.init(json:))
        let strange = effects.count - self.effects.count
        if strange > 0 {
            let told = omitted ?? Omitted(diff: 0, apps: 0, effects: 0, warnings: 0)
            omitted = Omitted(diff: told.diff, apps: told.apps, effects: told.effects + strange, warnings: told.warnings)
        }
    }
}

extension FieldDifference {
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A difference")
        self.init(
            target: try TargetKey(reading: &reader),
            field: try reader.string("field"),
            before: reader.optional("before"),
            after: reader.optional("after")
        )
    }
}

extension Warning {
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A warning")
        self.init(code: try reader.string("code"), detail: try reader.string("detail"), versions: try reader.strings("versions"))
    }
}
