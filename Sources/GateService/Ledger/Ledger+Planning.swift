import GateModel
import GateStore

extension Ledger {
    /// Plans on a snapshot while others write, and then carries the plan out in a turn, if it would still come out the same by then. Where
    /// other servers also write to the database, their writes are learned first.
    ///
    /// All the work that depends on a caller's input happens in `plan`. Whoever was overtaken plans again; the last time within their turn,
    /// so that even somebody who is overtaken again and again gets through.
    /// - Parameters:
    ///   - plan: called with whether others wait for it; if so, it leaves out whatever the decision does not need.
    ///   - holds: whether the plan is still right on a newer snapshot than the one it was made on.
    ///   - carryOut: called with the snapshot at that time; should do nothing but commit.
    func planned<Draft, Value>(
        _ plan: (Snapshot, _ isHeld: Bool) throws(ServiceError) -> Draft,
        holds: (Draft, _ before: Snapshot, _ now: Snapshot) -> Bool,
        carryOut: (Draft, Snapshot, borrowing Turn) throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        guard let store, store.isShared else { return try plannedHere(plan, holds: holds, carryOut: carryOut) }
        // Another server may write between the look and the transaction; the transaction is then refused, and everything is done again.
        for _ in 0..<Self.races {
            try catchUp()
            do throws(ServiceError) { return try plannedHere(plan, holds: holds, carryOut: carryOut) } catch {
                guard error.isOvertaken else { throw error }
            }
        }
        return try store.alone { error in
            note(error)
            return ServiceError(error)
        } _: { () throws(ServiceError) in
            try catchUp()
            return try plannedHere(plan, holds: holds, carryOut: carryOut)
        }
    }

    /// How often somebody who was overtaken by another server tries again before all other servers have to wait.
    private static let races = 4

    private func plannedHere<Draft, Value>(
        _ plan: (Snapshot, _ isHeld: Bool) throws(ServiceError) -> Draft,
        holds: (Draft, _ before: Snapshot, _ now: Snapshot) -> Bool,
        carryOut: (Draft, Snapshot, borrowing Turn) throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        for _ in 0..<Self.plansOutside {
            let before = snapshot
            let draft = try plan(before, false)
            let value: Value? = try write { turn throws(ServiceError) in
                let now = snapshot
                guard now.isSame(as: before) || holds(draft, before, now) else { return nil }
                return try carryOut(draft, now, turn)
            }
            if let value { return value }
        }
        return try write { turn throws(ServiceError) in
            let now = snapshot
            return try carryOut(try plan(now, true), now, turn)
        }
    }

    /// How often somebody plans without keeping others waiting.
    private static let plansOutside = 3

    /// A planner over a catalog and the history behind it, for this moment.
    func planner(_ catalog: Catalog) -> Planner {
        var planner = Planner(
            catalog: catalog,
            environment: environment,
            wideShare: wideShare,
            now: now(),
            history: { [self] target, revision throws(ServiceError) in
                if catalog.target(target)?.revision == revision { return catalog.target(target)?.gate }
                guard let found = try reading({ store throws(StoreError) in try store.gate(of: target, revision: revision) }) else {
                    return nil
                }
                guard let gate = found.gate else { throw .unreadable(target, revision) }
                return gate
            },
            news: { [self] sequence in look { $0.recent.after(sequence, newest: catalog.sequence, limit: .max)?.changes } },
            polls: pollRecord
        )
        planner.isStored = isStored
        return planner
    }
}
