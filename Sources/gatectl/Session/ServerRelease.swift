import GateModel
import Synchronization

/// Says that the server has another version, once per run: what both versions know still works.
enum ServerRelease {
    private static let isTold = Mutex(false)

    /// Says so on standard error, the first time that a server of another version answers. Any thread.
    /// - Parameter version: as the server reports it.
    static func tell(_ version: String, _ console: Console) {
        guard let difference = difference(version) else { return }
        let isNews = isTold.withLock { told in
            defer { told = true }
            return !told
        }
        if isNews { console.note("note: \(difference)") }
    }

    /// One sentence without a full stop; nil if both have the same version, or if the server's is not readable as one.
    /// - Parameter own: the version of this program.
    static func difference(_ version: String, own: Release = .current) -> String? {
        guard let server = Release(version), server != own else { return nil }
        return own < server
            ? "this gatectl \(own) is older than the server, \(server): it does not know what is new there"
            : "this gatectl \(own) is newer than the server, \(server), which refuses what it does not know yet"
    }
}
