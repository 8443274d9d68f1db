import GateJSON
import GateModel
import PostgreSQL

/// The table in which servers that share a database tell each other what polls they counted: each writes its own row and reads the others'.
/// Ages are by the database's clock, so that servers' clocks may differ.
///
/// Whatever is counted, a server writes and reads so many bytes a second on average and no more; a row that says what it said before is not
/// written, nor read, again.
struct PollTable {
    /// What a server wrote of itself.
    typealias Telling = (document: [UInt8], countedAt: Timestamp)

    /// What a round brought.
    struct News {
        /// Of other servers, those that are new or have changed.
        var fresh: [SharedPolls] = []
        /// All other servers that are known, and those of them that were heard of lately.
        var known: Set<String> = []
        var speaking: Set<String> = []
    }

    let name: String
    /// Rounds until now.
    private var rounds = 0
    /// When the row was written that stands there for this server; nil where there is none.
    private var standing: Int64?
    /// What this server wrote last.
    private var written: (document: [UInt8], takenAt: Int64)?
    /// Of each other server, what was read last and in which round.
    private var read: [String: (takenAt: Int64, round: Int)] = [:]
    private var writing = TransferPace(bytesPerSecond: 64 << 10)
    private var reading = TransferPace(bytesPerSecond: 256 << 10)

    init(name: String) { self.name = name }

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    /// How long a server that is gone is remembered, in milliseconds: a day, as in the table of the servers.
    private static let memory = 86_400_000
    /// Bytes of all documents together, beyond which no further server is listened to.
    static let mostBytes = 32 << 20

    private struct Row {
        let server: String
        let takenAt: Int64
        let size: Int
        let isSpeaking: Bool
    }

    /// What the others have told since the last round.
    mutating func hear(at now: ContinuousClock.Instant, on connection: PostgresConnection) throws(PostgresError) -> News {
        rounds += 1
        let rows = try list(on: connection)
        standing = rows.first { $0.server == name }?.takenAt
        return try hear(rows.filter { $0.server != name }.prefix(SharedPolls.mostServers), at: now, on: connection)
    }

    /// Writes what this server has to tell, when it is time for it and there is something new.
    /// - Parameter own: asked for it. What it makes is paced like what is written: it takes its time too.
    mutating func tell(_ own: () -> Telling, at now: ContinuousClock.Instant, on connection: PostgresConnection) throws(PostgresError) {
        if rounds % 60 == 1 { try forget(on: connection) }
        guard writing.allows(at: now) else { return }
        let telling = own()
        writing.note(telling.document.count, at: now)
        // One that was written by another server of the same name, or lost with a crash of the database, is written anew.
        if let written, written.takenAt == standing, written.document == telling.document { return }
        try write(telling, on: connection)
    }

    /// What is counted until a server's end stays for the others.
    mutating func tellLast(_ own: () -> Telling, on connection: PostgresConnection) throws(PostgresError) {
        let telling = own()
        if written?.document != telling.document { try write(telling, on: connection) }
    }

    // MARK: The rows

    /// What is known of every row without reading its document; those that are at work first, and always in the same order.
    private func list(on connection: PostgresConnection) throws(PostgresError) -> [Row] {
        let rows = try connection.execute(
            """
            SELECT server, taken_at, octet_length(document) AS size,
                coalesce(seen_at > \(Self.now) - \(SharedServer.patience * 1_000), false) AS is_speaking
            FROM server_polls LEFT JOIN servers ON servers.name = server
            ORDER BY server = $1 DESC, is_speaking DESC, server LIMIT \(SharedPolls.mostServers + 1)
            """,
            [.text(name)]
        ).rows
        return rows.compactMap { row in
            guard let server = row["server"].text, let takenAt = row["taken_at"].integer, let size = row["size"].integer,
                let isSpeaking = row["is_speaking"].boolean
            else { return nil }
            return Row(server: server, takenAt: takenAt, size: Int(size), isSpeaking: isSpeaking)
        }
    }

    private mutating func write(_ telling: Telling, on connection: PostgresConnection) throws(PostgresError) {
        guard telling.document.count <= SharedPolls.mostBytes else { return }
        let answer = try connection.execute(
            """
            INSERT INTO server_polls (server, taken_at, counted_at, document) VALUES ($1, \(Self.now), $2, $3)
            ON CONFLICT (server) DO UPDATE
            SET taken_at = excluded.taken_at, counted_at = excluded.counted_at, document = excluded.document
            RETURNING taken_at
            """,
            [.text(name), .integer(telling.countedAt.milliseconds), .text(String(decoding: telling.document, as: UTF8.self))]
        )
        written = answer.rows.first?[0].integer.map { (telling.document, $0) }
    }

    /// Servers that were not heard of for a day.
    private func forget(on connection: PostgresConnection) throws(PostgresError) {
        try connection.execute(
            """
            DELETE FROM server_polls WHERE taken_at < \(Self.now) - \(Self.memory)
            AND NOT EXISTS (SELECT 1 FROM servers WHERE servers.name = server_polls.server)
            """
        )
    }

    private mutating func hear(
        _ rows: some Collection<Row>,
        at now: ContinuousClock.Instant,
        on connection: PostgresConnection
    ) throws(PostgresError) -> News {
        var (news, room) = (News(), Self.mostBytes)
        var changed: [Row] = []
        for row in rows {
            // What is too long is not read, and takes up nothing.
            let size = row.size > SharedPolls.mostBytes ? 0 : row.size
            guard size <= room else { continue }
            room -= size
            news.known.insert(row.server)
            if row.isSpeaking { news.speaking.insert(row.server) }
            if read[row.server]?.takenAt != row.takenAt { changed.append(row) }
        }
        read = read.filter { news.known.contains($0.key) }
        // Whoever was read longest ago first, so that everybody has a turn.
        changed.sort { (read[$0.server]?.round ?? 0, $0.server) < (read[$1.server]?.round ?? 0, $1.server) }
        var taken: [String: (takenAt: Int64, round: Int)] = [:]
        for row in changed where reading.allows(at: now, ahead: .seconds(1)) {
            // Noted before: one that a slow way does not let through must not be tried again at once.
            reading.note(min(row.size, SharedPolls.mostBytes), at: now)
            if let fresh = try document(of: row, on: connection) { news.fresh.append(fresh) }
            taken[row.server] = (row.takenAt, rounds)
        }
        // Not before all are there: what an error throws away is read again.
        read.merge(taken) { $1 }
        return news
    }

    /// - Returns: nil for a row that is gone meanwhile.
    private func document(of row: Row, on connection: PostgresConnection) throws(PostgresError) -> SharedPolls? {
        let answer = try connection.execute(
            """
            SELECT counted_at, \(Self.now) - taken_at AS age,
                CASE WHEN octet_length(document) <= \(SharedPolls.mostBytes) THEN document ELSE '' END AS document
            FROM server_polls WHERE server = $1
            """,
            [.text(row.server)]
        )
        guard let first = answer.rows.first, let countedAt = first["counted_at"].integer, let age = first["age"].integer,
            let document = first["document"].text
        else { return nil }
        return SharedPolls(
            server: row.server,
            document: Array(document.utf8),
            countedAt: Timestamp(milliseconds: countedAt),
            age: max(0, age)
        )
    }
}
