import GateModel

/// A write in the three steps in which every write is made: planned while others write, looked at again, carried out in a turn.
///
/// ``Ledger/carryOut(_:)`` takes them in this order.
protocol PlannedWrite {
    associatedtype Draft
    associatedtype Value

    /// All the work that depends on a caller's input; done again on a newer snapshot when somebody else was faster.
    /// - Parameter isHeld: whether others wait for it; if so, it leaves out whatever the decision does not need.
    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Draft

    /// Whether a draft is still right on a newer snapshot than the one it was made on.
    func holds(_ draft: Draft, from before: Snapshot, on now: Snapshot) -> Bool

    /// Does nothing but commit: everybody else waits for it.
    /// - Parameter snapshot: the one at that time.
    func carryOut(_ draft: Draft, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Value
}

/// A write that somebody may only try out, or send twice under an Idempotency-Key.
///
/// ``Ledger/submit(_:)`` sees to both.
protocol SubmittedWrite: PlannedWrite where Value == Answer {
    var terms: WriteTerms { get }
    var caller: Caller { get }
    var idempotency: IdempotencyKey? { get }

    /// The answer to a dry run.
    func told(_ draft: Draft, on snapshot: Snapshot) -> Answer
}
