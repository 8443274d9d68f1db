/// How long things may take, and what every session begins with. Thread rule: any; a value.
package struct PostgresOptions: Sendable {
    /// To make a connection with one server of the address, from the first packet to the end of the sign-in; an address of several servers
    /// may take as many times as long. `connect_timeout` in the address goes before it. Not in it: the look-up of a name, whose limits
    /// are those of resolv.conf(5).
    package var connectTimeout: Duration = .seconds(5)

    /// The longest a statement may run; the server ends it then (`statement_timeout`), and the connection stays. At least 1 ms.
    package var statementTimeout: Duration = .seconds(10)

    /// How much longer than `statementTimeout` an answer may be on its way. After both together a call ends whatever the server and the
    /// network do, and the connection is given up.
    package var answerTimeout: Duration = .seconds(2)

    /// How long the other side may be silent on the wire, with bytes unacknowledged or probes unanswered, before the system breaks the
    /// connection (`tcp_user_timeout`, `keepalives_…`; what the address says goes before it). For waits, which have no answer that is
    /// late. In steps of seconds, at least 3 s.
    package var silenceTimeout: Duration = .seconds(9)

    /// How many statements stay prepared in a session. At least 1.
    package var preparedStatements = 256

    /// Settings for the whole session, by name: `["synchronous_commit": "on"]`. Not those that this room sets itself: `statement_timeout`,
    /// `bytea_output`, `extra_float_digits`.
    package var settings: [String: String] = [:]

    package init() {}
}
