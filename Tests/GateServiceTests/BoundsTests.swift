import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// One caller must not hold all others up: what a request costs is spent before the lock is taken, and has an end.
@Suite(.timeLimit(.minutes(2))) struct BoundsTests {
    private static func text(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    // MARK: The lock

    /// Were the lock taken for any of these, the test would wait for itself.
    @Test func whatWritesNothingDoesNotTakeTheLock() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.ledger.write { _ throws in
            #expect(try house.submit(.set([("shop/ios", 1)], Rules.kill), WriteTerms(dryRun: true)).plan.tier == .block)
            #expect(word { try house.set("shop/ios", to: #"{"alert":{"message":"","blocking":false}}"#) } == "invalid_message")
            #expect(word { try house.submit(.set([("shop/tv", 1)], Rules.kill)) } == "target_not_found")
            #expect(word { try house.submit(.set([("shop/ios", 9)], Rules.kill)) } == "stale_revision")
            #expect(word { try house.submit(.settings("shop/ios", #"{"releases":["x"]}"#)) } == "invalid_version")
            #expect(word { try house.submit(.aliases("shop", #"[{"path":"/x","feed":"gate.json","platform":"tv"}]"#)) } == "invalid_alias")
            let document = try house.document().map { try $0.with(.ios, gate: Rules.kill) }
            #expect(try house.apply(document, WriteTerms(dryRun: true)).plan.tier == .block)
            #expect(try house.make(house.draft("shop/ios"), WriteTerms(dryRun: true)).plan?.tier == .block)
            #expect(word { try house.make(house.draft("shop/ios", in: -1)) } == "past_time")
        }
    }

    /// Its holds are told: the metric is made of them.
    @Test func everyHoldIsObserved() throws {
        let house = try House()
        let holds = Mutex<[Duration]>([])
        house.ledger.observeWriters { hold in holds.withLock { $0.append(hold) } }
        try house.add("shop", "ios")
        #expect(holds.withLock { $0.count } == 2)
        #expect(holds.withLock { $0.allSatisfy { $0 > .zero } })
    }

    // MARK: Being overtaken

    /// Kills `shop/ios` and lets `meanwhile` happen between each plan and its turn.
    /// - Returns: how often it was planned.
    @discardableResult
    private func kill(_ house: House, meanwhile: (_ plan: Int) throws -> Void) throws -> Int {
        try withoutActuallyEscaping(meanwhile) { meanwhile in
            var plans = 0
            let kill = SubmittedChange(
                ledger: house.ledger,
                command: try Command.set([("shop/ios", try house.revision("shop/ios"))], Rules.kill),
                terms: WriteTerms(),
                caller: .admin,
                idempotency: nil,
                answer: { _ in Answer(status: 200, body: []) }
            )
            _ = try house.ledger.carryOut(
                Interrupted(write: kill) {
                    plans += 1
                    do { try meanwhile(plans) } catch { Issue.record(error) }
                }
            )
            return plans
        }
    }

    /// A change of another app takes the sequence that was planned with: the feeds say the one that it became.
    @Test func aChangeOfAnotherAppCostsNoNewPlan() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        try house.add("bank", "ios")
        let plans = try kill(house) { _ in
            house.clock.advance(seconds: 5)
            try house.set("bank/ios", to: Rules.notify)
            house.clock.advance(seconds: 5)
        }
        #expect(plans == 1)
        let shop = try house.ledger.app(AppKey("shop")!, for: .admin)
        #expect(shop.platforms[.ios]?.sequence == 7)
        #expect(shop.platforms[.ios]?.changedAt == house.clock.now)
        let rendered = try PublishedApp(rendering: shop)
        for feed in rendered.feeds { #expect(house.sink.bytes[feed.path] == feed.bytes, "\(feed.path)") }
        let change = try house.ledger.change(7, for: .admin)
        #expect(change.targets[0].feeds == rendered.digests(of: .ios))
        #expect(try house.killed().ledger.apps(for: .admin) == house.ledger.apps(for: .admin))
    }

    /// What was made ready of the windows of a step tells the place and the moment that the step had then.
    @Test func aMovedStepOfAWindowTellsWhereItCame() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.make(house.draft("shop/ios", in: 300, until: 400))
        house.clock.advance(seconds: 60)
        try house.ledger.carryOut(
            Interrupted(write: DutyWork(schedule: house.schedule, duty: .window(1))) {
                house.clock.advance(seconds: 5)
                do { try house.set("bank/ios", to: Rules.notify) } catch { Issue.record(error) }
            }
        )
        let sequence = try house.target("shop/ios").sequence
        #expect(sequence == 6)
        let windows = try [house.window(1), house.window(2)]
        #expect(windows.map(\.events.last?.what) == [.started, .overtaken])
        #expect(windows.allSatisfy { $0.events.last?.sequence == sequence && $0.events.last?.at == house.clock.now })
        // As they are read again, and as they would be written.
        let again = try house.killed()
        #expect(try [again.window(1), again.window(2)] == windows)
    }

    @Test func aChangeOfTheSameAppIsPlannedFor() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        let plans = try kill(house) { plan in if plan == 1 { try house.set("shop/macos", to: Rules.notify) } }
        #expect(plans == 2)
        let shop = try house.ledger.app(AppKey("shop")!, for: .admin)
        #expect(shop.platforms[.macos]?.gate.alert != nil)
        for feed in try PublishedApp(rendering: shop).feeds { #expect(house.sink.bytes[feed.path] == feed.bytes, "\(feed.path)") }
    }

    /// However often somebody else is faster, the fourth plan is made under the lock.
    @Test func nobodyIsOvertakenForEver() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        let plans = try kill(house) { plan in
            if plan < 4 { try house.set("shop/macos", to: #"{"alert":{"message":"\#(plan)","blocking":false}}"#) }
        }
        #expect(plans == 4)
        #expect(try house.target("shop/ios").gate.killSwitch != nil)
    }

    @Test func whoseTargetWasChangedMeanwhileIsToldSo() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(
            word { try kill(house) { plan in if plan == 1 { try house.set("shop/ios", to: Rules.notify) } } }
                == "stale_revision"
        )
    }

    /// The same request twice at once: the second is planned on what the first made, and is not stale for it.
    @Test func aRepeatedRequestIsNeverStale() throws {
        let house = try House()
        try house.add("shop", "ios")
        let key = IdempotencyKey(key: "k", request: Array("kill".utf8))
        let first = try house.answer(.set([("shop/ios", 1)], Rules.kill), key: key)
        #expect(try house.answer(.set([("shop/ios", 1)], Rules.kill), key: key) == first)
        #expect(
            word { _ = try house.answer(.set([("shop/ios", 1)], Rules.kill), key: IdempotencyKey(key: "k", request: [1])) }
                == "idempotency_key_reused"
        )
    }

    // MARK: Sizes

    @Test func aGateHasAtMostThirtyTwoKibibytes() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.alert(24_000))
        let large =
            #"{"forceUpdate":{"message":{"default":"a",\#((0..<12).map { #""de-x\#($0)":"\#(Self.text(480))""# }.joined(separator: ","))}}}"#
        let found = refusal { try house.set("shop/ios", to: large) }
        #expect(found?.word == "gate_too_large")
        #expect(found?.field == "/set/forceUpdate")
        // Full as it is, it can be shut and opened.
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"\#(Self.text(500))"}}"#)
        try house.set("shop/ios", to: Rules.open)
        let document = try house.document().map { app in
            try app.with(.ios, gate: String(Rules.alert(24_500).dropLast()) + "," + String(large.dropFirst()))
        }
        #expect(refusal { try house.apply(document) }?.field == "/document/apps/0/platforms/ios/gate/forceUpdate")
        #expect(word { try house.make(house.draft("shop/ios", set: large)) } == "gate_too_large")
    }

    /// Twenty-four kibibytes before and after: as many targets as the history may hold of one change, and no more.
    @Test func aChangeHasAnEndAndASingleTargetNever() throws {
        let house = try House()
        let apps = (0..<50).map { "app\($0)" }
        for app in apps {
            try house.add(app, "ios")
            try house.set("\(app)/ios", to: Rules.alert(24_000))
        }
        func targets(_ count: Int) throws -> [(String, Int?)] {
            try apps.prefix(count).map { ("\($0)/ios", try house.revision("\($0)/ios")) }
        }
        let refused = refusal { try house.submit(.set(targets(50), Rules.kill), WriteTerms(confirm: "kill 50 targets")) }
        #expect(refused?.word == "change_too_large")
        #expect(refused?.field == "/targets")
        try house.submit(.set(targets(40), Rules.kill), WriteTerms(confirm: "kill 40 targets"))
        #expect(
            word { try house.make(house.draft(apps.map { "\($0)/ios" }, set: Rules.force, in: 60, until: 120, then: .open)) }
                == "change_too_large"
        )
    }

    /// A gate that was written before there was a limit.
    @Test func whatIsTooLargeAlreadyIsKilledOpenedRevertedAndMadeSmaller() throws {
        let house = try House()
        try house.add("shop", "ios")
        let old = Gate(
            alert: Alert(
                message: .localized(["default": "a"].merging((0..<400).map { ("de-x\($0)", Self.text(480)) }) { $1 }),
                blocking: false
            )
        )
        try house.write(old, to: "shop/ios")
        #expect(try house.target("shop/ios").gate == old)
        try house.set("shop/ios", to: Rules.kill)
        try house.submit(.revert("shop/ios", 3, to: 2))
        #expect(try house.target("shop/ios").gate == old)
        // An export of it applies, as long as nothing is asked of it anew.
        try house.apply(
            house.document().map { app in
                var app = app
                app.name = "Another name"
                return app
            }
        )
        try house.set("shop/ios", to: Rules.notify)
        #expect(word { try house.submit(.revert("shop/ios", try house.revision("shop/ios"), to: 2)) } == "gate_too_large")
    }

    @Test func anAppHasAtMostThirtyTwoPlatforms() throws {
        let house = try House()
        try house.add("shop")
        for number in 0..<32 { try house.submit(.settings("shop/p\(number)", "{}")) }
        #expect(word { try house.submit(.settings("shop/tv", "{}")) } == "too_many_platforms")
        try house.submit(.settings("shop/p31", #"{"defaultRetryInterval":60}"#))
        let document = try house.document().map { try $0.with(PlatformKey("tv")!, gate: "{}") }
        #expect(refusal { try house.apply(document) }?.field == "/document/apps/0/platforms")
        try house.apply(document.map { $0.without(PlatformKey("p0")!) }, prunes: true)
    }

    // MARK: Memory

    private func change(_ sequence: Int, _ targets: Int = 1, bytes: Int = 0) -> Change {
        let keys = (0..<targets).map { TargetKey("shop/p\($0)")! }
        let after = Gate(alert: Alert(message: .text(Self.text(bytes)), blocking: false))
        return Change(
            sequence: sequence,
            at: Timestamp(milliseconds: 0),
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            kind: .set,
            reason: nil,
            requestId: "r",
            app: nil,
            targets: keys.map { ChangedTarget(target: $0, previous: 1, revision: 2, before: .open, after: after) }
        )
    }

    @Test func theRingHoldsABoundedNumberOfBytes() {
        var ring = RecentChanges([], floor: 0, room: 100_000)
        for sequence in 1...200 {
            ring.append(change(sequence), bytes: 9_000)
            #expect(ring.bytes <= 100_000)
        }
        #expect(ring.floor >= 190)
        #expect(ring.after(ring.floor, newest: 200, limit: 500)?.changes.last?.sequence == 200)
        // One that is too large by itself is not kept at all: whoever asks for it starts anew.
        ring.append(change(201), bytes: 200_000)
        #expect(ring.floor == 201)
        #expect(ring.bytes == 0)
        #expect(ring.after(200, newest: 201, limit: 500) == nil)
        ring.append(change(202), bytes: 9_000)
        #expect(ring.after(201, newest: 202, limit: 500)?.changes.map(\.sequence) == [202])
    }

    @Test func theRingGivesAsManyAsAnAnswerHolds() {
        var ring = RecentChanges([], floor: 0)
        for sequence in 1...10 { ring.append(change(sequence), bytes: 9_000) }
        let run = ring.after(2, newest: 10, limit: 500, bytes: 25_000)
        #expect(run?.changes.map(\.sequence) == [3, 4])
        #expect(run?.isCut == true)
        #expect(ring.after(2, newest: 10, limit: 500, bytes: 1)?.changes.map(\.sequence) == [3])
        #expect(ring.after(9, newest: 10, limit: 500, bytes: 25_000)?.isCut == false)
    }

    @Test func lastChangesHoldABoundedNumberOfBytesAndTellOfOneTargetAlone() {
        var kept = LastChanges(room: 50_000)
        for sequence in 1...50 {
            kept.take(change(sequence, 3), bytes: 6_000)
            #expect(kept.bytes <= 50_000)
        }
        let target = TargetKey("shop/p1")!
        #expect(kept[target, 50]?.targets.map(\.target) == [target])
        #expect(kept[target, 49] == nil)
        kept.take(change(51, 3), bytes: 60_000)
        #expect(kept[target, 51] == nil)
    }

    /// A change of everything tells each target its own part, and a scoped caller what is in their scope.
    @Test func lastChangesAreOfTheirTarget() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        try house.add("bank", "ios")
        try house.set("shop/ios", "shop/macos", "bank/ios", to: Rules.kill, WriteTerms(confirm: "kill 3 targets"))
        for house in [house, try house.killed()] {
            let ledger = house.ledger
            for name in ["shop/ios", "shop/macos", "bank/ios"] {
                let last = ledger.lastChange(of: try house.target(name), for: .admin)
                #expect(last?.targets.map(\.target.description) == [name])
                #expect(last?.sequence == 6)
                #expect(last?.omitted == 0)
            }
            #expect(ledger.lastChange(of: try house.target("shop/ios"), for: .banker) == nil)
        }
    }

    @Test func eventsComeInPartsAndNoneIsLost() throws {
        let house = try House()
        let apps = (0..<30).map { "app\($0)" }
        for app in apps { try house.add(app, "ios") }
        let start = house.ledger.sequence
        for round in 0..<60 { try house.set("app\(round % 30)/ios", to: Rules.alert(24_000 + round / 30 * 500)) }
        var after = start
        var seen: [Int] = []
        var parts = 0
        repeat {
            let (items, sequence) = house.ledger.events(after: after, for: .admin)
            seen += try items.unwrapped().map(\.sequence)
            after = sequence
            parts += 1
            try #require(parts <= 60)
        } while after < house.ledger.sequence
        #expect(seen == Array(start + 1...start + 60))
        #expect(parts > 1)
    }
}

extension House {
    /// Puts a gate on a target past all checks, as an older version would have written it, and reads everything anew.
    fileprivate func write(_ gate: Gate, to name: String) throws {
        let target = try target(name)
        let app = try ledger.app(target.key.app, for: .admin)
        let catalog = ledger.snapshot.catalog
        let changed = catalog.change(of: target.key, to: gate, target.settings)
        var step = Step(plan: .nothing, kind: .set, apps: [app])
        step.add(changed)
        var after = app
        after.platforms[target.key.platform] = catalog.target(after: changed, target.settings)
        step.apps = [after]
        let prepared = try PreparedStep(step, sequence: ledger.sequence + 1, at: clock.now)
        _ = try ledger.write { turn throws(ServiceError) in
            try ledger.commit(prepared, command: .gates([], kind: .set), reason: nil, caller: .admin, idempotency: nil, in: turn) { _ in
                Answer(status: 200, body: [])
            }
        }
    }
}
