import Glibc
import Synchronization

/// Every open connection, for the sweeper and for stopping.
///
/// libmicrohttpd reports a connection's close before it closes the descriptor, and `remove` takes the lock that `forEach` holds, so a
/// descriptor seen inside `forEach` is still that connection's.
final class ConnectionRegistry: Sendable {
    /// A pointer that may cross threads because it only ever comes out under the registry's lock, while the state is alive,
    /// and what the sweeper reads of it is constant or atomic.
    private struct Entry: @unchecked Sendable {
        let state: ConnectionPointer
    }

    private let entries = Mutex<[Entry]>([])

    var count: Int { entries.withLock { $0.count } }

    func insert(_ state: ConnectionPointer) {
        let entry = Entry(state: state)
        entries.withLock { entries in
            entry.state.pointee.place = entries.count
            entries.append(entry)
        }
    }

    /// - Returns: how many are left.
    func remove(_ state: ConnectionPointer) -> Int {
        let entry = Entry(state: state)
        return entries.withLock { entries in
            let place = entry.state.pointee.place
            let last = entries.removeLast()
            if place < entries.count {
                entries[place] = last
                last.state.pointee.place = place
            }
            return entries.count
        }
    }

    /// Calls `body` for each connection, under the lock: opening and closing connections wait meanwhile, so it must be quick.
    func forEach(_ body: (borrowing ConnectionState) -> Void) {
        entries.withLock { entries in
            for entry in entries { body(entry.state.pointee) }
        }
    }
}
