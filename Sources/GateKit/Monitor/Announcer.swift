/// Works out what there is to tell when a monitor knows something else than before: each block once when it comes and once when it goes, each
/// notice once, and every state that is not the one that was told last.
struct Announcer {
    /// The block that is up.
    private var engaged: GateDecision?
    /// The notice that is up.
    private var noticed: GateDecision?
    /// The state that was told last.
    private var told: GateState?

    /// The events that lead from what was told to `next`, in their order.
    /// - Parameter isPutAway: whether the person has put a notice away, or off; such a one need not be withdrawn.
    mutating func events(for next: GateState, isPutAway: (GateDecision) -> Bool) -> [GateEvent] {
        var events = blockEvents(next.decision) + noticeEvents(next.decision, isPutAway)
        if next != told {
            told = next
            events.append(.state(next))
        }
        return events
    }

    private mutating func blockEvents(_ next: GateDecision) -> [GateEvent] {
        var events: [GateEvent] = []
        let shutsOut = next.kind.shutsOut
        if let old = engaged, !shutsOut || old.rule != next.rule {
            events += [.willDisengage(old), .didDisengage(old)]
            engaged = nil
        }
        guard shutsOut else { return events }
        if let old = engaged {
            if old.message != next.message { events.append(.messageChanged(next)) }
        } else {
            events += [.willEngage(next), .didEngage(next)]
        }
        engaged = next
        return events
    }

    private mutating func noticeEvents(_ next: GateDecision, _ isPutAway: (GateDecision) -> Bool) -> [GateEvent] {
        var events: [GateEvent] = []
        if let old = noticed, old.remembered != next.remembered {
            noticed = nil
            if !isPutAway(old) { events.append(.noticeWithdrawn(old)) }
        }
        if next.remembered != nil, noticed == nil {
            noticed = next
            events.append(.notice(next))
        }
        return events
    }
}
