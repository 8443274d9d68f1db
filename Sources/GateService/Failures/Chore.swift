/// Work that the server does by itself, or beside a request, and retries when it fails. Its failures are reported when they begin and when
/// they end.
package struct Chore: Hashable, Sendable {
    /// The work, as the start of a sentence: "Writing the feeds".
    package let operation: String
    /// Who does it when it is not part of a request: `schedule`, `housekeeping`, `start`.
    package let doer: String
    /// What it is done to, where there are several.
    package let target: String?

    package init(_ operation: String, by doer: String, to target: String? = nil) {
        self.operation = operation
        self.doer = doer
        self.target = target
    }

    static let publication = Chore("Writing the feeds", by: "housekeeping")
    static let keptFeeds = Chore("Reading the feeds that were published last", by: "start")
    static let oldPublication = Chore("Removing the feeds of apps that are gone", by: "start")
    static let checkpoint = Chore("Folding the log into the database", by: "housekeeping")
    static let catchingUp = Chore("Asking for what other servers wrote", by: "watch")
    static let probe = Chore("Probing the database", by: "housekeeping")
    static let refusals = Chore("Writing refusals to the audit", by: "housekeeping")
    static let setUp = Chore("Looking for users", by: "start")
    static let sessionSeen = Chore("Noting that a session was used", by: "request")
    static let tokenUsed = Chore("Noting that a token was used", by: "request")
    static let rehash = Chore("Writing a stronger hash of a password", by: "request")
    static let lastChange = Chore("Reading the last change of a target", by: "request")

    static let backup = Chore("Making a backup", by: "housekeeping")
    static let backups = Chore("Looking through the backups", by: "start")
    static let oldBackups = Chore("Removing old backups", by: "housekeeping")

    static let scheduleName = "schedule"
}
