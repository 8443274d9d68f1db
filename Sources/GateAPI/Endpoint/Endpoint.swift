/// One operation of the admin API; the raw value is its word in the description (OpenAPI's `operationId`).
///
/// Its ``Declaration`` says what it takes, what it answers, and what it requires of its caller. The server's route table and every client
/// take their paths from there, so that they cannot drift apart. The cases are in the order in which people look for them.
package enum Endpoint: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // Signing in. A first administrator's code, a password, an invitation to set one, a session.
    case setupState = "getSetup"
    case setUp
    case signIn
    case acceptInvitation
    case session = "getSession"
    case signOut
    case reauthenticate

    // One's own account.
    case account = "getAccount"
    case changePassword
    case startTOTP
    case confirmTOTP
    case removeTOTP
    case listSessions
    case endSessions
    case endSession

    case status = "getStatus"

    // Apps and their platforms.
    case listApps
    case createApp
    case app = "getApp"
    case editApp
    case deleteApp
    case putPlatform
    case deletePlatform

    // Feeds of an app's own shapes.
    case ownFeed = "getOwnFeed"
    case putOwnFeed
    case deleteOwnFeed

    // Targets, and changes of their gates.
    case listTargets
    case target = "getTarget"
    case listVersions
    case listChanges
    case commitChange
    case change = "getChange"
    case events = "getEvents"
    case importFile

    // A question, although it is sent with POST: a draft does not fit into an address.
    case simulate

    // A gate that is tried on a phone, at addresses of its own.
    case listRehearsals
    case beginRehearsal
    case rehearsal = "getRehearsal"
    case alterRehearsal
    case endRehearsal

    // Everything as one document, and putting such a document in force. A document can remove apps.
    case export
    case apply

    // Changes for a span of time.
    case listWindows
    case createWindow
    case window = "getWindow"
    case replaceWindow
    case cancelWindow
    case runWindow

    // People, and the tokens of tools. Everybody has tokens of their own; those of others are the administrators'.
    case listUsers
    case createUser
    case editUser
    case deleteUser
    case inviteUser
    case listTokens
    case createToken
    case revokeToken

    case listAudit

    // Everything in one file, in the server's own folder.
    case listBackups
    case createBackup

    /// What every pattern starts with.
    package static let base = "/api/v1"

    /// For how many seconds a sign-in is fresh.
    package static let freshSeconds: Int64 = 300

    package var method: Declaration.Method { declaration.method }

    /// `/api/v1/apps/{app}`: segments are literal or one parameter in braces.
    package var pattern: String { declaration.pattern }

    /// The names of the parameters in the query string that the endpoint knows.
    package var queryNames: [String] { declaration.queryNames }

    /// Who may call it at all; whether they may do this very thing to this very app is the service's decision.
    package var access: Declaration.Access { declaration.access }

    /// How the caller must have proven who it is.
    package var proof: Declaration.Proof { declaration.proof }

    /// Whether the server keeps the answer to an Idempotency-Key, so that the same request sent twice is done once. It does so for changes,
    /// windows, backups and new tokens. An answer about people or tokens holds a secret, and one about a rehearsal its addresses, which are
    /// kept nowhere: whoever repeats the making of a token is told which one was made (409 `token_made`); a rehearsal too many ends by
    /// itself.
    package var keepsKeys: Bool {
        switch self {
        case .createApp, .editApp, .deleteApp, .putPlatform, .deletePlatform, .putOwnFeed, .deleteOwnFeed, .commitChange, .importFile,
            .apply,
            .createWindow, .replaceWindow, .cancelWindow, .runWindow, .createToken, .createBackup:
            true
        default: false
        }
    }

    package var description: String { "\(method.rawValue) \(pattern)" }
}
