import Foundation
import GateModel
import GateStore

/// Walks both chains of a database in portions, so that no read lasts long enough to hold up a checkpoint or anybody else's read. SQLite's
/// own check goes table by table, which is the smallest portion it has: with 300,000 changes in 207 MiB the longest was `change_targets`,
/// 1.1 s.
struct HistoryCheck {
    let store: Store
    /// Asked between portions; when it says no, the walk ends without a finding.
    let goesOn: @Sendable () -> Bool

    /// Changes in a portion: about eight milliseconds while everybody waits for the check, and less than one while it runs beside other
    /// reads, which wait for it.
    private static let (portion, smallPortion) = (500, 50)

    /// - Parameters:
    ///   - anchor: where to begin; the database must still have it unchanged. Nil for the beginning.
    ///   - resting: whether to rest after each portion for as long as it took, to leave the processor to the phones.
    /// - Returns: the first fault, or nil.
    /// - Throws: when the database cannot be read at the moment, which says nothing about the history.
    func fault(since anchor: ChainAnchor?, resting: Bool) throws(StoreError) -> StoreFault? {
        let changes = try walk(from: anchor?.changes, resting: resting) { head, limit throws(StoreError) in
            try store.verifyChain(from: head, limit: limit)
        }
        if let changes { return changes }
        return try walk(from: anchor?.audit, resting: resting) { head, limit throws(StoreError) in
            try store.verifyAuditChain(from: head, limit: limit)
        }
    }

    /// The first damage of the file that the chains do not show: a bad page, or an index that lacks a row. Rests after each table.
    func damage() throws(StoreError) -> StoreFault? {
        for table in try store.tables() where goesOn() {
            let begun = ContinuousClock.now
            if let fault = try store.damage(of: table) { return fault }
            rest(since: begun)
        }
        return nil
    }

    /// Every row that nobody can read, for the health. Rests after each portion.
    func unreadableRows() throws(StoreError) -> [StoreFault] {
        var faults: [StoreFault] = []
        var position: RowPosition?
        while goesOn() {
            let begun = ContinuousClock.now
            let part = try store.unreadableRows(after: position, limit: Self.smallPortion)
            faults += part.faults
            guard let next = part.position else { break }
            position = next
            rest(since: begun)
        }
        return faults
    }

    /// Rests for as long as the work took, to leave the processor to the phones.
    private func rest(since begun: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (ContinuousClock.now - begun).components
        Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }

    private func walk(
        from start: ChainHead?,
        resting: Bool,
        _ check: (ChainHead?, Int) throws(StoreError) -> ChainProgress
    ) throws(StoreError) -> StoreFault? {
        var head = start
        while goesOn() {
            let begun = ContinuousClock.now
            let progress = try check(head, resting ? Self.smallPortion : Self.portion)
            if progress.finished { return progress.fault }
            head = progress.head
            if resting { rest(since: begun) }
        }
        return nil
    }
}
