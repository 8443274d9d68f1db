import MicroHTTP
import Synchronization

/// The two listeners once they run, for code that asks about them before and after that.
final class Listeners: Sendable {
    private let servers = Mutex<[String: HTTPServer]>([:])

    func set(admin: HTTPServer, feeds: HTTPServer) {
        servers.withLock { $0 = ["admin": admin, "feeds": feeds] }
    }

    /// Connections of `admin` or `feeds`: open now, and closed so far to make room; nil before it runs.
    @Sendable func connections(of name: String) -> (open: Int, crowdedOut: Int)? {
        servers.withLock { $0[name] }.map { ($0.connectionCount, $0.crowdedOutCount) }
    }

    @Sendable func feedsPort() -> Int? {
        servers.withLock { $0["feeds"] }.map { Int($0.port) }
    }
}
