import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateServer

/// Phones that poll while a gate is opened gradually, second by second on a clock of the test's own.
@Suite struct OpeningPaceTests {
    /// What became of a crowd of phones.
    struct Outcome {
        /// The share of phones that are in after each second.
        var inside: [Double] = []
        /// The share of the polls of each second that were let in; nil for a second without polls.
        var shares: [Double?] = []

        func inside(after seconds: Int) -> Double { inside[seconds - 1] }

        /// The largest share of all phones that came in within one second.
        var largestStep: Double { zip(inside, [0] + inside).map { $0 - $1 }.max() ?? 0 }
    }

    struct Crowd: CustomTestStringConvertible {
        let phones: Int
        /// Seconds between two polls of a phone.
        let every: Double
        /// Seconds of the opening.
        let over: Int
        /// Whether a phone that is let in asks no more.
        var stops = true
        /// How uneven a phone's polls are, as a part of the interval.
        var jitter = 0.0
        /// Second of the opening at which the server starts.
        var from = 0

        var testDescription: String { "\(phones) phones every \(every) s over \(over) s\(stops ? "" : ", never stopping")" }
    }

    private func run(_ crowd: Crowd, seed: UInt64) throws -> Outcome {
        let start = Timestamp(milliseconds: 1_774_000_000_000)
        let opening = try #require(Opening(start: start, end: start.advanced(bySeconds: Int64(crowd.over))))
        var random = SeededGenerator(seed: seed)
        var next = (0..<crowd.phones).map { _ in Double(crowd.from) + Double.random(in: 0..<crowd.every, using: &random) }
        var isIn = [Bool](repeating: false, count: crowd.phones)
        var pace = OpeningPace(opening, at: start.advanced(bySeconds: Int64(crowd.from)))
        var number: UInt64 = 0
        var outcome = Outcome(inside: .init(repeating: 0, count: crowd.from), shares: .init(repeating: nil, count: crowd.from))
        for second in crowd.from..<crowd.over {
            // In the order in which they come, as the server sees them.
            var due: [(Double, Int)] = []
            for phone in next.indices where !(isIn[phone] && crowd.stops) {
                while next[phone] < Double(second + 1) {
                    due.append((next[phone], phone))
                    next[phone] += crowd.every * (1 + crowd.jitter * Double.random(in: -0.5...0.5, using: &random))
                }
            }
            var (polls, letIn) = (0, 0)
            for (_, phone) in due.sorted(by: { $0.0 < $1.0 }) where !(isIn[phone] && crowd.stops) {
                number += 1
                polls += 1
                guard number &* 0x9e37_79b9_7f4a_7c15 < UInt64(share: pace.share) else { continue }
                letIn += 1
                isIn[phone] = true
            }
            pace.note(polls: polls, at: start.advanced(bySeconds: Int64(second + 1)))
            outcome.inside.append(Double(isIn.count { $0 }) / Double(crowd.phones))
            outcome.shares.append(polls == 0 ? nil : Double(letIn) / Double(polls))
        }
        #expect(pace.share == 1, "everybody at the end")
        return outcome
    }

    /// The issue's own bound: half of the time, half of the phones, and never many at once.
    @Test(arguments: [
        Crowd(phones: 2_000, every: 1, over: 60), Crowd(phones: 2_000, every: 1, over: 60, jitter: 0.4),
        Crowd(phones: 2_000, every: 5, over: 60), Crowd(phones: 500, every: 1, over: 600), Crowd(phones: 2_000, every: 5, over: 600),
        Crowd(phones: 2_000, every: 15, over: 600), Crowd(phones: 2_000, every: 15, over: 600, jitter: 0.4),
        Crowd(phones: 2_000, every: 30, over: 600), Crowd(phones: 1_000, every: 60, over: 3_600),
        Crowd(phones: 2_000, every: 15, over: 7_200),
    ])
    func phonesThatStopComeInEvenly(crowd: Crowd) throws {
        for seed in 1...UInt64(crowd.over > 600 ? 1 : 3) {
            let outcome = try run(crowd, seed: seed)
            #expect(0.4...0.6 ~= outcome.inside(after: crowd.over / 2), "seed \(seed): \(outcome.inside(after: crowd.over / 2))")
            #expect(0.1...0.4 ~= outcome.inside(after: crowd.over / 4), "seed \(seed): \(outcome.inside(after: crowd.over / 4))")
            #expect(0.6...0.9 ~= outcome.inside(after: crowd.over * 3 / 4), "seed \(seed): \(outcome.inside(after: crowd.over * 3 / 4))")
            #expect(outcome.largestStep <= 0.05, "seed \(seed)")
            // Whoever is left comes in at the end, when the kill switch lifts itself: no more than in any other second.
            #expect(1 - outcome.inside(after: crowd.over) <= 0.05, "seed \(seed)")
        }
    }

