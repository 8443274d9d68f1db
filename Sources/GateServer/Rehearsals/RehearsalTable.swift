import GateHTTP
package import GateJSON
package import GateModel
package import GateService
import Synchronization

/// The feeds of rehearsals, each in a table of its own: none of them is found, counted, signed or kept as a real one.
///
/// They are never signed: whoever got hold of a rehearsal's signed feed could pass it off to phones as a real one. From memory; any thread.
package final class RehearsalTable: RehearsalStage {
    static let root = "/rehearsals/"

    /// How many polls are kept in detail; the others are only counted.
    private static let mostPolls = 50
    private static let mostAgentBytes = 200
    /// Only a few phones ask a rehearsal; twenty rehearsals together keep less than half of what the real feeds keep.
    private static let mostVariants = 64

    private struct Act: Sendable {
        let table: FeedTable
        var end: Timestamp
        /// The live feed without which there is no rehearsal either.
        var original = ""
        /// How many scenes it has shown so far.
        var scenes = 0
        /// What is shown once the rehearsed kill switch has lifted itself.
        var lifted: (at: Timestamp, app: PublishedApp)?
        var count = 0
        /// The newest last.
        var polls: [RehearsalPoll] = []
    }

    private let acts = Mutex<[String: Act]>([:])
    private let live: FeedTable
    private let now: @Sendable () -> Timestamp

    /// - Parameter live: what is published: a rehearsal ends with its target.
    package init(beside live: FeedTable, now: @escaping @Sendable () -> Timestamp) { (self.live, self.now) = (live, now) }

    /// Called by one thread at a time for one secret.
    package func show(_ scene: RehearsalScene, of target: TargetKey, under secret: String, until end: Timestamp) {
        let table = acts.withLock { $0[secret]?.table } ?? FeedTable(mostVariants: Self.mostVariants, now: now)
        // What costs time is done before the lock is taken, which every poll of a rehearsal takes.
        let ready = table.ready([(scene.app.key, scene.app)])
        acts.withLock { acts in
            var act = acts[secret] ?? Act(table: table, end: end)
            (act.end, act.original, act.lifted) = (end, FeedName.gate.path(for: target), scene.lifted)
            act.scenes += 1
            acts[secret] = act
            ready.publish()
        }
    }

    package func strike(_ secret: String) { acts.withLock { $0[secret] = nil } }

    package func polls(under secret: String) -> (count: Int, last: [RehearsalPoll]) {
        acts.withLock { acts in acts[secret].map { ($0.count, $0.polls.reversed()) } ?? (0, []) }
    }

    var admission: Admission { Admission(pattern: "/rehearsals", maximumBodyBytes: 0, .admitted { self.answer($0) }) }

    /// What is at an address below ``root``: a feed, or 404 as text once it is over.
    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let parts = request.path.dropFirst(Self.root.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let table = table(under: String(parts[0])) else { return Self.nothing }
        guard let feed = table.response(at: "/feeds/" + parts[1]) else { return Self.nothing }
        guard request.method == .get || request.method == .head else { return FeedAnswer.refusal(of: request.method) }
        let words = CallerWords(request.query)
        let chosen: PreparedResponse
        if let choice = feed.choice {
            // A gradual opening is for whoever rehearses one. Nothing else moves its shares, and only polls that are counted are spread
            // over those who are in and those who are not yet.
            table.moveOpenings(to: now())
            guard let response = choice.response(to: request, isPoll: request.method == .get) else { return Self.nothing }
            chosen = response
        } else {
            chosen = (feed.variants as? any PhoneVariants)?.response(to: words, isPoll: false) ?? feed
        }
        if request.method == .get {
            let agent = request.headers["User-Agent"].map { String(decoding: $0.utf8.prefix(Self.mostAgentBytes), as: UTF8.self) }
            let isUnchanged = ConditionalRequest.matches(ifNoneMatch: request.headers.values(of: "If-None-Match"), etag: chosen.etag)
            let poll = RehearsalPoll(
                at: now(),
                feed: String(parts[1].drop { $0 != "/" }.dropFirst()),
                version: words.version,
                userAgent: agent,
                isUnchanged: isUnchanged
            )
            note(poll, under: String(parts[0]))
        }
        return HTTPResponse(prepared: chosen).adding(HeaderSet.rehearsal)
    }

    private static let nothing = HTTPResponse.text(
        "There is no rehearsal at this address, or not any more.\n",
        status: 404,
        headers: HeaderSet.feedError + HeaderSet.rehearsal
    )

    /// Nil where there is no rehearsal, and for one that is over, or whose target was removed, but has not been removed itself yet.
    private func table(under secret: String) -> FeedTable? {
        let now = now()
        let act = acts.withLock { acts in acts[secret].flatMap { now < $0.end && live.response(at: $0.original) != nil ? $0 : nil } }
        guard let act else { return nil }
        if let lifted = act.lifted, lifted.at <= now {
            let ready = act.table.ready([(lifted.app.key, lifted.app)])
            acts.withLock { acts in
                // Another poll may have been faster, or somebody may rehearse something else by now.
                guard acts[secret]?.lifted != nil, acts[secret]?.scenes == act.scenes else { return }
                acts[secret]?.lifted = nil
                ready.publish()
            }
        }
        return act.table
    }

    private func note(_ poll: RehearsalPoll, under secret: String) {
        acts.withLock { acts in
            guard acts[secret] != nil else { return }
            acts[secret]?.count += 1
            acts[secret]?.polls.append(poll)
            let surplus = (acts[secret]?.polls.count ?? 0) - Self.mostPolls
            if surplus > 0 { acts[secret]?.polls.removeFirst(surplus) }
        }
    }
}
