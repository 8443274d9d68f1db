/// So many bytes a second on average, whatever the size of one piece: after each it rests for as long as that one is worth.
struct TransferPace {
    let bytesPerSecond: Int
    /// When everything until now is worked off.
    private var free: ContinuousClock.Instant?

    init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// Whether a piece may go, of whatever size.
    /// - Parameter ahead: how much may be going on before, so that several small pieces go at once.
    func allows(at now: ContinuousClock.Instant, ahead: Duration = .zero) -> Bool { free.map { $0 <= now + ahead } ?? true }

    mutating func note(_ bytes: Int, at now: ContinuousClock.Instant) {
        free = max(free ?? now, now) + .seconds(1) * (Double(bytes) / Double(bytesPerSecond))
    }
}
