import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Waits until a share of the polls carries what was published. Polls are counted, not people: this says "fetched", never "seen".
struct ReachWait {
    let share: Share
    let limit: Span

    /// A target and the revision that is waited for.
    struct Goal {
        let target: TargetKey
        let revision: Int
        /// Whether the revision was made just now, so that nobody had it before the first look.
        let isNew: Bool

        init(target: TargetKey, revision: Int, isNew: Bool) {
            self.target = target
            self.revision = revision
            self.isNew = isNew
        }

        /// A target as it stands.
        init(_ body: TargetBody) { self.init(target: body.target.key, revision: body.target.revision, isNew: false) }
    }

    struct Progress {
        var isReached: Bool
        /// One sentence about how far it got.
        var words: String
        var seconds: Int
        var reach: [(target: TargetKey, percent: Int?, reach: ReachBody?)]
    }

    /// - Returns: also when the server cannot be asked: the change is made, however the waiting ends.
    func run(_ goals: [Goal], session: Session) async -> Progress {
        let clock = ContinuousClock()
        let start = clock.now
        var told: (words: String, at: ContinuousClock.Instant)?
        var progress = Progress(isReached: false, words: "", seconds: 0, reach: [])
        var trails = goals.reduce(into: [TargetKey: ReachTrail]()) { $0[$1.target] = ReachTrail(isNew: $1.isNew) }
        while true {
            let (next, isFinal) = await look(goals, session, &trails)
            progress = next
            progress.seconds = Int((clock.now - start).components.seconds)
            if progress.isReached || isFinal || clock.now - start >= limit.duration { return progress }
            if told.map({ $0.words != progress.words && clock.now - $0.at >= .seconds(5) }) ?? true {
                session.console.note("  … " + progress.words)
                told = (progress.words, clock.now)
            }
            // Only a cancelled task wakes early, and nobody cancels this one.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// - Returns: how far it is, and whether waiting longer is of no use.
    private func look(_ goals: [Goal], _ session: Session, _ trails: inout [TargetKey: ReachTrail]) async -> (Progress, isFinal: Bool) {
        var reach: [(target: TargetKey, percent: Int?, reach: ReachBody?)] = []
        var words: [String] = []
        var isReached = true
        for goal in goals {
            let body: TargetBody
            do {
                body = try await session.client.target(goal.target.app.text, goal.target.platform.text)
            } catch {
                // A server that is away now may be back in a moment; one that refuses will keep refusing.
                let isFinal = error.status.map { (400...499).contains($0) && $0 != 429 } ?? false
                return (
                    Progress(isReached: false, words: "the server cannot be asked: \(Style.safe(error.detail))", seconds: 0, reach: reach),
                    isFinal
                )
            }
            guard body.target.revision == goal.revision else {
                let words = "\(goal.target) is at revision \(body.target.revision) now, so revision \(goal.revision) is no longer fetched"
                return (Progress(isReached: false, words: words, seconds: 0, reach: reach), true)
            }
            let lately = body.reach.flatMap { trails[goal.target]?.percent(with: $0) }
            let overall = body.reach?.carriedPercent
            // The higher one counts, so phones that have just fetched the change are not held against it for a minute.
            let percent = [lately, overall].compactMap { $0 }.max()
            reach.append((goal.target, percent, body.reach))
            words.append(
                lately == percent && lately != overall
                    ? Words.lately(percent ?? 0, body.reach, of: goal.target, revision: goal.revision)
                    : Words.reach(body.reach, of: goal.target, revision: goal.revision)
            )
            isReached = isReached && (percent ?? 0) >= share.percent
        }
        return (Progress(isReached: isReached, words: words.joined(separator: "; "), seconds: 0, reach: reach), false)
    }
}

extension ReachWait.Progress {
    /// The result for scripts.
    func json(_ wait: ReachWait) -> JSONValue {
        [
            "wantedPercent": .integer(wait.share.percent), "reached": .bool(isReached), "waitedSeconds": .integer(seconds),
            "detail": .string(words),
            "targets": .array(
                reach.map { target, percent, reach in
                    [
                        "target": .string(target.description), "carriedPercent": percent.map { .integer($0) } ?? .null,
                        "reach": reach?.json ?? .null,
                    ]
                }
            ),
        ]
    }
}

extension WaitOptions {
    var reachWait: ReachWait? { wait.map { ReachWait(share: $0, limit: waitLimit ?? .fiveMinutes) } }
}
