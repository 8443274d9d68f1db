import MicroHTTP
import Synchronization

/// The two listeners once they run, for whoever asks about them before and after.
final class Listeners: Sendable {
    private let servers = Mutex<[String: HTTPServer]>([:])

    func set(admin: HTTPServer, feeds: HTTPServer) {
        servers.withLock { $0 = ["admin": admin, "feeds": feeds] }
    }

    /// Open connections of `admin` or `feeds`; nil before it runs.
    @Sendable func connectionCount(of name: String) -> Int? {
        servers.withLock { $0[name] }?.connectionCount
    }

    @Sendable func feedsPort() -> Int? {
        servers.withLock { $0["feeds"] }.map { Int($0.port) }
    }
}
