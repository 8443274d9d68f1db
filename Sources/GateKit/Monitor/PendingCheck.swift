/// A check in progress.
struct PendingCheck {
    let number: Int
    let request: Task<Void, Never>
    /// Ends the check at its time-out.
    let limit: Task<Void, Never>
    /// Whoever waits for what comes of it: why it failed, or nil.
    var waiting: [CheckedContinuation<GateKitError?, Never>] = []
}
