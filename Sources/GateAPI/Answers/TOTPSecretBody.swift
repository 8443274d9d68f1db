package import GateJSON
import GateModel

/// Answer to `POST /account/totp`: the secret of a new second factor, to be entered into an authenticator. Shown once.
package struct TOTPSecretBody: TabledBody, CustomStringConvertible {
    /// Base32 without padding, for typing.
    package var secret: String
    /// `otpauth://totp/…`, for a QR code.
    package var uri: String

    package init(secret: String, uri: String) {
        self.secret = secret
        self.uri = uri
    }

    package static let table = FieldTable<TOTPSecretBody>(
        answer: "TOTPSecret",
        "A second factor",
        .needed("secret", .string(32...32, pattern: "^[A-Z2-7]{32}$"), \.secret),
        .needed("uri", .string, \.uri),
        make: TOTPSecretBody.init
    )

    /// Without the secret, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "TOTPSecretBody" }
}

/// Answer to `POST /account/totp/confirm`: the codes to use if the authenticator is lost. Shown once.
package struct RecoveryCodesBody: TabledBody, CustomStringConvertible {
    /// Ten codes; each opens the account once in place of an authenticator's code.
    package var recoveryCodes: [String]

    package init(recoveryCodes: [String]) { self.recoveryCodes = recoveryCodes }

    package static let table = FieldTable<RecoveryCodesBody>(
        answer: "RecoveryCodes",
        "A list of recovery codes",
        .needed("recoveryCodes", JSONCodec.list(of: .string).described(as: .array(of: .text, 10...10)), \.recoveryCodes),
        make: RecoveryCodesBody.init
    )

    /// Without the codes, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "RecoveryCodesBody(\(recoveryCodes.count))" }
}
