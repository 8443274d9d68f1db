/// The phones that a kill switch shuts out and that have the app open, and how often they ask whether it is over.
///
/// These are the formulas of `deploy/CAPACITY.md`, and their one place; `Tests/Benchmarks/run herd` holds them against a simulation.
public struct Herd: Sendable, Hashable {
    /// By the library that asks for them; how many may be a fraction, since it is estimated.
    public private(set) var phones: [ClientLibrary: Double]

    public init(_ phones: [ClientLibrary: Double] = [:]) {
        self.phones = phones
    }

    public mutating func add(_ count: Double, _ library: ClientLibrary) { phones[library, default: 0] += count }

    /// Those that ask by themselves, however long they have to.
    public var asking: Double { phones.reduce(0) { $1.key.retryChance == nil ? $0 : $0 + $1.value } }

    /// How many polls a second they make together: each asks again an interval, and on average half of its chance, after an answer came.
    /// - Parameters:
    ///   - interval: `retryInterval`, in seconds.
    ///   - trip: seconds from a poll to its answer; with 0 it is the most that it can be.
    public func pollsPerSecond(every interval: Int, trip: Double = 0) -> Double {
        phones.reduce(0) { $0 + ($1.key.cycle(every: interval, trip: trip).map { [count = $1.value] in count / $0 } ?? 0) }
    }
}

extension ClientLibrary {
    /// What chance adds at most to the interval after which it asks again by itself while it shows a block, as a share of the interval. Nil for
    /// one that asks when the app is opened, or comes to the front, and not otherwise.
    public var retryChance: Double? {
        switch self {
        case .bellerophon: 0
        case .gatekit: 0.2
        case .launchgate, .gandalf, .princeOfVersions, .openFeature: nil
        }
    }

    /// Seconds from one poll of a phone that is shut out to its next, on average; nil where ``retryChance`` is.
    public func cycle(every interval: Int, trip: Double = 0) -> Double? { retryChance.map { Double(interval) * (1 + $0 / 2) + trip } }
}
