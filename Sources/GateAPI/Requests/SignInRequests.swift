package import GateJSON
import GateModel

/// Body of `POST /setup`: the first administrator, with the code that the server printed at its start.
package struct SetupRequest: TabledBody, CustomStringConvertible {
    package var code: String
    package var username: String
    package var password: String

    package init(code: String, username: String, password: String) {
        self.code = code
        self.username = username
        self.password = password
    }

    package static let table = FieldTable<SetupRequest>(
        request: "SetUpRequest",
        "A set-up",
        .needed("code", .string, \.code),
        .needed("username", .string, \.username),
        .needed("password", .string, \.password),
        make: SetupRequest.init
    )

    /// Without the secrets, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "SetupRequest(username: \(username))" }
}

/// Body of `POST /session`.
package struct SessionRequest: TabledBody, CustomStringConvertible {
    package var username: String
    package var password: String
    /// For a user with a second factor: the six digits of the authenticator, or a recovery code.
    package var totp: String?

    package init(username: String, password: String, totp: String? = nil) {
        self.username = username
        self.password = password
        self.totp = totp
    }

    package static let table = FieldTable<SessionRequest>(
        request: "SessionRequest",
        "A sign-in",
        .needed("username", .string, \.username),
        .needed("password", .string, \.password),
        .optional("totp", .string, \.totp),
        make: SessionRequest.init
    )

    /// Without the secrets, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "SessionRequest(username: \(username))" }
}

/// Body of `POST /invitations`: sets a person's own password with the invitation from their link.
package struct InvitationRequest: TabledBody, CustomStringConvertible {
    package var invitation: String
    package var password: String
    /// For a person with a second factor, as in ``SessionRequest``.
    package var totp: String?

    package init(invitation: String, password: String, totp: String? = nil) {
        self.invitation = invitation
        self.password = password
        self.totp = totp
    }

    package static let table = FieldTable<InvitationRequest>(
        request: "InvitationRequest",
        "An invitation's use",
        .needed("invitation", .string, \.invitation),
        .needed("password", .string(Password.lengths), \.password),
        .optional("totp", .string, \.totp),
        make: InvitationRequest.init
    )

    /// Without the secrets, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "InvitationRequest" }
}