    @Test(arguments: [
        Crowd(phones: 2_000, every: 1, over: 60, stops: false), Crowd(phones: 2_000, every: 15, over: 600, stops: false),
        Crowd(phones: 3_000, every: 15, over: 600, stops: false, jitter: 0.4),
    ])
    func phonesThatNeverStopSeeAShareThatGrowsEvenly(crowd: Crowd) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let outcome = try run(crowd, seed: seed)
            for (second, share) in outcome.shares.enumerated() {
                let (time, share) = (Double(second) / Double(crowd.over), try #require(share))
                #expect(share - time < 0.03, "seed \(seed), second \(second)")
                // While it is not known yet that none stops, fewer may be let in.
                #expect(share - time > (time < 0.2 ? -0.15 : -0.04), "seed \(seed), second \(second)")
            }
        }
    }

    /// A server that starts in the midst of it goes on from there with the phones that are left.
    @Test(arguments: [
        Crowd(phones: 2_000, every: 1, over: 60, from: 30), Crowd(phones: 2_000, every: 15, over: 600, from: 300),
    ])
    func aStartInTheMidstLetsNobodyInAtOnce(crowd: Crowd) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let outcome = try run(crowd, seed: seed)
            #expect(0.35...0.65 ~= outcome.inside(after: crowd.over * 3 / 4), "seed \(seed): \(outcome.inside(after: crowd.over * 3 / 4))")
            // These phones are the half that is left: of all, half of that.
            #expect(outcome.largestStep <= 0.1, "seed \(seed)")
            #expect(1 - outcome.inside(after: crowd.over) <= 0.1, "seed \(seed)")
        }
    }

    /// Phones that tell who they are: the share of the time is the share of them.
    @Test func phonesWithAKeyComeInEvenly() throws {
        let start = Timestamp(milliseconds: 1_774_000_000_000)
        for seed in 1...3 as ClosedRange<UInt64> {
            let opening = try #require(Opening(start: start, end: start.advanced(bySeconds: 60)))
            let target = TargetKey(app: try #require(AppKey("shop")), platform: .ios)
            let door = OpeningDoor(target, opening, seed: StableHash.mixed(seed), at: start)
            let draws = try (0..<2_000).map { try #require(OpeningDraw(key: "phone-\($0)", told: [], from: { [] })) }
            var inside: [Double] = []
            var wereIn: Set<Int> = []
            for second in 1...60 as ClosedRange<Int64> {
                door.move(to: start.advanced(bySeconds: second))
                let areIn = Set(draws.indices.filter { door.admits(draws[$0]) })
                #expect(areIn.isSuperset(of: wereIn), "who is in stays in")
                wereIn = areIn
                inside.append(Double(areIn.count) / 2_000)
            }
            let outcome = Outcome(inside: inside)
            #expect(0.45...0.55 ~= outcome.inside(after: 30), "seed \(seed)")
            #expect(outcome.largestStep <= 0.05 && outcome.inside(after: 60) == 1, "seed \(seed)")
        }
    }

    /// Whatever the clock and the polls do, the share stays one.
    @Test func theShareStaysAShare() throws {
        var random = SeededGenerator(seed: 5)
        let start = Timestamp(milliseconds: 1_774_000_000_000)
        for _ in 0..<200 {
            let length = Int64.random(in: 1...86_400, using: &random)
            let opening = try #require(Opening(start: start, end: start.advanced(bySeconds: length)))
            var pace = OpeningPace(opening, at: start.advanced(bySeconds: .random(in: -10...length, using: &random)))
            var now = start
            for _ in 0..<100 {
                now = now.advanced(bySeconds: .random(in: -2...max(3, length / 20), using: &random))
                pace.note(polls: [0, 0, 1, 5, 1_000_000][random.next(below: 5)], at: now)
                #expect(
                    0...1 ~= pace.share && pace.share <= max(opening.share(at: now), opening.share(at: start.advanced(bySeconds: 2))) + 0.3
                )
                if now >= opening.end { #expect(pace.share == 1) }
            }
        }
    }
}
