import GateJSON
import GateModel
import PostgreSQL

/// The table of the servers that share a database: each writes its own row once a second and reads the others', in the session of its
/// ``StoreWatch``. Times are by the database's clock, so a wrong clock on a server cannot make another one look gone.
struct StoreRoster {
    let name: String
    /// When this server started, by the database's clock; nil before the database was asked.
    private var startedAt: Int64?
    /// Rounds so far.
    private var rounds = 0
    /// Whether another server writes to the same row.
    private(set) var isNameShared = false
    /// How many seconds this server's clock is ahead of the database's, and less than 0 if it is behind; nil before there was a row to ask
    /// with.
    private(set) var lead: Int?

    init(name: String) { self.name = name }

    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    /// How long a server that has gone is remembered, in milliseconds: a day.
    private static let memory = 86_400_000

    /// Reads how far the others are, and compares the clocks; also possible where nothing can be written.
    /// - Parameters:
    ///   - sequence: the last change that this server's feeds have.
    ///   - time: what this server's clock says.
    /// - Returns: all servers, by their names.
    mutating func read(_ sequence: Int, at time: Timestamp, on connection: PostgresConnection) throws(PostgresError) -> [SharedServer] {
        let rows = try connection.execute("SELECT name, started_at, seen_at, sequence, \(Self.now) AS now FROM servers ORDER BY name").rows
        if let now = rows.first?["now"].integer { lead = Int((time.milliseconds - now) / 1_000) }
        var servers: [SharedServer] = []
        for row in rows {
            guard let name = row["name"].text, let startedAt = row["started_at"].integer, let seenAt = row["seen_at"].integer,
                let sequence = row["sequence"].integer, let now = row["now"].integer
            else { continue }
            let silence = Int(max(0, now - seenAt) / 1_000)
            // In the first rounds the row may be this server's own from before its restart.
            if name == self.name, rounds > 5 { isNameShared = startedAt != self.startedAt && silence < 3 }
            servers.append(
                SharedServer(
                    name: name,
                    startedAt: Timestamp(milliseconds: startedAt),
                    sequence: Int(sequence),
                    silentSeconds: silence
                )
            )
        }
        rounds += 1
        if startedAt == nil { startedAt = try connection.execute("SELECT \(Self.now)").rows.first?[0].integer }
        servers.removeAll { $0.name == name }
        servers.append(
            SharedServer(name: name, startedAt: Timestamp(milliseconds: startedAt ?? 0), sequence: sequence, silentSeconds: 0)
        )
        return servers.sorted { $0.name < $1.name }
    }

    /// Writes this server's row, after ``read(_:at:on:)``.
    /// - Parameter sequence: the last change that its feeds have.
    func write(_ sequence: Int, on connection: PostgresConnection) throws(PostgresError) {
        try connection.execute(
            """
            INSERT INTO servers (name, started_at, seen_at, sequence) VALUES ($1, $2, \(Self.now), $3)
            ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, seen_at = excluded.seen_at, sequence = excluded.sequence
            """,
            [.text(name), .integer(startedAt ?? 0), .integer(Int64(sequence))]
        )
        if rounds % 60 == 1 { try connection.execute("DELETE FROM servers WHERE seen_at < \(Self.now) - \(Self.memory)") }
    }

    /// Removes this server's row: a server that stops in an orderly way must not look gone.
    func leave(_ connection: PostgresConnection) throws(PostgresError) {
        guard let startedAt else { return }
        try connection.execute("DELETE FROM servers WHERE name = $1 AND started_at = $2", [.text(name), .integer(startedAt)])
    }
}
