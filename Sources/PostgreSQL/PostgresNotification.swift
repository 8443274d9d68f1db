/// A NOTIFY, from any session, received by a listening connection (PostgreSQL manual, NOTIFY). Thread rule: any; a value.
package struct PostgresNotification: Sendable, Hashable {
    package let channel: String
    /// Empty where the sender gave none.
    package let payload: String
    /// The server process of the sender. A connection also hears its own notifications: see ``PostgresConnection/processID``.
    package let processID: Int32
}
