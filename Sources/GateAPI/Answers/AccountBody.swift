package import GateJSON
import GateModel

/// Answer to `GET /account`: what a person may know of their own account.
package struct AccountBody: APIBody {
    package var user: UserBody
    package var createdAt: Timestamp
    package var passwordChangedAt: Timestamp
    /// Whether signing in takes a code of an authenticator.
    package var totp: Bool
    /// Recovery codes that were not used yet; 0 where ``totp`` is false.
    package var recoveryCodes: Int
    /// Until when the password need not be given again for what wants a fresh sign-in; may have passed.
    package var freshUntil: Timestamp

    package init(user: UserBody, createdAt: Timestamp, passwordChangedAt: Timestamp, totp: Bool, recoveryCodes: Int, freshUntil: Timestamp)
    {
        self.user = user
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
        self.totp = totp
        self.recoveryCodes = recoveryCodes
        self.freshUntil = freshUntil
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An account")
        user = try reader.document("user", UserBody.init(json:))
        createdAt = try reader.time("createdAt")
        passwordChangedAt = try reader.time("passwordChangedAt")
        totp = try reader.flag("totp")
        recoveryCodes = try reader.integer("recoveryCodes")
        freshUntil = try reader.time("freshUntil")
    }

    package var json: JSONValue {
        [
            "user": user.json, "createdAt": .string(createdAt.description), "passwordChangedAt": .string(passwordChangedAt.description),
            "totp": .bool(totp), "recoveryCodes": .integer(recoveryCodes), "freshUntil": .string(freshUntil.description),
        ]
    }
}

/// Answer to `POST /account/totp`: a second factor about to be, for an authenticator to take over. Shown once.
package struct TOTPSecretBody: APIBody, CustomStringConvertible {
    /// Base32 without padding, for typing.
    package var secret: String
    /// `otpauth://totp/…`, for a QR code.
    package var uri: String

    package init(secret: String, uri: String) {
        self.secret = secret
        self.uri = uri
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A second factor")
        secret = try reader.string("secret")
        uri = try reader.string("uri")
    }

    package var json: JSONValue { ["secret": .string(secret), "uri": .string(uri)] }

    /// Without the secret, so that one that reaches a log by mistake says nothing.
    package var description: String { "TOTPSecretBody" }
}

/// Answer to `POST /account/totp/confirm`: the codes for the day when the authenticator is lost. Shown once.
package struct RecoveryCodesBody: APIBody, CustomStringConvertible {
    /// Ten; each opens the account once in the place of an authenticator's code.
    package var recoveryCodes: [String]

    package init(recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A list of recovery codes")
        _ = try reader.needed("recoveryCodes")
        recoveryCodes = try reader.strings("recoveryCodes")
    }

    package var json: JSONValue { ["recoveryCodes": .array(recoveryCodes.map(JSONValue.string))] }

    /// Without the codes, so that one that reaches a log by mistake says nothing.
    package var description: String { "RecoveryCodesBody(\(recoveryCodes.count))" }
}

/// A browser, or another client with a cookie, in which a person is signed in.
package struct AccountSessionBody: APIBody {
    /// Names the session for `DELETE /account/sessions/{id}`; tells nothing of its cookie.
    package var id: String
    /// Whether it is the one that asks.
    package var current: Bool
    package var createdAt: Timestamp
    /// To within a minute.
    package var lastSeenAt: Timestamp
    package var expiresAt: Timestamp
    /// The address that signed in.
    package var address: String
    /// What the client said it is, cut to 200 characters; may be empty.
    package var userAgent: String

    package init(
        id: String,
        current: Bool,
        createdAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        address: String,
        userAgent: String
    ) {
        self.id = id
        self.current = current
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.expiresAt = expiresAt
        self.address = address
        self.userAgent = userAgent
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A session")
        id = try reader.string("id")
        current = try reader.flag("current")
        createdAt = try reader.time("createdAt")
        lastSeenAt = try reader.time("lastSeenAt")
        expiresAt = try reader.time("expiresAt")
        address = try reader.string("address")
        userAgent = try reader.string("userAgent")
    }

    package var json: JSONValue {
        [
            "id": .string(id), "current": .bool(current), "createdAt": .string(createdAt.description),
            "lastSeenAt": .string(lastSeenAt.description),
            "expiresAt": .string(expiresAt.description), "address": .string(address), "userAgent": .string(userAgent),
        ]
    }
}
