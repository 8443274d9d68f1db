package import GateJSON
import GateModel

/// Body of `POST /account/password`.
package struct PasswordRequest: APIBody, CustomStringConvertible {
    /// The one that is to be replaced.
    package var currentPassword: String
    package var newPassword: String
    /// As ``SessionRequest/totp``.
    package var totp: String?
    /// Whether one's own tokens are revoked too.
    package var revokeTokens: Bool

    package init(currentPassword: String, newPassword: String, totp: String? = nil, revokeTokens: Bool = false) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
        self.totp = totp
        self.revokeTokens = revokeTokens
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A new password")
        currentPassword = try reader.string("currentPassword")
        newPassword = try reader.string("newPassword")
        totp = try reader.optionalString("totp")
        revokeTokens = try reader.flag("revokeTokens", default: false)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["currentPassword": .string(currentPassword), "newPassword": .string(newPassword)]
        if let totp { object["totp"] = .string(totp) }
        if revokeTokens { object["revokeTokens"] = .bool(true) }
        return .object(object)
    }

    /// Without the secrets, so that one that reaches a log by mistake says nothing.
    package var description: String { "PasswordRequest" }
}

/// Body of `POST /session/reauthenticate`: the proof that who is signed in is still the one who sits there.
package struct ReauthenticationRequest: APIBody, CustomStringConvertible {
    package var password: String
    /// As ``SessionRequest/totp``.
    package var totp: String?

    package init(password: String, totp: String? = nil) {
        self.password = password
        self.totp = totp
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A fresh sign-in")
        password = try reader.string("password")
        totp = try reader.optionalString("totp")
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["password": .string(password)]
        if let totp { object["totp"] = .string(totp) }
        return .object(object)
    }

    /// Without the secrets, so that one that reaches a log by mistake says nothing.
    package var description: String { "ReauthenticationRequest" }
}

/// Body of `POST /account/totp/confirm`: the proof that the authenticator has the secret.
package struct TOTPConfirmRequest: APIBody, CustomStringConvertible {
    /// The six digits that the authenticator shows.
    package var code: String

    package init(code: String) { self.code = code }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A confirmation")
        code = try reader.string("code")
        try reader.refuseOthers()
    }

    package var json: JSONValue { ["code": .string(code)] }

    /// Without the code, so that one that reaches a log by mistake says nothing.
    package var description: String { "TOTPConfirmRequest" }
}

/// The body of a request that says everything with its path: `{}`, or none at all.
package struct EmptyRequest: APIBody {
    package init() {}

    package init(json: JSONValue) throws(ModelError) {
        try ObjectReader(json, "This request").refuseOthers()
    }

    package var json: JSONValue { [:] }
}
