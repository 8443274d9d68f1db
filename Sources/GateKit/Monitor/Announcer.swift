/// Works out what there is to tell when a monitor knows something else than before: each block once when it comes and once when it goes, each
/// notice once, and every state that is not the one that was told last.
struct Announcer {
    /// The block that is up.
    private var engaged: GateDecision?
    /// The notice that is up.
    private var noticed: GateDecision?
    /// The state that was told last.
    private var told: GateState?

    /// The events that lead from what was told to `next`, in their order. A notice that goes is told before a block that comes: whoever shows one
    /// thing at a time would else take away what has just come up.
    /// - Parameter isPutAway: whether the person has put a notice away, or off; such a one need not be withdrawn.
    mutating func events(for next: GateState, isPutAway: (GateDecision) -> Bool) -> [GateEvent] {
        var events = withdrawals(next.decision, isPutAway) + blockEvents(next.decision) + noticeEvents(next.decision)
        if next != told {
            told = next
            events.append(.state(next))
        }
        return events
    }

    private mutating func withdrawals(_ next: GateDecision, _ isPutAway: (GateDecision) -> Bool) -> [GateEvent] {
        guard let old = noticed, old.remembered != next.remembered else { return [] }
        noticed = nil
        return isPutAway(old) ? [] : [.noticeWithdrawn(old)]
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

    private mutating func noticeEvents(_ next: GateDecision) -> [GateEvent] {
        guard next.remembered != nil, noticed == nil else { return [] }
        noticed = next
        return [.notice(next)]
    }
}
