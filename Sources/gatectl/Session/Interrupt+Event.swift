import GateAdminClient

extension Interrupt {
    /// Keeps track of whether a write has been sent, whichever command sent it.
    static func follow(_ event: AdminClient.Event) {
        switch event {
        case .sending(_, isWrite: true): now(.writing)
        // An answered read says nothing about an earlier write whose answer was lost.
        case .answered(let request, _, _) where !request.hasPrefix("GET "): writeIsAnswered()
        case .sending, .answered, .repeating, .met: break
        }
    }
}
