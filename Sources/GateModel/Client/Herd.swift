/// The phones that a kill switch shuts out, that have the app open and ask by themselves whether it is over.
///
/// This is the formula of `deploy/CAPACITY.md`, and its one place; `Tests/Benchmarks/run herd` holds it against a simulation.
public struct Herd: Sendable, Hashable {
    /// How many; a fraction where it is estimated.
    public let phones: Double

    public init(phones: Double) {
        self.phones = phones
    }

    /// How many polls a second they make together: each asks again an interval after an answer came.
    /// - Parameters:
    ///   - interval: `retryInterval`, in seconds.
    ///   - trip: seconds from a poll to its answer; with 0 it is the most that it can be.
    public func pollsPerSecond(every interval: Int, trip: Double = 0) -> Double { phones / (Double(interval) + trip) }
}

extension ClientLibrary {
    /// Whether it asks again by itself while it shows a block: the interval after each answer, and nothing by chance. The others ask when the app
    /// is opened or comes to the front.
    public var asksAgain: Bool {
        switch self {
        case .bellerophon, .gatekit: true
        case .launchgate, .gandalf, .princeOfVersions, .openFeature: false
        }
    }
}
