import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Which versions poll: counted by target, within bounds, and nothing that names a phone.
@Suite struct VersionTallyTests {
    private static let shop = TargetKey(app: AppKey("shop")!, platform: .ios)
    private static let start = Timestamp(milliseconds: 1_775_122_334_000)

    private func time(_ minutes: Int64) -> Timestamp { Self.start.advanced(bySeconds: minutes * 60) }

    private func words(_ polled: PolledVersions) -> [String] { polled.versions.map { "\($0.text) \($0.polls)" } }

    @Test func theLastHourAndTheLastDayAreTold() {
        let tally = VersionTally()
        tally.sample(at: time(0))
        for _ in 0..<3 { tally.counter(of: "4.0.0", on: Self.shop).count() }
        tally.counter(of: "4.1.0", on: Self.shop).count()
        #expect(words(tally.versions(of: Self.shop, within: .hour, at: time(0))) == ["4.0.0 3", "4.1.0 1"])
        for minute in 1...30 { tally.sample(at: time(Int64(minute))) }
        tally.counter(of: "4.1.0", on: Self.shop).count()
        tally.counter(of: "4.1.0", on: Self.shop).count()
        #expect(words(tally.versions(of: Self.shop, within: .hour, at: time(30))) == ["4.0.0 3", "4.1.0 3"])
        for minute in 31...75 { tally.sample(at: time(Int64(minute))) }
        #expect(words(tally.versions(of: Self.shop, within: .hour, at: time(75))) == ["4.1.0 2"])
        #expect(words(tally.versions(of: Self.shop, within: .day, at: time(75))) == ["4.0.0 3", "4.1.0 3"])
        for hour in 2...27 { tally.sample(at: time(Int64(hour) * 60)) }
        #expect(tally.versions(of: Self.shop, within: .day, at: time(27 * 60)).polls == 0)
    }

