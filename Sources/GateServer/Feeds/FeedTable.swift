package import GateHTTP
package import GateModel
package import GateService
import Synchronization

/// The answers to every poll, ready-made, by path. A change swaps its apps' answers in one step under the lock that a lookup takes only
/// to copy a reference, so no poll sees a mix and none waits for rendering.
package final class FeedTable: FeedSink {
    private struct Contents: Sendable {
        var responses = PathMap<PreparedResponse>()
        /// The paths of each app, to be taken out when the app changes.
        var paths: [AppKey: Set<String>] = [:]
    }

    private let contents = Mutex(Contents())

    package init() {}

    /// The feed at a path as sent, or nil. Any thread; makes no `String`.
    package func response(at path: UnsafeRawBufferPointer) -> PreparedResponse? {
        contents.withLock { $0.responses[path] }
    }

    package func publish(_ apps: [(key: AppKey, app: PublishedApp?)]) {
        // Everything that costs time is done before the lock is taken.
        let prepared = apps.map { key, app in (key: key, responses: app.map(Self.responses) ?? [:]) }
        contents.withLock { contents in
            for (key, responses) in prepared {
                for path in (contents.paths[key] ?? []).subtracting(responses.keys) { contents.responses[path] = nil }
                for (path, response) in responses { contents.responses[path] = response }
                contents.paths[key] = responses.isEmpty ? nil : Set(responses.keys)
            }
        }
    }

    private static func responses(of app: PublishedApp) -> [String: PreparedResponse] {
        var responses: [String: PreparedResponse] = [:]
        for feed in app.feeds {
            responses[feed.path] = PreparedResponse(body: feed.bytes, etag: feed.tag, headers: HeaderSet.feed)
        }
        for alias in app.aliases { responses[alias.path] = responses[alias.feed] }
        return responses
    }
}
