/// How long things may take, and the settings of every session. Thread rule: any; a value.
package struct PostgresOptions: Sendable {
    /// The time to connect to one server of the address, from the first packet to the end of the sign-in; an address with several servers
    /// may take that long for each. `connect_timeout` in the address takes precedence. Not included: looking up a name, whose limits are
    /// those of resolv.conf(5).
    package var connectTimeout: Duration = .seconds(5)

    /// The longest a statement may run; then the server ends it (`statement_timeout`), and the connection stays usable. At least 1 ms.
    package var statementTimeout: Duration = .seconds(10)

    /// How much longer than `statementTimeout` to wait for an answer. After both together a call ends, whatever the server and the network
    /// do, and the connection is given up.
    package var answerTimeout: Duration = .seconds(2)

    /// How long the other side may be silent on the wire, with bytes unacknowledged or probes unanswered, before the system breaks the
    /// connection (`tcp_user_timeout`, `keepalives_…`; the address takes precedence). Meant for waits, where no answer can be overdue.
    /// Whole seconds, at least 3 s.
    package var silenceTimeout: Duration = .seconds(9)

    /// How many statements stay prepared in a session. At least 1.
    package var preparedStatements = 256

    /// Settings for the whole session, by name: `["synchronous_commit": "on"]`. Not those that this room sets itself, which win:
    /// `statement_timeout`, `bytea_output`, `extra_float_digits`.
    package var settings: [String: String] = [:]

    package init() {}
}
