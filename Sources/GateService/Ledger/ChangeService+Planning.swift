import GateModel
import GateStore
import Synchronization

extension ChangeService {
    /// Everything that plans are made on, as it is now.
    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// Plans on a snapshot, while others write, and carries the plan out under the lock, when it still says what it would say by then.
    ///
    /// Whatever a caller's input costs is spent in `plan`. Who was overtaken plans anew; the last time under the lock, so that somebody who is
    /// overtaken again and again gets a turn too.
    /// - Parameters:
    ///   - plan: called with whether the lock is held; then what nobody needs for the decision is left out.
    ///   - holds: whether the plan is still right on another snapshot than the one that it was made on.
    ///   - carryOut: called with the snapshot of then, under the lock; nothing but a commit belongs in there.
    func planned<Draft, Value>(
        _ plan: (Snapshot, _ isHeld: Bool) throws(ServiceError) -> Draft,
        holds: (Draft, _ before: Snapshot, _ now: Snapshot) -> Bool,
        carryOut: (Draft, Snapshot) throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        for _ in 0..<Self.plansOutside {
            let before = snapshot
            let draft = try plan(before, false)
            let value: Value? = try writing.withLock { () throws(ServiceError) in
                let now = snapshot
                guard now.isSame(as: before) || holds(draft, before, now) else { return nil }
                return try carryOut(draft, now)
            }
            if let value { return value }
        }
        return try writing.withLock { () throws(ServiceError) in
            let now = snapshot
            return try carryOut(try plan(now, true), now)
        }
    }

    /// How often somebody plans without keeping others waiting.
    private static let plansOutside = 3

    /// Does a write that may be a repeated one: what was done by the same request before is not refused now, it is answered as it was then.
    func written(by caller: Caller, under key: IdempotencyKey?, _ write: () throws(ServiceError) -> Answer) throws(ServiceError) -> Answer {
        do { return try write() } catch {
            if let repeated = try repeated(key, by: caller) { return repeated }
            throw error
        }
    }
}
