import Foundation
import GateCrypto

/// Walks a chain and recomputes every link from the rows as stored.
///
/// Each link is computed from the hash stored in the row before it, so only the altered row is named, not all rows after it.
struct ChainCheck {
    let domain: ChainDomain

    func run(in db: SQLConnection, from start: ChainHead, limit: Int) throws -> ChainProgress {
        guard try ChainStore.head(of: domain, sequence: start.sequence, in: db) == start else {
            return ChainProgress(head: start, fault: try anchorFault(start, in: db), finished: true)
        }
        var head = start
        var checked = 0
        let rows = try db.cursor(
            sql:
                "SELECT sequence, hash, \(table.columnsAsBytes(in: db)) FROM \(table.rawValue) WHERE sequence > ? ORDER BY sequence LIMIT ?",
            arguments: [start.sequence, limit]
        )
        let targets = try Targets(in: db, from: domain == .changes ? start.sequence : nil, limit: limit)
        while let row = try rows.next() {
            checked += 1
            let sequence: Int = try row.stored("sequence")
            let values = try table.columns.indices.map { try ChainCheck.bytes(row, $0 + 2) }
            guard sequence == head.sequence &+ 1 &+ skipped(values) else { return fault(at: head, row: head.sequence &+ 1, "is missing") }
            guard let hash = SHA256Digest(bytes: try row.storedIfAny("hash") ?? []) else {
                return fault(at: head, row: sequence, "hash does not match")
            }
            let own = HashedRow(table: table, values: values)
            let rows = [own] + (try targets.rows(of: sequence))
            guard ChainLink.hash(domain: domain, sequence: sequence, previous: head.hash, rows: rows) == hash else {
                return fault(at: head, row: sequence, "hash does not match")
            }
            head = ChainHead(sequence: sequence, hash: hash)
        }
        let finished = checked < limit
        if finished, domain == .changes, let orphan = try orphan(in: db, after: head.sequence) {
            return fault(at: head, row: orphan, "is missing, but change_targets has rows of it")
        }
        return ChainProgress(head: head, fault: nil, finished: finished)
    }

    private var table: HistoryTable { domain.table }

    /// How many sequences the row says it skips; its hash covers that number and the previous row.
    private func skipped(_ values: [[UInt8]?]) -> Int {
        guard let index = table.columns.firstIndex(of: "skipped"), let bytes = values[index] else { return 0 }
        return Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }

    private static func bytes(_ row: SQLRow, _ index: Int) throws -> [UInt8]? { try (row.stored(at: index) as SQLValue).bytes }

    private func fault(at head: ChainHead, row: Int, _ problem: String) -> ChainProgress {
        ChainProgress(head: head, fault: StoreFault(place: table.rawValue, row: row, problem: problem), finished: true)
    }

    private func anchorFault(_ anchor: ChainHead, in db: SQLConnection) throws -> StoreFault {
        anchorFault(anchor, last: try db.value(Int.self, sql: "SELECT coalesce(max(sequence), 0) FROM \(table.rawValue)") ?? 0)
    }

    /// The fault when an anchor is not a link of the chain.
    /// - Parameter last: the last sequence of the chain.
    func anchorFault(_ anchor: ChainHead, last: Int) -> StoreFault {
        guard last >= anchor.sequence else {
            return .behindAnchor(table.rawValue, row: last + 1, "is missing: the anchor knows rows up to \(anchor.sequence)")
        }
        return StoreFault(place: table.rawValue, row: anchor.sequence, problem: "hash is not the anchor's: the history was rewritten")
    }

    private func orphan(in db: SQLConnection, after last: Int) throws -> Int? {
        try db.value(Int.self, sql: "SELECT min(sequence) FROM change_targets WHERE sequence > ? OR sequence < 1", arguments: [last])
    }

    /// The rows of `change_targets` in step with the rows of `changes`: one walk over each table.
    private final class Targets {
        private let cursor: SQLCursor?
        private var next: (sequence: Int, row: HashedRow)?

        /// - Parameters:
        ///   - start: the sequence after which to begin; nil for a chain without targets.
        ///   - limit: the most changes whose targets are read.
        init(in db: SQLConnection, from start: Int?, limit: Int) throws {
            guard let start else {
                cursor = nil
                return
            }
            // For a part of the chain, only its own targets: an engine might sort all the rest as well, even though it is not read.
            let isPart = limit < Int.max
            let end = "(SELECT max(sequence) FROM (SELECT sequence FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?) AS part)"
            cursor = try db.cursor(
                sql: """
                    SELECT sequence, \(HistoryTable.changeTargets.columnsAsBytes(in: db)) FROM change_targets
                    WHERE sequence > ?\(isPart ? " AND sequence <= \(end)" : "") ORDER BY sequence, position
                    """,
                arguments: isPart ? [start, start, limit] : [start]
            )
            try advance()
        }

        func rows(of sequence: Int) throws -> [HashedRow] {
            var rows: [HashedRow] = []
            // A row with an earlier sequence belongs to no change: it is counted with this one, whose hash then does not match.
            while let found = next, found.sequence <= sequence {
                rows.append(found.row)
                try advance()
            }
            return rows
        }

        private func advance() throws {
            next = try cursor?.next().map { row in
                (
                    try row.stored("sequence"),
                    HashedRow(
                        table: .changeTargets,
                        values: try HistoryTable.changeTargets.columns.indices.map { try ChainCheck.bytes(row, $0 + 1) }
                    )
                )
            }
        }
    }
}
