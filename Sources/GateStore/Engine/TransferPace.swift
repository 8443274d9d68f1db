/// Limits transfers to an average of bytes per second, whatever the size of a piece: after each piece it rests for as long as that piece is
/// worth.
struct TransferPace {
    let bytesPerSecond: Int
    /// When everything so far is paid off.
    private var free: ContinuousClock.Instant?

    init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// Whether a piece of any size may be transferred.
    /// - Parameter ahead: how much debt is tolerated, so several small pieces can go at once.
    func allows(at now: ContinuousClock.Instant, ahead: Duration = .zero) -> Bool { free.map { $0 <= now + ahead } ?? true }

    mutating func note(_ bytes: Int, at now: ContinuousClock.Instant) {
        free = max(free ?? now, now) + .seconds(1) * (Double(bytes) / Double(bytesPerSecond))
    }
}
