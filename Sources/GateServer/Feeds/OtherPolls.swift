package import GateJSON
package import GateModel
import GateService
import Synchronization

/// What the other servers of the database have told about the polls that they counted; nothing where there is only one server. Thread-safe.
///
/// A server that has been silent, or could not be asked, for too long no longer counts for the last minute. What it counted before stays
/// until that server is forgotten.
package final class OtherPolls: Sendable {
    private struct Server {
        var document: PollDocument
        /// When it was counted, by this server's clock.
        var countedAt: Timestamp
        var isSpeaking = false
    }

    private struct State {
        var servers: [String: Server] = [:]
        /// When anything was last heard from any of them.
        var heardAt: Timestamp?

        /// Whether the others were heard from lately; not while this server is cut off from the database.
        func isFresh(at now: Timestamp) -> Bool {
            heardAt.map { $0.advanced(bySeconds: Int64(SharedServer.patience)) > now } ?? false
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Takes what was heard. To be called by one thread, about once a second while the database can be reached; documents are parsed here.
    /// - Parameters:
    ///   - fresh: the documents of servers that told something new.
    ///   - known: all servers that exist; others are forgotten.
    ///   - speaking: those of them that were heard from lately.
    package func learn(_ fresh: [SharedPolls], known: Set<String>, speaking: Set<String>, at now: Timestamp) {
        // Parsed before the lock is taken. A document that this release cannot read means that nothing is known.
        let read = fresh.map { told in
            let countedAt = Timestamp(milliseconds: now.milliseconds - min(told.age, Int64(ReachTracker.greatestCount)))
            return (told.server, Server(document: PollDocument(told, at: now) ?? PollDocument(), countedAt: countedAt))
        }
        let gone = state.withLock { state -> [String: Server] in
            let before = state.servers
            for (name, server) in read { state.servers[name] = server }
            state.servers = state.servers.filter { known.contains($0.key) }
            for name in state.servers.keys { state.servers[name]?.isSpeaking = speaking.contains(name) }
            state.heardAt = now
            return before
        }
        // Tens of thousands of feeds, released here and not under the lock.
        _ = gone
    }

    /// What the others counted for a feed.
    func tracks(of path: String, at now: Timestamp) -> [ToldTrack] {
        state.withLock { state in
            let isFresh = state.isFresh(at: now)
            return state.servers.values.compactMap { server in
                server.document.feeds[path].map { isFresh && server.isSpeaking ? $0 : $0.silent }
            }
        }
    }

    /// What they counted for a target's versions.
    func versions(of target: TargetKey, within span: PolledVersions.Span, at now: Timestamp) -> [ToldVersions] {
        state.withLock { state in
            state.servers.values.compactMap { server in
                // A server that fell silent longer ago has no polls from within that time.
                server.countedAt > now.advanced(bySeconds: -span.seconds) || state.isFresh(at: now) && server.isSpeaking
                    ? server.document.versions[target] : nil
            }
        }
    }
}
