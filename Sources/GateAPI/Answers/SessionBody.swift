package import GateJSON
package import GateModel

/// Who is signed in: answer to `POST /session` and `GET /session`.
package struct SessionBody: TabledBody, CustomStringConvertible {
    package var user: User
    /// What every writing request of this session must carry in `X-Gatehouse-CSRF`; empty for a bearer token, which needs none.
    package var csrf: String
    /// When the session ends; nil for a bearer token that does not expire.
    package var expiresAt: Timestamp?
    /// Who signed the person in; nil for the server itself, by their password, and for a token.
    package var origin: Person.Origin?
    /// Where the browser goes after signing out, so that the proxy that signed it in ends its own session too. Nil where that is not known.
    package var signOut: String?

    package init(user: User, csrf: String, expiresAt: Timestamp?, origin: Person.Origin? = nil, signOut: String? = nil) {
        self.user = user
        self.csrf = csrf
        self.expiresAt = expiresAt
        self.origin = origin
        self.signOut = signOut
    }

    package static let table = FieldTable<SessionBody>(
        answer: "Session",
        "A session",
        .needed("user", .body, \.user),
        .needed("csrf", .string, \.csrf),
        .nullable("expiresAt", .time, \.expiresAt),
        .optionalWord("origin", \.origin),
        .optional("signOut", .string, \.signOut),
        make: SessionBody.init
    )

    /// Without the CSRF token, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "SessionBody(\(user.name))" }
}

/// Answer to `GET /setup`: whether the first administrator is still missing and, for somebody whom a proxy names, where they sign out of
/// the proxy.
package struct SetupStateBody: TabledBody {
    package var needed: Bool
    package var signOut: String?

    package init(needed: Bool, signOut: String? = nil) {
        self.needed = needed
        self.signOut = signOut
    }

    package static let table = FieldTable<SetupStateBody>(
        answer: "SetupState",
        "A state of set-up",
        .needed("needed", .flag, \.needed),
        .optional("signOut", .string, \.signOut),
        make: SetupStateBody.init
    )
}
