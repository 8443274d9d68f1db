/// Works out which events to send when a monitor's state changes: each block once when it comes and once when it goes, each notice once,
/// and every state that differs from the last one sent.
struct Announcer {
    /// The block that is up.
    private var engaged: GateDecision?
    /// The notice that is up.
    private var noticed: GateDecision?
    /// The last state sent.
    private var told: GateState?

    /// The events that lead from the last state sent to `next`, in order. A notice that goes is announced before a block that comes:
    /// otherwise an app that shows one thing at a time would remove the block that has just come up.
    /// - Parameter isPutAway: whether the person has dismissed or postponed a notice; such a notice need not be withdrawn.
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
