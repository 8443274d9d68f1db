import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Follows a server's changes by asking every second, and says when it cannot.
struct EventFeed {
    let session: Session

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
        var pause = Duration.seconds(1)
        while true {
            do {
                let events = try await session.client.events(after: sequence)
                if isLost { tell("live again", ["live": .bool(true)]) }
                isLost = false
                pause = .seconds(1)
                lastAnswer = clock.now
                if events.reset { session.console.note("some changes are too old to be followed one by one; see gatectl history") }
                for change in events.items where change.sequence > sequence || events.reset { try await onChange(change) }
                sequence = events.sequence
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

    /// On standard error, even with `-q`: whoever follows must not take silence for news that nothing happens. For a program it is a line
    /// of JSON.
    private func tell(_ words: String, _ members: JSONObject) {
        let console = session.console
        if console.isJSON { console.sayJSON(Document.of(members)) } else { console.say(words) }
    }
}
