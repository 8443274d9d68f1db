import GateModel

/// A change as the rows in which it was found, to be decoded when the connection has been given back.
struct FoundChange {
    /// The row of `changes`.
    private let row: SQLRow
    private var targets: [(row: SQLRow, key: TargetKey)] = []
    private var salvage = Salvage()
    private var omitted = 0

    /// The change of a row of `changes`, with those of its targets that belong to `apps`; nil when they take more than `room`.
    /// - Parameters:
    ///   - room: bytes of documents that may still be read; reduced by what the change takes.
    ///   - isFirst: returns the change even if it does not fit, with as many of its targets as fit and the number of the others.
    init?(_ row: SQLRow, in db: SQLConnection, room: inout Int, of apps: AppScope, isFirst: Bool) throws {
        // The size of a change without its targets.
        room -= 1_024
        guard room > 0 || isFirst else { return nil }
        self.row = row
        let rows = try db.cachedStatement(sql: ChangeRows.targetsOfAChange).cursor(arguments: [try row.stored("sequence") as Int])
        while let row = try rows.next() {
            // A row whose target is unreadable cannot be shown.
            guard let key = salvage.take("app or platform", or: nil, { try ChangeRows.target(row) }), apps.contains(key.app) else {
                continue
            }
            guard omitted == 0 else {
                omitted += 1
                continue
            }
            let size = try Self.bytes(of: row)
            guard size <= room else {
                guard isFirst else { return nil }
                omitted = 1
                continue
            }
            room -= size
            targets.append((row.kept, key))
        }
    }

    /// About the size of the target's JSON: the row's documents and 256 bytes for the other members.
    private static func bytes(of row: SQLRow) throws -> Int {
        try ["before", "after", "settings_before", "settings_after", "feeds"].reduce(256) { total, column in
            total + (try row.storedIfAny(column) as String? ?? "").utf8.count
        }
    }

    /// The change, as far as it is readable; see ``Change/fault``.
    func change(_ documents: inout DocumentReader) throws -> Change {
        let targets = targets.map { ChangeRows.changedTarget($0.row, $0.key, &documents) }
        var change = try ChangeRows.change(row, targets: targets, salvage: salvage)
        change.omitted = omitted
        return change
    }
}
