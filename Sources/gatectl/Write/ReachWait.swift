import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

/// A share of polls as people type it: `95%`.
struct Share: ExpressibleByArgument, Sendable {
    /// 1 to 100.
    let percent: Int

    init?(argument: String) {
        guard argument.hasSuffix("%"), let percent = Int(argument.dropLast()), (1...100).contains(percent) else { return nil }
        self.percent = percent
    }

    static var help: String { "a share such as 95%" }
}

/// Waits until a share of the polls carries what was published. Polls are counted, not people: this says "fetched", never "seen".
struct ReachWait {
    let share: Share
    let limit: Span

    /// A target and the revision that is waited for.
    struct Goal {
        let target: TargetKey
        let revision: Int
    }

    struct Outcome {
        var isReached: Bool
        /// One sentence of how far it got.
        var words: String
        var seconds: Int
        var reach: [(target: TargetKey, reach: ReachBody?)]
    }

    /// - Returns: also when the server cannot be asked: the change is made, whatever becomes of the waiting.
    func run(_ goals: [Goal], session: Session) async -> Outcome {
        let clock = ContinuousClock()
        let start = clock.now
        var told: (words: String, at: ContinuousClock.Instant)?
        var outcome = Outcome(isReached: false, words: "", seconds: 0, reach: [])
        while true {
            let (next, isFinal) = await look(goals, session)
            outcome = next
            outcome.seconds = Int((clock.now - start).components.seconds)
            if outcome.isReached || isFinal || clock.now - start >= limit.duration { return outcome }
            if told.map({ $0.words != outcome.words && clock.now - $0.at >= .seconds(5) }) ?? true {
                session.console.note("  … " + outcome.words)
                told = (outcome.words, clock.now)
            }
            // Only a cancelled task wakes early, and nobody cancels this one.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// - Returns: how far it is, and whether waiting longer is of no use.
    private func look(_ goals: [Goal], _ session: Session) async -> (Outcome, isFinal: Bool) {
        var reach: [(target: TargetKey, reach: ReachBody?)] = []
        var words: [String] = []
        var isReached = true
        for goal in goals {
            let body: TargetBody
            do {
                body = try await session.client.target(goal.target.app.text, goal.target.platform.text)
            } catch {
                // A server that is away now may be back in a moment; one that refuses will go on to.
                let isFinal = error.status.map { (400...499).contains($0) && $0 != 429 } ?? false
                return (Outcome(isReached: false, words: "the server cannot be asked: \(Style.safe(error.detail))", seconds: 0, reach: reach), isFinal)
            }
            guard body.target.revision == goal.revision else {
                let words = "\(goal.target) is at revision \(body.target.revision) by now, so revision \(goal.revision) is fetched no more"
                return (Outcome(isReached: false, words: words, seconds: 0, reach: reach), true)
            }
            reach.append((goal.target, body.reach))
            words.append(Words.reach(body.reach, of: goal.target, revision: goal.revision))
            isReached = isReached && (body.reach?.carriedPercent ?? 0) >= share.percent
        }
        return (Outcome(isReached: isReached, words: words.joined(separator: "; "), seconds: 0, reach: reach), false)
    }
}

extension ReachWait.Outcome {
    /// What scripts get of it.
    func json(_ wait: ReachWait) -> JSONValue {
        [
            "wantedPercent": .integer(wait.share.percent), "reached": .bool(isReached), "waitedSeconds": .integer(seconds), "detail": .string(words),
            "targets": .array(
                reach.map { target, reach in
                    ["target": .string(target.description), "carriedPercent": reach?.carriedPercent.map { .integer($0) } ?? .null, "reach": reach?.json ?? .null]
                }
            ),
        ]
    }
}

extension ReachBody {
    /// The share of the last minute's polls that carry the present revision, in whole per cent rounded down; nil without polls.
    ///
    /// Polls that say what their caller had are told by that. Where none does, what was handed out since the change is set against all
    /// polls of the minute.
    var carriedPercent: Int? {
        // A hair up before rounding down, because 0.29 × 100 is 28.999… in binary.
        if let share { return Int(share * 100 + 1e-6) }
        guard pollsPerMinute > 0 else { return nil }
        return min(100, fetched * 100 / pollsPerMinute)
    }
}

extension Words {
    /// `shop/ios: 62% of the last minute's 120 polls carry revision 42; 75 have fetched it`
    static func reach(_ reach: ReachBody?, of target: TargetKey, revision: Int) -> String {
        guard let reach, let percent = reach.carriedPercent else { return "\(target): nobody has polled its feeds here within the last minute" }
        let polls = reach.pollsPerMinute == 1 ? "1 poll carries" : "\(reach.pollsPerMinute) polls carry"
        var words = "\(target): \(percent)% of the last minute's \(polls) revision \(revision); \(reach.replaced + reach.fetched) have fetched it"
        if percent < 100, let seconds = reach.secondsSinceStale { words += ", the last \(seconds)s ago" }
        return words
    }
}
