import GateModel

@testable import GateService

/// A write with somebody who comes between each of its plans and its turn.
struct Interrupted<Write: PlannedWrite>: PlannedWrite {
    let write: Write
    let meanwhile: () throws(ServiceError) -> Void

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Write.Draft {
        let draft = try write.plan(on: snapshot, isHeld: isHeld)
        try meanwhile()
        return draft
    }

    func holds(_ draft: Write.Draft, from before: Snapshot, on now: Snapshot) -> Bool { write.holds(draft, from: before, on: now) }

    func carryOut(_ draft: Write.Draft, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Write.Value {
        try write.carryOut(draft, on: snapshot, in: turn)
    }
}
