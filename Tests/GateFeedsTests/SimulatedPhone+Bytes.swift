@testable import GateFeeds

extension SimulatedPhone {
    /// What the library does with its feed's bytes; for Gandalf, the usual release.
    func decide(_ bytes: [UInt8]) -> ClientDecision { decide(ReadFeed(library, bytes, on: platform)) }

    /// The phone after it has shown everything in a feed that its library remembers.
    func shown(_ bytes: [UInt8]) -> SimulatedPhone { shown(ReadFeed(library, bytes, on: platform)) }
}
