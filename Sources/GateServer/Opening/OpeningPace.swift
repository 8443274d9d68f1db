import GateJSON
import GateModel

/// How large a share of the polls that tell nothing is let in while a gate is opened gradually, so that the *phones* come in evenly.
///
/// A phone that is let in stops asking, or does not: Bellerophon stops, LaunchGate asks at every start. A share of the answers that grows
/// evenly would let nearly everybody in far too early where phones ask every second and stop; for phones that never stop it is just right.
/// Which of the two they are, and how often they ask, shows in their polls: every phone that stopped means one poll less for each time that
/// it would have asked. So the missing polls, compared with those let in before, tell the seconds between two polls of a phone (where
/// nobody stops, more than the time observed). From this follows the chance with which each poll must be let in so that every phone is in
/// by the end: the interval divided by the time that is left. It is corrected by how many still poll compared with how many should, and
/// never exceeds the share of the time that has gone by.
///
/// A value with no clock of its own.
struct OpeningPace: Sendable {
    /// The most steps into which an opening is divided: steps of a second, or longer ones where there would be more. This bounds the cost
    /// of a step.
    private static let mostSteps = 600
    /// Into how many parts the time is divided; the first shows how many polls there are before anybody has stopped.
    private static let baseParts = 30.0
    /// Milliseconds by which a call may come early.
    private static let slack = 500.0
    /// The greatest factor by which the interval may grow or shrink in a step: polls are never quite even.
    private static let mostGrowth = 1.5

    private let opening: Opening
    /// Milliseconds of a step.
    private let step: Double
    /// When polls began to be observed: the start of the opening, or of a server that was started in the middle of it.
    private let beginning: Timestamp
    /// The end of the last step, in milliseconds as in a timestamp.
    private var last: Double
    /// Polls that are not part of a step yet.
    private var waiting = 0
    /// How many steps at the beginning only show how many polls there are.
    private let baseSteps: Int

    /// The polls of all steps, and of the first ``baseSteps``.
    private var polls = 0.0
    private var basePolls = 0.0
    /// The polls of each of the last steps, as many steps as an interval has, newest last.
    private var recent: [Double] = []
    /// Polls let in up to the end of each step, and the sums of these: the polls that would be missing if phones asked once a step and
    /// stopped when let in.
    private var letIn = [0.0]
    private var missing = [0.0]
    /// Steps between two polls of a phone.
    private var interval: Double

    /// The share of polls to let in from now on, 0 to 1.
    private(set) var share: Double

    /// - Parameter now: when polls begin to be counted.
    init(_ opening: Opening, at now: Timestamp) {
        self.opening = opening
        let length = Double(opening.end.milliseconds - opening.start.milliseconds)
        step = max(1_000, length / Double(Self.mostSteps))
        beginning = max(opening.start, now)
        last = Double(beginning.milliseconds)
        let left = max(1, Double(opening.end.milliseconds - beginning.milliseconds) / step)
        baseSteps = max(2, Int((left / Self.baseParts).rounded()))
        // As if each phone asked every second: the most cautious assumption until more is known.
        interval = 1_000 / step
        share = min(max(opening.share(at: beginning), 1_000 / length), interval / left, 1)
    }

    /// Takes the polls since the last call into account. To be called about once a second.
    mutating func note(polls count: Int, at now: Timestamp) {
        waiting += count
        if now >= opening.end {
            share = 1
            return
        }
        // A clock that was set back makes no steps; one that leapt ahead makes as many as there is room for.
        let steps = Int(((Double(now.milliseconds) - last + Self.slack) / step).rounded(.down))
        guard steps > 0 else { return }
        let each = Double(waiting) / Double(steps)
        waiting = 0
        last += Double(steps) * step
        for _ in 0..<min(steps, Self.mostSteps) where letIn.count <= 2 * Self.mostSteps { take(each) }
        let left = max(1, Double(opening.end.milliseconds - now.milliseconds) / step)
        share = min(opening.share(at: now), interval / left * surplus(at: left), 1)
    }

    /// Ends a step that had this many polls.
    private mutating func take(_ count: Double) {
        polls += count
        letIn.append(letIn[letIn.count - 1] + count * share)
        missing.append(missing[missing.count - 1] + letIn[letIn.count - 1])
        recent.append(count)
        let steps = letIn.count - 1
        if steps <= baseSteps {
            basePolls = polls
        } else if let seen = seenInterval(after: steps) {
            interval = min(interval * Self.mostGrowth, max(interval / Self.mostGrowth, seen))
        }
        let kept = max(2, Int(interval))
        if recent.count > kept { recent.removeFirst(recent.count - kept) }
    }

    /// How many polls a step had before anybody stopped, if phones ask at this interval, in steps.
    private func base(_ interval: Double) -> Double {
        let steps = min(baseSteps, missing.count - 1)
        guard steps > 0 else { return 0 }
        return (basePolls + missing[max(0, steps - Int(interval.rounded(.up)))] / interval) / Double(steps)
    }

    /// The interval at which the number of missing polls would be the one observed; the number of steps so far where fewer are missing. Nil
    /// where nobody polls.
    private func seenInterval(after steps: Int) -> Double? {
        guard basePolls > 0 else { return nil }
        // Polls come in at random, so this many may be missing by chance although nobody stopped.
        let chance = basePolls.squareRoot() / Double(baseSteps) * Double(steps)
        /// How many more polls would be missing at an interval than actually are.
        func excess(_ interval: Int) -> Double {
            missing[max(0, steps - interval)] / Double(interval) - (base(Double(interval)) * Double(steps) - polls - chance)
        }
        var before = excess(1)
        if before <= 0 {
            let gone = basePolls / Double(baseSteps) * Double(steps) - polls - chance
            let most = missing[steps - 1] - missing[baseSteps - 1] * Double(steps) / Double(baseSteps)
            return gone > 0 ? min(1, max(0.001, most / gone)) : 1
        }
        // The longer the interval, the fewer would be missing; there are at most 1,200 steps.
        for interval in 2..<max(3, steps) {
            let next = excess(interval)
            if next <= 0 { return Double(interval - 1) + before / (before - next) }
            before = next
        }
        return Double(steps)
    }

    /// How many still poll, compared with how many should: 1 where all is as it should be.
    private func surplus(at left: Double) -> Double {
        let base = base(max(interval, 0.001))
        guard base > 0, !recent.isEmpty else { return 1 }
        let whole = Double(opening.end.milliseconds - beginning.milliseconds) / step
        let should = min(1, (left + Double(recent.count) / 2) / whole)
        return min(2, max(0.5, recent.reduce(0, +) / Double(recent.count) / base / should))
    }
}
