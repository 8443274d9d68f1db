/// What a NOTIFY of anybody's brought to a connection that listens (PostgreSQL manual, NOTIFY). Thread rule: any; a value.
package struct PostgresNotification: Sendable, Hashable {
    package let channel: String
    /// Empty where nothing was said.
    package let payload: String
    /// Of the server's process that notified; a connection hears itself too, as ``PostgresConnection/processID``.
    package let processID: Int32
}
