import Foundation
import GateKit
import Synchronization

/// A memory that refuses what a test says.
final class FaultyMemory: GateMemory, Sendable {
    private struct Faults {
        /// The end of the names that are not saved; nil to save all.
        var refused: String?
        /// The end of the names that are not read, and how often.
        var unread: (ending: String, count: Int)?
    }

    private let kept = InMemoryGateMemory()
    private let faults = Mutex(Faults())

    /// From now on nothing is saved whose name ends so; nil: everything is.
    func refuse(_ ending: String?) { faults.withLock { $0.refused = ending } }

    /// The next so many times nothing is read whose name ends so.
    func hide(_ ending: String, count: Int) { faults.withLock { $0.unread = (ending, count) } }

    func load(_ name: String) throws -> Data? {
        let isHidden = faults.withLock { faults in
            guard let unread = faults.unread, unread.count > 0, name.hasSuffix(unread.ending) else { return false }
            faults.unread?.count -= 1
            return true
        }
        if isHidden { throw CocoaError(.fileReadNoPermission) }
        return kept.load(name)
    }

    func save(_ value: Data, as name: String) throws {
        if faults.withLock({ $0.refused.map(name.hasSuffix) ?? false }) { throw CocoaError(.fileWriteOutOfSpace) }
        kept.save(value, as: name)
    }
}
