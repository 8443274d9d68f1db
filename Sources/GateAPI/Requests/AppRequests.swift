package import GateJSON
package import GateModel

/// Body of `POST /apps`.
package struct AppRequest: TabledBody, WriteRequest {
    /// Checked by the service: a bad key is 422 `invalid_app_key`.
    package var key: String
    package var name: String
    package var terms: WriteTerms

    package init(key: String, name: String, terms: WriteTerms = WriteTerms()) {
        self.key = key
        self.name = name
        self.terms = terms
    }

    package static let table = FieldTable<AppRequest>(
        request: "AppRequest",
        "An app",
        .needed("key", .key, \.key),
        .needed("name", .string(App.nameLengths), \.name),
        .terms(\.terms),
        make: AppRequest.init
    )
}

/// Body of `PATCH /apps/{app}`: what is named is replaced, the rest stays.
package struct AppPatch: TabledBody, WriteRequest {
    package var name: String?
    /// The whole new list, each alias of a valid form; whether a path is free is for the service to check.
    package var aliases: [Alias]?
    /// `name` and `aliases` as the caller read them, those that the edit is based on: with others in force by now it is 412
    /// `stale_values`. Nil to replace whatever is there.
    package var seen: JSONObject?
    package var terms: WriteTerms

    package init(name: String? = nil, aliases: [Alias]? = nil, seen: JSONObject? = nil, terms: WriteTerms = WriteTerms()) {
        self.name = name
        self.aliases = aliases
        self.seen = seen
        self.terms = terms
    }

    package static let table = FieldTable<AppPatch>(
        request: "AppPatch",
        "An app",
        .optional("name", .string(App.nameLengths), \.name),
        .optional("aliases", .aliases, \.aliases),
        .optional("seen", .seen("SeenApp", ["name", "aliases"]), \.seen),
        .terms(\.terms),
        make: AppPatch.init
    )
}

extension JSONCodec where Value == [Alias] {
    /// All aliases that an app should have.
    static var aliases: JSONCodec {
        list(of: .askedAlias, 0...Alias.mostPerApp) { _ in .invalid("invalid_alias", "An app has at most \(Alias.mostPerApp) aliases.") }
    }
}

/// Body of `PUT /apps/{app}/platforms/{platform}`: any settings.
package struct SettingsRequest: TabledBody, WriteRequest {
    /// An object of settings, not yet validated: what is valid depends on the settings that stay.
    package var settings: JSONValue
    /// Settings as the caller read them, those that the edit is based on: with others in force by now it is 412 `stale_values`. Nil to
    /// replace whatever is there.
    package var seen: JSONObject?
    package var terms: WriteTerms

    package init(settings: JSONValue = [:], seen: JSONObject? = nil, terms: WriteTerms = WriteTerms()) {
        self.settings = settings
        self.seen = seen
        self.terms = terms
    }

    /// Here `null` is a value and does not mean that the member is missing: it clears the store's link, and nothing else may be cleared.
    package static let table = FieldTable<SettingsRequest>(
        request: "SettingsRequest",
        "A settings request",
        .settings(\.settings),
        .optional("seen", .seen("SeenSettings", SettingsEdit.names), \.seen),
        .terms(\.terms),
        make: SettingsRequest.init
    )
}

extension Field where Value == JSONValue {
    /// The members of the settings, found among the body's own members and taken as they are.
    fileprivate static func settings(_ path: any KeyPath<Document, JSONValue> & Sendable) -> Field {
        Field(schema: SettingsEdit.members) { reader in
            .object(reader.members(SettingsEdit.names))
        } write: { document, object in
            for (name, value) in document[keyPath: path].object?.members ?? [] { object[name] = value }
        }
    }
}

/// Body of `DELETE /apps/{app}` and `DELETE /apps/{app}/platforms/{platform}`; may be `{}`.
package struct DeleteRequest: TabledBody, WriteRequest {
    package var terms: WriteTerms

    package init(terms: WriteTerms = WriteTerms()) { self.terms = terms }

    package static let table = FieldTable<DeleteRequest>(request: "DeleteRequest", "A deletion", .terms(\.terms), make: DeleteRequest.init)
}
