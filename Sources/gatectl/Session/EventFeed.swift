import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Follows a server's changes by asking every second, and says when it cannot.
struct EventFeed {
    let session: Session

    /// How many changes are read from the history at a time; as many as `history` shows.
    private static let mostMissed = 10_000
    /// How many answers in a row may be older than what was seen. One of several servers learns of a change a moment after the others.
    private static let mostBehind = 10

    /// The result of asking: an answer, or none, with the time since the last one.
    enum Look {
        case poll
        case lost(Duration)
    }

    /// Runs until the process ends, or until standard output takes nothing more.
    /// - Parameters:
    ///   - sequence: the last change that was seen.
    ///   - onPoll: called after each answer, and after each attempt without one, with the time since the last answer.
    ///   - onChange: each change, oldest first.
    func run(
        after sequence: Int,
        onPoll: (Look) async throws -> Void = { _ in },
        onChange: (Change) async throws -> Void
    ) async throws -> Never {
        let clock = ContinuousClock()
        var sequence = sequence
        var lastAnswer = clock.now
        var isLost = false
        var behind = 0
        var pause = Duration.seconds(1)
        while true {
            do {
                let events = try await session.client.events(after: sequence)
                if isLost { tell("live again", ["live": .bool(true)]) }
                isLost = false
                pause = .seconds(1)
                lastAnswer = clock.now
                let changes = events.reset ? try await missed(after: sequence) : events.items
                for change in changes where change.sequence > sequence {
                    try await onChange(change)
                    sequence = change.sequence
                }
                behind = events.sequence < sequence ? behind + 1 : 0
                if behind == 0 || behind > Self.mostBehind {
                    if behind > 0 { tell("the server's changes end before the last one that was seen", from: events.sequence) }
                    (sequence, behind) = (events.sequence, 0)
                }
                try await onPoll(.poll)
            } catch let error as AdminClientError {
                // What will not get better by waiting ends the command; everything else is an outage to sit through.
                if let status = error.status, (400...499).contains(status), status != 429 { throw error }
                if error.code == .tokenWithheld { throw error }
                isLost = true
                let silence = clock.now - lastAnswer
                let seconds = Int(silence.components.seconds)
                tell("reconnecting (stale \(seconds)s)", ["live": .bool(false), "staleSeconds": .integer(seconds)])
                try await onPoll(.lost(silence))
                pause = min(.seconds(30), pause * 2)
            }
            try Console.requireReader()
            try await Task.sleep(for: pause)
        }
    }

    /// The changes after one that the server does not remember any more, or that a restore dropped, from the history; oldest first.
    private func missed(after sequence: Int) async throws(AdminClientError) -> [Change] {
        var changes: [Change] = []
        var cursor: String?
        repeat {
            let page = try await session.client.changes([("after", String(sequence)), ("limit", "500"), ("cursor", cursor)])
            changes += page.items
            cursor = page.next
        } while cursor != nil && changes.count < Self.mostMissed
        if cursor != nil, let first = changes.last {
            tell("too many changes were missed; \(Invocation.sameServer("history")) shows them all", from: first.sequence - 1)
        }
        return changes.reversed()
    }

    /// Says that not every change is shown, and from which one on they are.
    private func tell(_ words: String, from sequence: Int) {
        tell("\(words): following from change \(sequence) on", ["reset": .bool(true), "sequence": .integer(sequence)])
    }

    /// On standard error, even with `-q`: whoever follows must not take silence for news that nothing happens. For a program it is a line
    /// of JSON.
    private func tell(_ words: String, _ members: JSONObject) {
        let console = session.console
        if console.isJSON { console.sayJSON(Document.of(members)) } else { console.say(words) }
    }
}
