import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// How rehearsals are shown.
struct RehearsalView {
    let console: Console
    let session: Session

    /// The addresses to build an app with, by the library that reads each.
    func show(_ one: Rehearsal, feedsPort: Int?, _ says: String) {
        if console.isJSON { return console.json(Document.of(["rehearsal": one.json])) }
        if console.format == .plain {
            for (name, path) in paths(of: one) { console.data("\(name)\t\(root(feedsPort))\(path)") }
            return
        }
        console.data("\(one.target) \(says) until \(Words.time(one.until, inUTC: console.inUTC)) (rehearsal \(Style.safe(one.id)))")
        let paths = paths(of: one)
        let widest = paths.map(\.name.count).max() ?? 0
        for (name, path) in paths {
            console.data("  \(name + String(repeating: " ", count: widest - name.count))  \(root(feedsPort))\(path)")
        }
    }

    /// The libraries' feeds in their order, then the app's own shapes.
    private func paths(of one: Rehearsal) -> [(name: String, path: String)] {
        let feeds = FeedName.allCases.compactMap { name in one.feeds[name].map { (name: name.rawValue, path: $0) } }
        return feeds + one.ownFeeds.sorted { $0.key < $1.key }.map { (name: Style.safe($0.key), path: Style.safe($0.value)) }
    }

    /// A poll as one line: `14:03:07  ios/bellerophon.json  4.1.0  Shop/41 CFNetwork`.
    func show(_ poll: RehearsalPoll) {
        if console.isJSON { return console.json(poll.json) }
        let words = [
            Words.time(poll.at, inUTC: console.inUTC), Style.safe(poll.feed), poll.version.map(Style.safe) ?? "no version",
            poll.isUnchanged ? "unchanged" : "new", poll.userAgent.map(Style.safe) ?? "",
        ]
        console.data(words.joined(separator: "  "))
    }

    /// Shows each poll as it comes, until the rehearsal is over.
    func follow(_ one: Rehearsal) async throws {
        var told = 0
        var next: Rehearsal? = one
        while let current = next {
            for poll in current.polls.prefix(max(0, current.pollCount - told)).reversed() { show(poll) }
            told = current.pollCount
            try Console.requireReader()
            try await Task.sleep(for: .seconds(1))
            next = try await now(one.id)
        }
        console.note("The rehearsal is over.")
    }

    /// Nil for one that is over.
    private func now(_ id: String) async throws(AdminClientError) -> Rehearsal? {
        do {
            return try await session.client.rehearsal(id)
        } catch {
            if error.status == 404 { return nil }
            throw error
        }
    }

    private func root(_ feedsPort: Int?) -> String { session.settings.server.feeds(onPort: feedsPort) }
}
