/// The phones that a kill switch shuts out, that have the app open, and that poll by themselves to learn whether it is over.
///
/// The only implementation of the formula in `deploy/CAPACITY.md`; `Tests/Benchmarks/run herd` checks it against a simulation.
public struct Herd: Sendable, Hashable {
    /// How many; fractional if estimated.
    public let phones: Double

    public init(phones: Double) {
        self.phones = phones
    }

    /// How many polls a second they make together: each phone polls one interval after its last answer arrived.
    /// - Parameters:
    ///   - interval: `retryInterval`, in seconds.
    ///   - trip: seconds from a poll to its answer; 0 gives the highest possible rate.
    public func pollsPerSecond(every interval: Int, trip: Double = 0) -> Double { phones / (Double(interval) + trip) }
}

extension ClientLibrary {
    /// Whether it polls by itself while it shows a block: one interval after each answer, without jitter. The others poll when the app is
    /// opened or comes to the front.
    public var asksAgain: Bool {
        switch self {
        case .bellerophon, .gatekit: true
        case .launchgate, .gandalf, .princeOfVersions, .openFeature: false
        }
    }
}
