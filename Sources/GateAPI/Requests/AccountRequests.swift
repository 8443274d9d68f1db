package import GateJSON
import GateModel

/// Body of `POST /account/password`.
package struct PasswordRequest: TabledBody, CustomStringConvertible {
    /// The password that is to be replaced.
    package var currentPassword: String
    package var newPassword: String
    /// Like ``SessionRequest/totp``.
    package var totp: String?
    /// Whether one's own tokens are revoked too.
    package var revokeTokens: Bool

    package init(currentPassword: String, newPassword: String, totp: String? = nil, revokeTokens: Bool = false) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
        self.totp = totp
        self.revokeTokens = revokeTokens
    }

    package static let table = FieldTable<PasswordRequest>(
        request: "PasswordRequest",
        "A new password",
        .needed("currentPassword", .string, \.currentPassword),
        .needed("newPassword", .string(Password.lengths), \.newPassword),
        .optional("totp", .string, \.totp),
        .optional("revokeTokens", .flag, \.revokeTokens, standard: false),
        make: PasswordRequest.init
    )

    /// Without the secrets, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "PasswordRequest" }
}

/// Body of `POST /session/reauthenticate`: the proof that the person who signed in is still the one at the browser.
package struct ReauthenticationRequest: TabledBody, CustomStringConvertible {
    package var password: String
    /// Like ``SessionRequest/totp``.
    package var totp: String?

    package init(password: String, totp: String? = nil) {
        self.password = password
        self.totp = totp
    }

    package static let table = FieldTable<ReauthenticationRequest>(
        request: "ReauthenticationRequest",
        "A fresh sign-in",
        .needed("password", .string, \.password),
        .optional("totp", .string, \.totp),
        make: ReauthenticationRequest.init
    )

    /// Without the secrets, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "ReauthenticationRequest" }
}

/// Body of `POST /account/totp/confirm`: the proof that the authenticator has the secret.
package struct TOTPConfirmRequest: TabledBody, CustomStringConvertible {
    /// The six digits that the authenticator shows.
    package var code: String

    package init(code: String) { self.code = code }

    package static let table = FieldTable<TOTPConfirmRequest>(
        request: "TOTPConfirmRequest",
        "A confirmation",
        .needed("code", .string, \.code),
        make: TOTPConfirmRequest.init
    )

    /// Without the code, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "TOTPConfirmRequest" }
}

/// The body of a request that says everything with its path: `{}`, or none at all.
package struct EmptyRequest: TabledBody {
    package init() {}

    package static let table = FieldTable<EmptyRequest>(request: "EmptyRequest", "This request", make: EmptyRequest.init)
}
