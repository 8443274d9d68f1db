import GateJSON
import GateModel
import PostgreSQL

/// The table in which servers that share a database tell each other which polls they counted: each writes its own row and reads the
/// others'. Ages are by the database's clock, so the servers' clocks may differ.
///
/// However much is counted, a server writes and reads only so many bytes per second on average; a row that has not changed is neither
/// written nor read again.
struct PollTable {
    /// What a server writes about itself.
    typealias Telling = (document: [UInt8], countedAt: Timestamp)

    /// The result of a round.
    struct News {
        /// The other servers' rows that are new or have changed.
        var fresh: [SharedPolls] = []
        /// All other servers that are known, and those of them that gave a sign of life lately.
        var known: Set<String> = []
        var speaking: Set<String> = []
    }

    let name: String
    /// Rounds so far.
    private var rounds = 0
    /// When the present row of this server was written; nil where there is none.
    private var standing: Int64?
    /// What this server wrote last.
    private var written: (document: [UInt8], takenAt: Int64)?
    /// For each other server, what was last read and in which round.
    private var read: [String: (takenAt: Int64, round: Int)] = [:]
    private var writing = TransferPace(bytesPerSecond: 64 << 10)
    private var reading = TransferPace(bytesPerSecond: 256 << 10)

    init(name: String) { self.name = name }

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    /// How long a server that has gone is remembered, in milliseconds: a day, as in the table of the servers.
    private static let memory = 86_400_000
    /// The most bytes of all documents together; further servers are not read.
    static let mostBytes = 32 << 20

    private struct Row {
        let server: String
        let takenAt: Int64
        let size: Int
        let isSpeaking: Bool
    }

    /// Reads what the others have written since the last round.
    mutating func hear(at now: ContinuousClock.Instant, on connection: PostgresConnection) throws(PostgresError) -> News {
        rounds += 1
        let rows = try list(on: connection)
        standing = rows.first { $0.server == name }?.takenAt
        return try hear(rows.filter { $0.server != name }.prefix(SharedPolls.mostServers), at: now, on: connection)
    }

    /// Writes this server's counts, when it is time and there is something new.
    /// - Parameter own: makes the document. Making it counts towards the pace even if it is not written: that takes time too.
    mutating func tell(_ own: () -> Telling, at now: ContinuousClock.Instant, on connection: PostgresConnection) throws(PostgresError) {
        if rounds % 60 == 1 { try forget(on: connection) }
        guard writing.allows(at: now) else { return }
        let telling = own()
        writing.note(telling.document.count, at: now)
        // A row that another server of the same name has written over, or that a database crash has lost, is written again.
        if let written, written.takenAt == standing, written.document == telling.document { return }
        try write(telling, on: connection)
    }

    /// Leaves the counts up to this server's end for the others.
    mutating func tellLast(_ own: () -> Telling, on connection: PostgresConnection) throws(PostgresError) {
        let telling = own()
        if written?.document != telling.document { try write(telling, on: connection) }
    }

    // MARK: The rows

    /// Lists every row without reading its document; servers at work first, always in the same order.
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

    /// Removes the rows of servers that gave no sign of life for a day.
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
            // A document that is too long is not read, and takes no room.
            let size = row.size > SharedPolls.mostBytes ? 0 : row.size
            guard size <= room else { continue }
            room -= size
            news.known.insert(row.server)
            if row.isSpeaking { news.speaking.insert(row.server) }
            if read[row.server]?.takenAt != row.takenAt { changed.append(row) }
        }
        read = read.filter { news.known.contains($0.key) }
        // The server read longest ago comes first, so everybody gets a turn.
        changed.sort { (read[$0.server]?.round ?? 0, $0.server) < (read[$1.server]?.round ?? 0, $1.server) }
        var taken: [String: (takenAt: Int64, round: Int)] = [:]
        for row in changed where reading.allows(at: now, ahead: .seconds(1)) {
            // Noted before reading: a document that a slow network does not let through must not be tried again at once.
            reading.note(min(row.size, SharedPolls.mostBytes), at: now)
            if let fresh = try document(of: row, on: connection) { news.fresh.append(fresh) }
            taken[row.server] = (row.takenAt, rounds)
        }
        // Only when all have been read: what an error discards is read again.
        read.merge(taken) { $1 }
        return news
    }

    /// - Returns: nil for a row that has gone meanwhile.
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
