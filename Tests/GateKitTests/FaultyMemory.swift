import Foundation
import GateKit
import Synchronization

/// A memory that refuses what a test says.
final class FaultyMemory: GateMemory, Sendable {
    private struct Faults {
        /// The end of the names that are not saved; nil to save all.
        var refused: String?
    }

    private let kept = InMemoryGateMemory()
    private let faults = Mutex(Faults())

    /// From now on nothing is saved whose name ends so; nil: everything is.
    func refuse(_ ending: String?) { faults.withLock { $0.refused = ending } }

    func load(_ name: String) throws -> Data? { kept.load(name) }

    func save(_ value: Data, as name: String) throws {
        if faults.withLock({ $0.refused.map(name.hasSuffix) ?? false }) { throw CocoaError(.fileWriteOutOfSpace) }
        kept.save(value, as: name)
    }
}
