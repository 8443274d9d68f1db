package import GateJSON
package import GateModel

/// Body of `POST /simulate`: what would this phone show? Nothing is written.
package struct SimulationRequest: APIBody {
    /// Not yet checked to be keys: a target that cannot exist is not found (404), like any other that is not there.
    package var app: String
    package var platform: String
    /// Nil for the likeliest library of the platform.
    package var client: ClientLibrary?
    /// The installed version.
    package var version: String
    /// A draft over the live gate, as in a change; nil for the live gate itself.
    package var set: GateEdit?
    /// The moment that is asked about, with the windows and expiries that come before it; nil for now.
    package var at: Timestamp?
    /// The person's language as a BCP 47 tag.
    package var locale: String?
    /// Whether the phone was shown before all that its library remembers of this gate.
    package var seen: Bool

    package init(
        app: String, platform: String, client: ClientLibrary? = nil, version: String, set: GateEdit? = nil, at: Timestamp? = nil, locale: String? = nil, seen: Bool = false
    ) {
        self.app = app
        self.platform = platform
        self.client = client
        self.version = version
        self.set = set
        self.at = at
        self.locale = locale
        self.seen = seen
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A simulation")
        app = try reader.string("app")
        platform = try reader.string("platform")
        let name = try reader.optionalString("client")
        version = try reader.string("version")
        set = try reader.optionalDocument("set", GateEdit.init(json:))
        at = try reader.optionalRequestedTime("at")
        locale = try reader.optionalString("locale")
        seen = try reader.flag("seen", default: false)
        try reader.refuseOthers()
        client = try name.map { name throws(ModelError) in
            guard let client = ClientLibrary(rawValue: name) else {
                throw .malformed("client is one of \(ClientLibrary.allCases.map(\.rawValue).joined(separator: ", ")).", field: "/client")
            }
            return client
        }
        if let locale, !LanguageTag.accepts(locale) {
            throw .invalid("invalid_language", "\(JSONValue.string(String(locale.prefix(40))).text) is no BCP 47 language tag such as \"de\" or \"pt-BR\".", field: "/locale")
        }
    }

    package var json: JSONValue {
        var object: JSONObject = ["app": .string(app), "platform": .string(platform)]
        if let client { object["client"] = .string(client.rawValue) }
        object["version"] = .string(version)
        if let set { object["set"] = set.json }
        if let at { object["at"] = .string(at.description) }
        if let locale { object["locale"] = .string(locale) }
        if seen { object["seen"] = .bool(true) }
        return .object(object)
    }
}
