package import GateJSON
package import GateModel

/// Body of `POST /apps`.
package struct AppRequest: WriteRequest {
    /// Checked by the service: a bad key is 422 `invalid_app_key`.
    package var key: String
    package var name: String
    package var terms: WriteTerms

    package init(key: String, name: String, terms: WriteTerms = WriteTerms()) {
        self.key = key
        self.name = name
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An app")
        key = try reader.string("key")
        name = try reader.string("name")
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["key": .string(key), "name": .string(name)]
        terms.write(to: &object)
        return .object(object)
    }
}

/// Body of `PATCH /apps/{app}`: what is named is replaced, the rest stays.
package struct AppPatch: WriteRequest {
    package var name: String?
    /// The whole new list, each alias of a valid form; whether a path is free is the service's question.
    package var aliases: [Alias]?
    package var terms: WriteTerms

    package init(name: String? = nil, aliases: [Alias]? = nil, terms: WriteTerms = WriteTerms()) {
        self.name = name
        self.aliases = aliases
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An app")
        name = try reader.optionalString("name")
        aliases = try reader.optionalList("aliases", Alias.init(json:))
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object = JSONObject()
        if let name { object["name"] = .string(name) }
        if let aliases { object["aliases"] = .array(aliases.map(\.json)) }
        terms.write(to: &object)
        return .object(object)
    }
}

/// Body of `PUT /apps/{app}/platforms/{platform}`: any settings.
package struct SettingsRequest: WriteRequest {
    /// An object of settings, not yet validated: what is valid depends on the settings that stay.
    package var settings: JSONValue
    package var terms: WriteTerms

    package init(settings: JSONValue = [:], terms: WriteTerms = WriteTerms()) {
        self.settings = settings
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A platform")
        terms = try WriteTerms(reading: &reader)
        var settings = JSONObject()
        for (name, value) in json.object?.members ?? [] where !WriteTerms.names.contains(name) { settings[name] = value }
        self.settings = .object(settings)
    }

    package var json: JSONValue {
        var object = settings.object ?? [:]
        terms.write(to: &object)
        return .object(object)
    }
}

/// Body of `DELETE /apps/{app}` and `DELETE /apps/{app}/platforms/{platform}`; may be `{}`.
package struct DeleteRequest: WriteRequest {
    package var terms: WriteTerms

    package init(terms: WriteTerms = WriteTerms()) {
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A deletion")
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object = JSONObject()
        terms.write(to: &object)
        return .object(object)
    }
}
