extension GateMonitor {
    /// What is decided now, and the events from now on. Nothing can happen between the two, as it could between two calls.
    func following() -> (decision: GateDecision, events: AsyncStream<GateEvent>) { (decision, events()) }
}
