import CPostgreSQL
import Glibc

/// One libpq connection and the exchanges over it. With ``CancelKey`` the only place that holds libpq's pointers.
///
/// libpq is told never to block (`PQsetnonblocking`); all waiting is a poll(2) with the call's deadline. When that passes, or the
/// connection breaks, the connection is closed and every later call is refused: half an answer may be on the wire, and nobody could say to
/// which call it belongs.
///
/// Thread rule: one thread at a time ("no two threads attempt to manipulate the same PGconn object at the same time", PostgreSQL manual,
/// 34.20).
final class Link {
    /// Nil when the connection is closed.
    private var connection: OpaquePointer?
    /// What the server said when it ended the session; libpq writes to it as long as the connection is open.
    private let farewell = UnsafeMutablePointer<gatehouse_farewell>.allocate(capacity: 1)
    /// Lets other threads end a wait.
    private let wait: PostgresWait?
    let cancelKey: CancelKey
    let processID: Int32
    let version: ServerVersion

    /// - Parameter connection: made and signed in; taken over.
    init(taking connection: OpaquePointer, _ wait: PostgresWait? = nil) {
        self.connection = connection
        self.wait = wait
        farewell.initialize(to: gatehouse_farewell())
        gatehouse_keep_farewell(connection, farewell)
        cancelKey = CancelKey(connection)
        processID = PQbackendPID(connection)
        version = ServerVersion(number: PQserverVersion(connection))
    }

    deinit {
        close()
        farewell.deallocate()
    }

    /// Says goodbye if that can be done without waiting. Everything after it is refused.
    func close() {
        if let connection { PQfinish(connection) }
        connection = nil
    }

    // MARK: State

    /// Looks only at the socket, without asking the server.
    /// - Returns: false when the other side has closed the connection, or this one.
    var isAlive: Bool {
        guard let connection else { return false }
        // The server's farewell comes before the end of the stream, and each takes a read of its own.
        for _ in 0..<8 where Self.wait(connection, for: POLLIN, until: Deadline(after: .zero)).isReady {
            guard PQconsumeInput(connection) == 1 else { break }
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            close()
            return false
        }
        return true
    }

