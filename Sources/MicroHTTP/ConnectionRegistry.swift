import Synchronization

/// Every open connection, for the sweeper and for stopping.
///
/// libmicrohttpd reports a connection's close before it closes the descriptor, and `remove` takes the lock that `visit` holds, so a
/// descriptor seen inside `visit` is still that connection's.
final class ConnectionRegistry: Sendable {
    private let entries = Mutex<[ConnectionWatch]>([])

    var count: Int { entries.withLock { $0.count } }

    /// - Returns: how many there are now.
    func insert(_ connection: ConnectionWatch) -> Int {
        entries.withLock { entries in
            connection.place.store(entries.count, ordering: .relaxed)
            entries.append(connection)
            return entries.count
        }
    }

    func remove(_ connection: ConnectionWatch) {
        entries.withLock { entries in
            // The last one moves to the free place, so that closing one of ten thousand costs no more than closing the only one.
            let place = connection.place.load(ordering: .relaxed)
            let last = entries.removeLast()
            if place < entries.count {
                entries[place] = last
                last.place.store(place, ordering: .relaxed)
            }
        }
    }

    /// Every connection at this moment, to be looked at without the lock; their descriptors may be used only in `ifOpen`.
    var all: [ConnectionWatch] { entries.withLock { $0 } }

    /// Calls `body` under the lock if the connection is still open.
    func ifOpen(_ connection: ConnectionWatch, _ body: () -> Void) {
        entries.withLock { entries in
            let place = connection.place.load(ordering: .relaxed)
            if place < entries.count, entries[place] === connection { body() }
        }
    }

    /// Calls `body` for each connection, under the lock: opening and closing connections wait meanwhile, so it must be quick.
    func visit(_ body: (ConnectionWatch) -> Void) {
        entries.withLock { entries in
            for connection in entries { body(connection) }
        }
    }
}
