import GateAdminClient

extension Interrupt {
    /// Keeps in mind whether a write has left, whatever command sent it.
    static func follow(_ event: AdminClient.Event) {
        switch event {
        case .sending(_, isWrite: true): now(.writing)
        // A read tells nothing of a write whose answer was lost before.
        case .answered(let request, _, _) where !request.hasPrefix("GET "): writeIsAnswered()
        case .sending, .answered, .repeating, .met: break
        }
    }
}