    var transactionState: PostgresTransactionState {
        guard let connection else { return .lost }
        return switch PQtransactionStatus(connection) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS, PQTRANS_ACTIVE: .open
        case PQTRANS_INERROR: .failed
        default: .lost
        }
    }

    /// A parameter that the server reports about itself; nil where it does not report it.
    func parameter(_ name: String) -> String? {
        connection.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
    }

    // MARK: Statements

    /// The answer to one message.
    struct Reply {
        var names: [String] = []
        var rows: [PostgresRow] = []
        var affectedRows = 0
        /// Only set for the description of a statement.
        var parameters: [PostgresType] = []
    }

    /// Runs one or more statements as they are, without arguments; if one fails, the server has carried out those before it.
    func run(_ script: String, until deadline: Deadline) throws(PostgresError) -> Reply {
        try exchange(script, until: deadline) { PQsendQuery($0, script) }
    }

    /// Has the server prepare a statement and describe its parameters.
    func prepare(_ statement: String, as name: String, until deadline: Deadline) throws(PostgresError) -> [PostgresType] {
        _ = try exchange(statement, until: deadline) { PQsendPrepare($0, name, statement, 0, nil) }
        return try exchange(statement, until: deadline) { PQsendDescribePrepared($0, name) }.parameters
    }

    /// - Parameter arguments: one for each parameter.
    func execute(
        _ name: String,
        of statement: String,
        _ arguments: [PostgresType.Encoded],
        until deadline: Deadline
    ) throws(PostgresError) -> Reply {
        // All in one piece of memory, each ending in the NUL by which libpq finds the end of a text.
        var memory: [UInt8] = []
        var places: [(offset: Int, length: Int32, format: Int32)?] = []
        for argument in arguments {
            switch argument {
            case .null:
                places.append(nil)
                continue
            case .text(let text):
                places.append((memory.count, Int32(clamping: text.utf8.count), 0))
                memory.append(contentsOf: text.utf8)
            case .bytes(let bytes):
                places.append((memory.count, Int32(clamping: bytes.count), 1))
                memory.append(contentsOf: bytes)
            }
            memory.append(0)
        }
        return try exchange(statement, until: deadline) { connection in
            memory.withUnsafeBufferPointer { memory in
                let values = places.map { place in
                    place.flatMap { place in
                        memory.baseAddress.map { UnsafeRawPointer($0 + place.offset).assumingMemoryBound(to: CChar.self) }
                    }
                }
                // libpq copies what it is given before it returns. Answers come as text (0).
                return PQsendQueryPrepared(
                    connection,
                    name,
                    Int32(places.count),
                    values,
                    places.map { $0?.length ?? 0 },
                    places.map { $0?.format ?? 0 },
                    0
                )
            }
        }
    }

    // MARK: Notifications

    /// Waits until there are notifications, `bell` rings, or the deadline passes.
    /// - Returns: none in the last two cases.
    func notifications(until deadline: Deadline, orBell bell: Bell) throws(PostgresError) -> [PostgresNotification] {
        while true {
            guard let connection else { throw Self.closed }
            guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { throw lost(connection, nil) }
            var received: [PostgresNotification] = []
            while let notification = PQnotifies(connection) {
                defer { PQfreemem(notification) }
                received.append(
                    PostgresNotification(
                        channel: String(cString: notification.pointee.relname),
                        payload: String(cString: notification.pointee.extra),
                        processID: notification.pointee.be_pid
                    )
                )
            }
            if !received.isEmpty || deadline.isPast { return received }
            if Self.wait(connection, for: POLLIN, until: Self.nextLook(connection, deadline), orBell: bell).isRung {
                bell.hear()
                return []
            }
        }
    }

    // MARK: The wire

    private static let closed = PostgresError(.closed, "the connection was closed before")

    /// Sends one message and reads everything that answers it.
    /// - Parameter send: hands the message to libpq, which keeps it until it can be sent.
    private func exchange(
        _ statement: String,
        until deadline: Deadline,
        _ send: (OpaquePointer) -> Int32
    ) throws(PostgresError) -> Reply {
        guard let connection, PQstatus(connection) == CONNECTION_OK else {
            close()
            throw Self.closed
        }
        wait?.begin()
        defer { wait?.isOver() }
        guard send(connection) == 1 else { throw lost(connection, statement) }
        try flush(connection, statement, until: deadline)
        var reply = Reply()
        var failure: PostgresError?
        while let result = try next(connection, statement, until: deadline) {
            defer { PQclear(result) }
            do throws(PostgresError) {
                try read(result, statement, into: &reply)
            } catch {
                // The rest of the answer is still read; otherwise the next call would find it.
                failure = failure ?? error
            }
            // With COPY the server now waits for data from us, or floods us with its own.
            if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(PQresultStatus(result)) {
                close()
                throw failure ?? Self.closed
            }
        }
        if PQstatus(connection) != CONNECTION_OK || failure?.isConnectionLost == true {
            if let failure, failure.isConnectionLost, failure.sqlState != nil {
                close()
                throw failure
            }
            throw lost(connection, statement)
        }
        if let failure { throw failure }
        return reply
    }

    /// "If it returns 1, wait for the socket to become read- or write-ready. If it becomes write-ready, call PQflush again. If it becomes
    /// read-ready, call PQconsumeInput, then call PQflush again" (34.4).
    private func flush(_ connection: OpaquePointer, _ statement: String, until deadline: Deadline) throws(PostgresError) {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1:
                guard !deadline.isPast else { throw late(statement) }
                let readiness = Self.wait(connection, for: POLLIN | POLLOUT, until: deadline, orBell: wait?.bell)
                if readiness.isRung { throw givenUp(statement) }
                if readiness.isReadable { try consume(connection, statement) }
            default: throw lost(connection, statement)
            }
        }
    }

    /// - Returns: nil after the last result.
    private func next(_ connection: OpaquePointer, _ statement: String, until deadline: Deadline) throws(PostgresError) -> OpaquePointer? {
        while PQisBusy(connection) == 1 {
            guard !deadline.isPast else { throw late(statement) }
            let readiness = Self.wait(connection, for: POLLIN, until: Self.nextLook(connection, deadline), orBell: wait?.bell)
            // An answer that has arrived meanwhile still counts.
            if readiness.isRung, !readiness.isReady { throw givenUp(statement) }
            try consume(connection, statement)
        }
        return PQgetResult(connection)
    }

    private func consume(_ connection: OpaquePointer, _ statement: String) throws(PostgresError) {
        guard PQconsumeInput(connection) == 1 else { throw lost(connection, statement) }
    }

    /// How long poll(2) on the socket alone can be trusted. Under TLS it does not see what OpenSSL has already read: a record has up to 16
    /// KiB, which may be more than libpq had room for, and the next call returns the rest of it whether the socket has anything or not.
    private static func nextLook(_ connection: OpaquePointer, _ deadline: Deadline) -> Deadline {
        PQsslInUse(connection) == 1 ? deadline.orEarlier(.milliseconds(20)) : deadline
    }

    /// What poll(2) reported.
    struct Readiness {
        var isReady = false
        var isReadable = false
        var isRung = false
    }

    /// Waits for the socket. An error from poll counts as readiness: libpq finds it when it reads.
    static func wait(_ connection: OpaquePointer, for events: Int32, until deadline: Deadline, orBell bell: Bell? = nil)
        -> Readiness
    {
        let descriptor = PQsocket(connection)
        guard descriptor >= 0 else { return Readiness(isReady: true, isReadable: true) }
        var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        if let bell { descriptors.append(pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)) }
        // A signal ends it early; the caller checks the deadline and waits again.
        guard poll(&descriptors, nfds_t(descriptors.count), deadline.milliseconds) > 0 else { return Readiness() }
        return Readiness(
            isReady: descriptors[0].revents != 0,
            isReadable: descriptors[0].revents & ~Int16(POLLOUT) != 0,
            isRung: descriptors.count > 1 && descriptors[1].revents != 0
        )
    }

    /// The deadline passed: the connection is given up. The server ends a running statement by its own clock.
    private func late(_ statement: String) -> PostgresError {
        close()
        return PostgresError(.timedOut, "the server did not answer in time", statement: statement)
    }

    /// Another thread has found out that no answer will come.
    private func givenUp(_ statement: String) -> PostgresError {
        close()
        return PostgresError(.connectionLost, "the server was given up before it answered", statement: statement)
    }

    /// The connection broke. The server's farewell, if there is one, says more than libpq does.
    private func lost(_ connection: OpaquePointer, _ statement: String?) -> PostgresError {
        let words = LibpqWords(String(cString: PQerrorMessage(connection)))
        // On a broken connection libpq does not wait here. The bound is for one that is not broken.
        for _ in 0..<8 where PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else { break }
            defer { PQclear(result) }
            let error = Self.error(of: result, statement)
            guard error.sqlState != nil, error.isConnectionLost else { continue }
            close()
            return error
        }
        let said = (
            sqlState: String(cString: gatehouse_farewell_sqlstate(farewell)), message: String(cString: gatehouse_farewell_message(farewell))
        )
        close()
        if !said.sqlState.isEmpty {
            return PostgresError(.init(sqlState: said.sqlState), said.message, sqlState: said.sqlState, statement: statement)
        }
        // What the server sent while no call was running may be in libpq's message. Whatever it says, the connection is gone.
        let error = words.error(.connectionLost, statement: statement)
        if error.isConnectionLost { return error }
        return PostgresError(.connectionLost, error.message, sqlState: error.sqlState, statement: statement)
    }
}
