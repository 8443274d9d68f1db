import GateModel
import GateStore

extension Ledger {
    /// Plans a write on a snapshot while others write, and then carries it out in a turn, if the plan would still come out the same by
    /// then. Where other servers also write to the database, their writes are learned first.
    ///
    /// Whoever was overtaken plans again; the last time within their turn, so that even somebody who is overtaken again and again gets
    /// through.
    func carryOut<Write: PlannedWrite>(_ write: Write) throws(ServiceError) -> Write.Value {
        guard let store, store.isShared else { return try carryOutHere(write) }
        // Another server may write between the look and the transaction; the transaction is then refused, and everything is done again.
        for _ in 0..<Self.races {
            try catchUp()
            do throws(ServiceError) { return try carryOutHere(write) } catch {
                guard error.isOvertaken else { throw error }
            }
        }
        return try store.alone { error in
            note(error)
            return ServiceError(error)
        } _: { () throws(ServiceError) in
            try catchUp()
            return try carryOutHere(write)
        }
    }

    /// How often somebody who was overtaken by another server tries again before all other servers have to wait.
    private static let races = 4

    private func carryOutHere<Write: PlannedWrite>(_ planned: Write) throws(ServiceError) -> Write.Value {
        for _ in 0..<Self.plansOutside {
            let before = snapshot
            let draft = try planned.plan(on: before, isHeld: false)
            let value: Write.Value? = try writeSoon { turn throws(ServiceError) in
                let now = snapshot
                guard now.isSame(as: before) || planned.holds(draft, from: before, on: now) else { return nil }
                return try planned.carryOut(draft, on: now, in: turn)
            }
            if let value { return value }
        }
        return try writeSoon { turn throws(ServiceError) in
            let now = snapshot
            return try planned.carryOut(try planned.plan(on: now, isHeld: true), on: now, in: turn)
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
