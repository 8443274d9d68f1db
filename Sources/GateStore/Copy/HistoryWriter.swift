/// Writes changes, each with all of its targets before the next one, as the triggers require.
///
/// A server is not asked once per change: portions go into temporary tables, and a procedure on the server moves them on in order. The
/// triggers see the same as for any other change.
struct HistoryWriter {
    private let db: SQLConnection
    private var changes: RowWriter
    private var targets: RowWriter
    private let takeOn: String
    private var waiting = 0
    /// The most rows that wait for the procedure, unless a single change has more.
    private static let portion = 1_024

    init(changes: [SQLColumn], targets: [SQLColumn], in db: SQLConnection) throws {
        self.db = db
        guard db.kind == .postgresql else {
            self.changes = RowWriter(into: "changes", columns: changes, in: db)
            self.targets = RowWriter(into: "change_targets", columns: targets, in: db)
            takeOn = ""
            return
        }
        try db.execute(sql: "CREATE TEMP TABLE copied_changes (LIKE changes, PRIMARY KEY (sequence)) ON COMMIT DROP")
        try db.execute(sql: "CREATE TEMP TABLE copied_targets (LIKE change_targets, PRIMARY KEY (sequence, position)) ON COMMIT DROP")
        self.changes = RowWriter(into: "pg_temp.copied_changes", columns: changes, in: db)
        self.targets = RowWriter(into: "pg_temp.copied_targets", columns: targets, in: db)
        func names(_ columns: [SQLColumn], of row: String = "") -> String { columns.map { row + $0.name }.joined(separator: ", ") }
        takeOn = """
            DO $copy$
            DECLARE one record;
            BEGIN
                FOR one IN SELECT * FROM pg_temp.copied_changes ORDER BY sequence LOOP
                    INSERT INTO changes (\(names(changes))) VALUES (\(names(changes, of: "one.")));
                    INSERT INTO change_targets (\(names(targets)))
                    SELECT \(names(targets)) FROM pg_temp.copied_targets WHERE sequence = one.sequence ORDER BY position;
                END LOOP;
            END $copy$
            """
    }

    mutating func write(_ change: [SQLValue], targets rows: [[SQLValue]]) throws {
        try changes.write(change)
        for row in rows { try targets.write(row) }
        waiting += 1 + rows.count
        if waiting >= Self.portion { try flush() }
    }

    mutating func flush() throws {
        try changes.flush()
        try targets.flush()
        waiting = 0
        guard db.kind == .postgresql else { return }
        try db.execute(sql: takeOn)
        try db.execute(sql: "TRUNCATE pg_temp.copied_changes, pg_temp.copied_targets")
    }
}
