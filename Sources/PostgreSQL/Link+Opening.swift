import CPostgreSQL
import Glibc

/// Makes a connection: tries one server after the other, each with its own deadline.
extension Link {
    /// Connects to the first server of an address that accepts.
    convenience init(to address: PostgresAddress, _ options: PostgresOptions, _ wait: PostgresWait?) throws(PostgresError) {
        wait?.begin()
        defer { wait?.isOver() }
        // The list of servers may come from the environment: libpq tells what it would use, and has begun with the first.
        let connection = try Self.start(address, options, [])
        let parts = ConnectionParts(of: connection)
        let timeout = parts["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? Duration.seconds($0) : nil } ?? options.connectTimeout
        let servers = parts.servers
        // When libpq does not even begin, its message is about the whole address.
        if servers.count == 1 || PQstatus(connection) == CONNECTION_BAD {
            self.init(taking: try Self.finish(connection, address, within: timeout, wait), wait)
            return
        }
        PQfinish(connection)
        guard !parts.hasGaps else { throw PostgresError(.invalidAddress, "\(address): with several servers, each needs a name") }
        var failure: PostgresError?
        for server in servers {
            do throws(PostgresError) {
                self.init(taking: try Self.finish(try Self.start(address, options, server), address, within: timeout, wait), wait)
                return
            } catch {
                // A server that answers tells more than one that does not.
                if failure.map({ [.unreachable, .refused, .unknownHost, .connectionLost].contains($0.kind) }) ?? true { failure = error }
            }
        }
        throw failure ?? PostgresError(.invalidAddress, "\(address) names no server")
    }

    /// - Parameter server: takes precedence over the address.
    private static func start(
        _ address: PostgresAddress,
        _ options: PostgresOptions,
        _ server: [(name: String, value: String)]
    ) throws(PostgresError) -> OpaquePointer {
        let silence = max(3, options.silenceTimeout.components.seconds)
        // "processed in the order that they appear … later ones take precedence" (34.1): our defaults, then the address, then what must
        // hold.
        let words: [(name: String, value: String)] =
            [
                ("fallback_application_name", "gatehouse"),
                ("tcp_user_timeout", String(silence * 1_000)),
                ("keepalives_idle", String(max(1, silence / 3))),
                ("keepalives_interval", String(max(1, silence / 3))),
                ("keepalives_count", "2"),
                ("dbname", address.url),
                ("client_encoding", "UTF8"),
            ] + server
        let connection = withCStrings(words.map(\.name)) { names in withCStrings(words.map(\.value)) { PQconnectStartParams(names, $0, 1) }
        }
        guard let connection else { throw PostgresError(.unreachable, "there is no memory for a connection with \(address)") }
        gatehouse_ignore_notices(connection)
        // libpq's messages then contain the server's code, see LibpqWords.
        _ = PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        return connection
    }

    /// - Returns: the connection, signed in; it is closed when that fails.
    private static func finish(
        _ connection: OpaquePointer,
        _ address: PostgresAddress,
        within timeout: Duration,
        _ wait: PostgresWait?
    ) throws(PostgresError) -> OpaquePointer {
        let deadline = Deadline(after: timeout)
        // "behave as if it had just returned PGRES_POLLING_WRITING" before the first call (34.1, PQconnectPoll).
        var state = PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
            guard !deadline.isPast else {
                PQfinish(connection)
                throw PostgresError(.unreachable, "\(address): no connection within \(timeout.inWords)")
            }
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            let readiness = Self.wait(connection, for: events, until: deadline, orBell: wait?.bell)
            guard !readiness.isRung else {
                PQfinish(connection)
                throw PostgresError(.unreachable, "\(address): the attempt was given up")
            }
            guard readiness.isReady else { continue }
            state = PQconnectPoll(connection)
        }
        guard state == PGRES_POLLING_OK, PQsetnonblocking(connection, 1) == 0 else {
            defer { PQfinish(connection) }
            let words = LibpqWords(String(cString: PQerrorMessage(connection)))
            throw words.error(words.obstacle).at(address)
        }
        return connection
    }

    /// The texts as C strings, valid until `body` returns; a NULL follows the last.
    private static func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        var memory: [CChar] = []
        var offsets: [Int] = []
        for text in texts {
            offsets.append(memory.count)
            memory.append(contentsOf: text.utf8CString)
        }
        return memory.withUnsafeBufferPointer { memory in body(offsets.map { offset in memory.baseAddress.map { $0 + offset } } + [nil]) }
    }
}