    /// Whoever invents versions is counted, and takes up no more room; what nobody polls for a day makes some.
    @Test func inventedVersionsAreCountedTogether() throws {
        let tally = VersionTally()
        tally.sample(at: time(0))
        for number in 0..<1_000 { tally.counter(of: "1.\(number)", on: Self.shop).count() }
        let polled = tally.versions(of: Self.shop, within: .hour, at: time(0))
        #expect((polled.versions.count, polled.others, polled.polls) == (200, 800, 1_000))
        for app in 0..<200 {
            let target = TargetKey(app: try #require(AppKey("app-\(app)")), platform: .ios)
            for number in 0..<200 { tally.counter(of: "1.\(number)", on: target).count() }
        }
        #expect(tally.count == VersionTally.mostOfAll)
        for hour in 1...26 { tally.sample(at: time(Int64(hour) * 60)) }
        #expect(tally.count == 0)
        tally.counter(of: "4.0.0", on: Self.shop).count()
        #expect(words(tally.versions(of: Self.shop, within: .hour, at: time(26 * 60))) == ["4.0.0 1"])
    }

    /// Whoever has used up the place of all targets does not hide the versions of one that had none, or few.
    @Test func versionsInventedForOtherTargetsHideNone() throws {
        let tally = VersionTally()
        tally.sample(at: time(0))
        for app in 0..<100 {
            let target = TargetKey(app: try #require(AppKey("app-\(app)")), platform: .ios)
            for number in 0..<200 { tally.counter(of: "1.\(number)", on: target).count() }
        }
        #expect(tally.count == VersionTally.mostOfAll)
        for version in ["4.0.0", "4.1.0", "4.2.0"] { for _ in 0..<5 { tally.counter(of: version, on: Self.shop).count() } }
        let polled = tally.versions(of: Self.shop, within: .hour, at: time(0))
        #expect(words(polled) == ["4.0.0 5", "4.1.0 5", "4.2.0 5"])
        #expect(polled.others == 0)
        #expect(tally.count == VersionTally.mostOfAll)
        // Each of the 101 targets gets its share, and none of their polls is lost.
        for number in 0..<500 { tally.counter(of: "5.\(number)", on: Self.shop).count() }
        #expect([198, 199].contains(tally.versions(of: Self.shop, within: .hour, at: time(0)).versions.count))
        var polls = 0
        for app in 0..<100 {
            let target = TargetKey(app: try #require(AppKey("app-\(app)")), platform: .ios)
            polls += tally.versions(of: target, within: .hour, at: time(0)).polls
        }
        #expect(polls == VersionTally.mostOfAll)
    }

    /// Whoever invents versions first, or all the time, does not hide one that phones have.
    @Test(arguments: [(1, 0), (1, 1), (1, 20), (50, 1), (1_000, 3)])
    func aVersionThatPollsMuchTakesThePlaceOfOneThatDoesNot(before: Int, beside: Int) {
        let tally = VersionTally()
        tally.sample(at: time(0))
        for number in 0..<200 { for _ in 0..<before { tally.counter(of: "9.\(number).77", on: Self.shop).count() } }
        for poll in 0..<1_000 {
            if poll % 100 == 0 { tally.sample(at: time(Int64(poll / 100))) }
            tally.counter(of: "4.0.0", on: Self.shop).count()
            for other in 0..<beside { tally.counter(of: "8.\(poll).\(other)", on: Self.shop).count() }
        }
        let polled = tally.versions(of: Self.shop, within: .hour, at: time(9))
        #expect(polled.versions.first { $0.text == "4.0.0" }?.polls == 1_000)
        // Nothing is lost, and nothing is counted that was not there.
        #expect(polled.polls == 200 * before + 1_000 * (1 + beside))
        #expect(polled.versions.count == VersionTally.mostPerTarget)
    }

    /// Its polls go to those that are not told apart, and whoever still counts there finds out.
    @Test func aVersionThatLosesItsPlaceIsCountedWithTheOthers() {
        let tally = VersionTally()
        tally.sample(at: time(0))
        let first = tally.counter(of: "1.0.0", on: Self.shop)
        first.count()
        tally.sample(at: time(1))
        for number in 0..<200 { for _ in 0..<3 { tally.counter(of: "2.\(number)", on: Self.shop).count() } }
        #expect(first.isRetired)
        let polled = tally.versions(of: Self.shop, within: .hour, at: time(1))
        #expect((polled.versions.count, polled.others, polled.polls) == (200, 1, 601))
        #expect(!tally.counter(of: "1.0.0", on: Self.shop).isRetired)
        for minute in 2...62 { tally.sample(at: time(Int64(minute))) }
        #expect(tally.versions(of: Self.shop, within: .hour, at: time(62)).polls == 0)
        #expect(tally.versions(of: Self.shop, within: .day, at: time(62)).polls == 601)
    }

    // MARK: Polls and plans

    /// A stranger who polls with two hundred versions that nobody has does not make a change look harmless.
    @Test func inventedVersionsDoNotHideWhomAPlanShutsOut() throws {
        let desk = try Desk().furnished()
        func poll(_ version: String, _ times: Int) throws {
            for _ in 0..<times { _ = try desk.answer(to: "version=\(version)", at: "/feeds/shop/ios/gate.json") }
        }
        for number in 0..<200 { try poll("9.\(number).77", 1) }
        try poll("2.0.0", 400)
        try poll("3.1.0", 100)
        let plan = try plan(desk, #""requiredUpdate":{"minimumVersion":"3.0.0","message":"m"}"#)
        #expect(radius(plan) == ["Blocks 57 % of the polls of the last hour on shop/ios: 2.0.0 (57 %)."])
        #expect(plan["tier"]?.integer == 3)
    }

    /// A poll that repeats a question finds the place of its version, even after it has lost one.
    @Test func aVersionThatLostItsPlaceGetsAnother() throws {
        let desk = try Desk().furnished()
        func poll(_ version: String) throws { _ = try desk.answer(to: "version=\(version)", at: "/feeds/shop/ios/gate.json") }
        try poll("1.0.0")
        for number in 0..<400 { try poll("9.\(number).77") }
        for _ in 0..<10 { try poll("1.0.0") }
        let items = try #require(desk.ask(.get, "/api/v1/targets/shop/ios/versions").json["items"]?.array)
        #expect(items.first?.object?["version"]?.string == "1.0.0")
        #expect(items.first?.object?["polls"]?.integer == 10)
    }

    /// Versions that are too many to tell apart may be shut out or not, and count as shut out where that matters.
    @Test(arguments: [
        (240, #""requiredUpdate":{"minimumVersion":"1.0.0","message":"m"}"#, "between 0 % and 17 %", 2),
        (300, #""requiredUpdate":{"minimumVersion":"1.0.0","message":"m"}"#, "between 0 % and 33 %", 3),
        (240, #""requiredUpdate":{"minimumVersion":"2.0.0","message":"m"}"#, "between 83 % and 100 %", 3),
        // For everybody.
        (240, #""killSwitch":{"message":"m"}"#, "100 %", 2),
    ])
    func versionsThatAreNotToldApartMayBeShutOut(count: Int, set: String, share: String, tier: Int) throws {
        let desk = try Desk().furnished()
        for number in 0..<count { poll(desk, "1.\(number).0", times: 1) }
        let plan = try plan(desk, set)
        #expect(radius(plan).first?.hasPrefix("Blocks \(share) of the polls of the last hour on shop/ios") == true)
        #expect(radius(plan).first?.hasSuffix("The other versions are too many to tell apart.") == share.hasPrefix("between"))
        #expect(plan["tier"]?.integer == tier)
    }

    /// Nobody's own reading is a phone's poll, whichever way it goes.
    @Test func whoLooksIsNotCounted() throws {
        let desk = try Desk().furnished()
        let path = "/feeds/shop/ios/bellerophon.json?version=4.0.0"
        _ = desk.poll(path, .head)
        _ = desk.ask(.get, path, as: .nobody)
        _ = desk.poll("/feeds/shop/ios/gate.json.sig?version=4.0.0")
        _ = desk.ask(.get, "/api/v1/targets/shop/ios", as: .viewer)
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios/versions").json["polls"]?.integer == 0)
        _ = desk.poll(path)
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios/versions").json["polls"]?.integer == 1)
    }

    /// A version that nobody polled with for a day is counted again when it comes back, by the way of polls that repeat a question too.
    @Test func aVersionThatComesBackIsCountedAgain() throws {
        let desk = try Desk().furnished()
        func poll() throws { _ = try desk.answer(to: "version=4.0.0", at: "/feeds/shop/ios/bellerophon.json") }
        func polls() -> Int? { desk.ask(.get, "/api/v1/targets/shop/ios/versions").json["polls"]?.integer }
        desk.reach.sample(at: desk.clock.now)
        try poll()
        #expect(polls() == 1)
        for _ in 0..<26 {
            desk.clock.advance(seconds: 3_600)
            desk.reach.sample(at: desk.clock.now)
        }
        #expect(polls() == 0)
        try poll()
        try poll()
        #expect(polls() == 2)
    }

    @Test func anApplySaysWhomItShutsOut() throws {
        let desk = try Desk().furnished()
        for (version, times) in [("4.0.0", 3), ("4.2.0", 1)] { self.poll(desk, version, times: times) }
        let gate = #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}}"#
        let document = #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"shop","platforms":{"ios":{"gate":\#(gate)}}}]}"#
        let answer = desk.ask(.post, "/api/v1/apply", #"{"document":\#(document),"dryRun":true}"#)
        try answer.expect(200)
        #expect(
            radius(try answer.json["plan"]?.object.unwrapped() ?? [:]) == [
                "Blocks 75 % of the polls of the last hour on shop/ios: 4.0.0 (75 %)."
            ]
        )
    }

    private func poll(_ desk: Desk, _ version: String, times: Int) {
        for _ in 0..<times { _ = desk.poll("/feeds/shop/ios/bellerophon.json?version=\(version)") }
    }

    private func plan(_ desk: Desk, _ set: String, revision: Int = 1) throws -> JSONObject {
        let response = desk.change(
            #"{"app":"shop","platform":"ios","revision":\#(revision)}"#,
            #""set":{\#(set)},"dryRun":true,"accept":["text_order"]"#
        )
        try response.expect(200)
        return try response.json["plan"]?.object.unwrapped() ?? [:]
    }

    private func radius(_ plan: JSONObject) -> [String] {
        (plan["warnings"]?.array ?? []).compactMap { warning in
            guard let code = warning.object?["code"]?.string, code.hasPrefix("blast_radius") else { return nil }
            return warning.object?["detail"]?.string
        }
    }

    @Test func aPlanTellsHowManyItShutsOut() throws {
        let desk = try Desk().furnished()
        for (version, times) in [("4.0.0", 31), ("3.9.2", 7), ("4.2.0", 62), ("latest", 50)] { poll(desk, version, times: times) }
        let plan = try plan(desk, #""requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}"#)
        #expect(radius(plan) == ["Blocks 38 % of the polls of the last hour on shop/ios: 4.0.0 (31 %), 3.9.2 (7 %)."])
        // More than a quarter: what was asked of one target is asked as of many.
        #expect(plan["tier"]?.integer == 3)
        #expect(plan["confirm"]?.string == "require 1 targets")
        let few = try self.plan(desk, #""requiredUpdate":{"minimumVersion":"4.0.0","message":"m"}"#)
        #expect(radius(few) == ["Blocks 7 % of the polls of the last hour on shop/ios: 3.9.2 (7 %)."])
        #expect(few["tier"]?.integer == 2)
        // A kill is for everybody, and its tier knows.
        let kill = try self.plan(desk, #""killSwitch":{"message":"m"}"#)
        #expect(kill["tier"]?.integer == 2)
        #expect(radius(kill) == ["Blocks 100 % of the polls of the last hour on shop/ios: 4.2.0 (62 %), 4.0.0 (31 %), 3.9.2 (7 %)."])
        #expect(radius(try self.plan(desk, #""optionalUpdate":{"optionalVersion":"9.0.0","message":"m"}"#)) == [])
    }

    /// Of 100 polls, 38 are shut out.
    @Test(arguments: [(0, 3), (0.37, 3), (0.38, 2), (1, 2)])
    func anAdministratorSaysFromWhichShareOnAChangeIsMoreDangerous(share: Double, tier: Int) throws {
        let desk = try Desk(wideShare: share).furnished()
        for (version, times) in [("4.0.0", 31), ("3.9.2", 7), ("4.2.0", 62)] { poll(desk, version, times: times) }
        #expect(try plan(desk, #""requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}"#)["tier"]?.integer == tier)
    }

    @Test func theVersionsOfATargetAreTold() throws {
        let desk = try Desk().furnished()
        for (version, times) in [("4.0.0", 31), ("4.2.0", 62), ("1.9-beta", 7)] { poll(desk, version, times: times) }
        let path = "/api/v1/targets/shop/ios/versions"
        let answer = desk.ask(.get, path, as: .viewer)
        try answer.expect(200)
        #expect(
            answer.json["items"]?.text
                == #"[{"version":"4.2.0","polls":62,"share":0.620},{"version":"4.0.0","polls":31,"share":0.310},{"version":"1.9-beta","polls":7,"share":0.070}]"#
        )
        #expect(answer.json["polls"]?.integer == 100)
        #expect(desk.ask(.get, path + "?within=day", as: .viewer).json["polls"]?.integer == 100)
        #expect(desk.ask(.get, path + "?within=week", as: .viewer).summary == "400 malformed within")
        #expect(desk.ask(.get, "/api/v1/targets/shop/android/versions", as: .viewer).json["items"]?.array?.isEmpty == true)
        #expect(desk.ask(.get, path, as: .banker).status == 404)
        #expect(desk.ask(.get, path, as: .nobody).status == 401)
    }

    @Test func whoIsShutOutAlreadyIsNotCountedAgain() throws {
        let desk = try Desk().furnished()
        for (version, times) in [("3.0.0", 10), ("4.0.0", 90)] { poll(desk, version, times: times) }
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":1}"#,
            #""set":{"requiredUpdate":{"minimumVersion":"3.5.0","message":"m"}}"#
        ).expect(200)
        let plan = try plan(desk, #""requiredUpdate":{"minimumVersion":"3.6.0","message":"m"}"#, revision: 2)
        #expect(radius(plan) == ["Newly blocks 0 % of the polls of the last hour on shop/ios."])
        #expect(plan["tier"]?.integer == 2)
    }

    /// Phones may show nothing of what is in force, Bellerophon's of an alert: then a kill shuts out everybody, and a share of nobody would
    /// be false. The same plan without what is in force says a share.
    @Test(arguments: [
        #""alert":{"message":"m","blocking":true}"#, #""forceUpdate":{"message":"m"}"#,
        #""requiredUpdate":{"minimumVersion":"9","message":"m"}"#,
    ]) func whereEverybodyWasMeantToBeShutOutAlreadyNoShareIsTold(inForce: String) throws {
        let desk = try Desk(wideShare: 1).furnished()
        poll(desk, "4.0.0", times: 10)
        let kill = #""killSwitch":{"message":"m"}"#
        #expect(radius(try plan(desk, kill)) == ["Blocks 100 % of the polls of the last hour on shop/ios: 4.0.0 (100 %)."])
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{\#(inForce)}"#).expect(200)
        let plan = try plan(desk, kill, revision: 2)
        #expect(radius(plan) == [])
        #expect(plan["tier"]?.integer == 2)
    }

    @Test func aVersionRuleOverABlockTellsNoShare() throws {
        let desk = try Desk().furnished()
        poll(desk, "4.0.0", times: 10)
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"alert":{"message":"m","blocking":true}}"#).expect(200)
        #expect(radius(try plan(desk, #""requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}"#, revision: 2)) == [])
    }

    /// What is asked of a change is asked of a window that does the same a little later, and of one that runs and is to last longer.
    @Test func aWindowIsAskedAboutAsAChangeIs() throws {
        let desk = try Desk().furnished()
        for (version, times) in [("4.0.0", 31), ("3.9.2", 7), ("4.2.0", 62)] { poll(desk, version, times: times) }
        func time(_ minutes: Int64) -> String { desk.clock.now.advanced(bySeconds: minutes * 60).description }
        let start = time(1)
        func window(until end: String, _ rest: String = "") -> String {
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}},"#
                + #""start":"\#(start)","end":"\#(end)","accept":["text_order"]\#(rest)}"#
        }
        let plan =
            try desk.ask(.post, "/api/v1/windows", window(until: time(60), #","dryRun":true"#)).json["plan"]?.object.unwrapped() ?? [:]
        #expect(plan["tier"]?.integer == 3)
        #expect(plan["confirm"]?.string == "require 1 targets")
        #expect(radius(plan) == ["Blocks 38 % of the polls of the last hour on shop/ios: 4.0.0 (31 %), 3.9.2 (7 %)."])
        #expect(desk.ask(.post, "/api/v1/windows", window(until: time(60))).summary == "422 confirmation_required /confirm")
        try desk.ask(.post, "/api/v1/windows", window(until: time(60), #","confirm":"require 1 targets""#)).expect(201)
        desk.clock.advance(seconds: 60)
        ScheduleService(ledger: desk.ledger).doWhatIsDue()
        let longer =
            desk.ask(.put, "/api/v1/windows/1", window(until: time(90), #","dryRun":true,"revision":2"#)).json["plan"]?.object ?? [:]
        #expect(longer["confirm"]?.string == "require 1 targets")
        #expect(radius(longer) == radius(plan))
    }

    @Test func thatNothingIsKnownIsSaidWhereSomebodyPolls() throws {
        let desk = try Desk().furnished()
        let set = #""requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}"#
        #expect(radius(try plan(desk, set)) == [])
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        #expect(
            radius(try plan(desk, set)) == [
                "How many people of shop/ios this shuts out is not known: no poll of the last hour named its version."
            ]
        )
    }

    @Test func whoAsksForFlagsIsCountedToo() throws {
        let desk = try Desk().furnished()
        let body = #"{"context":{"app":"shop","platform":"ios","version":"4.0.0"}}"#
        let request = desk.request(.post, "/ofrep/v1/evaluate/flags", [:], Array(body.utf8), PeerAddress(bytes: [192, 0, 2, 7]))
        _ = desk.feeds.response(to: request)
        #expect(
            radius(try plan(desk, #""requiredUpdate":{"minimumVersion":"4.1.0","message":"m"}"#)).first?.contains("4.0.0 (100 %)") == true
        )
    }
}
