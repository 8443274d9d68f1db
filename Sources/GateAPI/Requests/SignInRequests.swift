package import GateJSON
import GateModel

/// Body of `POST /setup`: the first administrator, with the code that the server printed at its start.
package struct SetupRequest: APIBody, CustomStringConvertible {
    package var code: String
    package var username: String
    package var password: String

    package init(code: String, username: String, password: String) {
        self.code = code
        self.username = username
        self.password = password
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A set-up")
        code = try reader.string("code")
        username = try reader.string("username")
        password = try reader.string("password")
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        ["code": .string(code), "username": .string(username), "password": .string(password)]
    }

    /// Without the secrets, so that one that reaches a log by mistake says nothing.
    package var description: String { "SetupRequest(username: \(username))" }
}

/// Body of `POST /session`.
package struct SessionRequest: APIBody, CustomStringConvertible {
    package var username: String
    package var password: String
    /// Where the user has a second factor: the six digits of the authenticator, or a recovery code.
    package var totp: String?

    package init(username: String, password: String, totp: String? = nil) {
        self.username = username
        self.password = password
        self.totp = totp
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A sign-in")
        username = try reader.string("username")
        password = try reader.string("password")
        totp = try reader.optionalString("totp")
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["username": .string(username), "password": .string(password)]
        if let totp { object["totp"] = .string(totp) }
        return .object(object)
    }

    /// Without the secrets, so that one that reaches a log by mistake says nothing.
    package var description: String { "SessionRequest(username: \(username))" }
}
