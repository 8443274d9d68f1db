import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Reach where several servers share a database: what this one counted, and what the others have told.
@Suite struct SharedReachTests {
    private static let killed = #"{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#
    private static let shop = Watched.target

    /// A server's clock, an hour ahead of the one that listens.
    private static func there(_ second: Int64) -> Timestamp { Watched.time(second + 3_600) }

    /// What a server tells at a moment of its own clock, as it stands in the database some milliseconds later.
    private func told(_ watched: Watched, as name: String = "there", at second: Int64, age: Int64 = 0) -> SharedPolls {
        let now = Self.there(second)
        return SharedPolls(server: name, document: watched.tracker.told(at: now), countedAt: now, age: age)
    }

    private func count(_ watched: Watched, confirmed: Int = 0, replaced: Int = 0, fetched: Int = 0) throws {
        let polls = try watched.polls().polls
        for _ in 0..<confirmed { polls.countConfirmed() }
        for _ in 0..<replaced { polls.countReplaced() }
        for _ in 0..<fetched { polls.countFetched() }
    }

    /// How another server stands to this one, and what is known of all polls then: of the last minute, and since the revision.
    struct Standing: Sendable, CustomTestStringConvertible {
        let name: String
        var gate = "{}"
        var isSpeaking = true
        var isKnown = true
        /// Seconds since anything was heard of anybody.
        var cutOff: Int64 = 0
        let reach: [Int]
        let share: Double?
        let stale: Int?

        var testDescription: String { name }
    }

    /// Here 3 have it and 1 got it; there 2 have it, 1 had another, 4 did not say.
    @Test(arguments: [
        Standing(name: "the same revision", reach: [11, 5, 1, 5], share: 5.0 / 6, stale: 3),
        Standing(name: "an older revision", gate: killed, reach: [11, 3, 0, 1], share: 1, stale: nil),
        Standing(name: "silent", isSpeaking: false, reach: [4, 5, 1, 5], share: 1, stale: 3),
        Standing(name: "silent, an older revision", gate: killed, isSpeaking: false, reach: [4, 3, 0, 1], share: 1, stale: nil),
        Standing(name: "cut off", cutOff: 10, reach: [4, 5, 1, 5], share: 1, stale: 13),
        Standing(name: "not yet cut off", cutOff: 9, reach: [11, 5, 1, 5], share: 5.0 / 6, stale: 12),
        Standing(name: "forgotten", isKnown: false, reach: [4, 3, 0, 1], share: 1, stale: nil),
    ])
    func theReachIsOfAllServers(_ standing: Standing) throws {
        let (here, there) = (try Watched(), try Watched())
        try there.publish(standing.gate)
        try count(here, confirmed: 3, fetched: 1)
        here.tracker.sample(at: Watched.time(10))
        try count(there, confirmed: 2, replaced: 1, fetched: 4)
        there.tracker.sample(at: Self.there(8))
        let others = here.tracker.others
        others.learn([told(there, at: 9, age: 2_000)], known: ["there"], speaking: ["there"], at: Watched.time(11))
        // What was told is heard of once; later rounds say who is there.
        others.learn(
            [],
            known: standing.isKnown ? ["there"] : [],
            speaking: standing.isSpeaking ? ["there"] : [],
            at: Watched.time(11)
        )
        let now = 11 + standing.cutOff
        let reach = try #require(here.reach(at: now))
        #expect([reach.pollsPerMinute, reach.confirmed, reach.replaced, reach.fetched] == standing.reach)
        #expect(reach.share == standing.share)
        #expect(reach.secondsSinceStale == standing.stale)
        let polls = here.tracker.pollsPerMinute(of: Self.shop, at: Watched.time(now))
        #expect(polls == [.bellerophon: standing.reach[0]])
    }

    /// What nobody polled here is known from where it was.
    @Test func whatWasPolledElsewhereAloneIsKnown() throws {
        let (here, there) = (try Watched(), try Watched())
        try count(there, fetched: 4)
        there.tracker.sample(at: Self.there(10))
        let others = here.tracker.others
        #expect(here.reach(at: 20) == nil)
        others.learn([told(there, at: 10, age: 10_000)], known: ["there"], speaking: ["there"], at: Watched.time(20))
        #expect(here.reach(at: 20)?.pollsPerMinute == 4)
        #expect(here.reach(at: 20)?.feeds == [.bellerophon])
        // By the time that it happened at, whatever the clock there says, and whatever became of that server.
        others.learn([], known: ["there"], speaking: [], at: Watched.time(21))
        #expect(here.tracker.polledFeeds(of: Self.shop, at: Watched.time(86_400 + 9)) == [.bellerophon])
        #expect(here.tracker.polledFeeds(of: Self.shop, at: Watched.time(86_400 + 10)) == [])
        // A feed that is not there any more has none.
        here.table.publish([(Self.shop.app, nil)])
        #expect(here.reach(at: 21) == nil)
    }

    @Test func severalServersAreAddedAndForgotten() throws {
        let here = try Watched()
        try count(here, confirmed: 1)
        here.tracker.sample(at: Watched.time(1))
        var fresh: [SharedPolls] = []
        for number in 1...5 {
            let there = try Watched()
            try count(there, confirmed: 10 * number)
            there.tracker.sample(at: Self.there(1))
            fresh.append(told(there, as: "server-\(number)", at: 1))
        }
        let names = Set(fresh.map(\.server))
        here.tracker.others.learn(fresh, known: names, speaking: names, at: Watched.time(1))
        #expect(here.reach(at: 1)?.confirmed == 151)
        // What one tells anew takes the place of what it told before.
        here.tracker.others.learn([fresh[0]], known: names, speaking: names, at: Watched.time(2))
        #expect(here.reach(at: 2)?.confirmed == 151)
        here.tracker.others.learn([], known: ["server-5"], speaking: names, at: Watched.time(3))
        #expect(here.reach(at: 3)?.confirmed == 51)
    }

    // MARK: Documents

    @Test func theSameNumbersAreTheSameBytesAndComeBack() throws {
        let watched = try Watched()
        try count(watched, confirmed: 2, replaced: 1, fetched: 4)
        watched.tracker.versions.sample(at: Watched.time(60))
        for version in ["4.0.0", "4.1.0", "4.1.0"] { watched.tracker.versions.counter(of: version, on: Self.shop).count() }
        watched.tracker.sample(at: Watched.time(61))
        let bytes = watched.tracker.told(at: Watched.time(61))
        #expect(bytes == watched.tracker.told(at: Watched.time(62)))
        let told = SharedPolls(server: "there", document: bytes, countedAt: Watched.time(61), age: 500)
        let read = try #require(PollDocument(told, at: Watched.time(100)))
        let half = Timestamp(milliseconds: 99_500)
        #expect(
            read.feeds == [
                Watched.path: ToldTrack(
                    tag: try watched.polls().etag,
                    whole: PollCounts(confirmed: 2, replaced: 1, fetched: 4),
                    minute: PollCounts(confirmed: 2, replaced: 1, fetched: 4),
                    lastStale: half,
                    lastPolled: half
                )
            ]
        )
        #expect(
            read.versions == [
                Self.shop: ToldVersions(named: ["4.0.0": .init(hour: 1, day: 1), "4.1.0": .init(hour: 2, day: 2)])
            ]
        )
        // A feed of which nobody polled the revision, nor any for a day, is not told.
        try watched.publish(Self.killed)
        for second in 62...130 { watched.tracker.sample(at: Watched.time(Int64(second))) }
        #expect(!watched.tracker.told(at: Watched.time(86_400)).isEmpty)
        func feeds(at second: Int64) -> Int? {
            let bytes = watched.tracker.told(at: Watched.time(second))
            return PollDocument(
                SharedPolls(server: "", document: bytes, countedAt: Watched.time(second), age: 0),
                at: Watched.time(second)
            )?.feeds.count
        }
        #expect((feeds(at: 86_460), feeds(at: 86_461)) == (1, 0))
    }

    /// Of what another release wrote, or nobody, nothing is known, and nothing else is the worse for it.
    @Test(arguments: [
        "", "{", "[]", "null", "3", #"{"format":2,"feeds":{}}"#, #"{"feeds":{}}"#, #"{"format":1}"#,
        #"{"format":1,"feeds":[],"versions":3}"#,
        #"{"format":1,"feeds":{"PATH":["TAG",1,1,1,1,1,1,null]}}"#, #"{"format":1,"feeds":{"PATH":["TAG",1,1,-1,1,1,1,null,null]}}"#,
        #"{"format":1,"feeds":{"PATH":["TAG",1,1,1.5,1,1,1,null,null]}}"#, #"{"format":1,"feeds":{"PATH":[7,1,1,1,1,1,1,null,null]}}"#,
        #"{"format":1,"feeds":{"PATH":["TAG",1,1,1125899906842625,1,1,1,null,null]}}"#,
        #"{"format":1,"feeds":{"PATH":["TAG",1,1,99999999999999999999,1,1,1,null,null]}}"#, #"{"format":1,"feeds":{"PATH":{}}}"#,
        #"{"format":1,"feeds":{"PATH":["TAG",1,1,1,1,1,1,null,null],"PATH":3}}"#, String(repeating: "[", count: 100_000), "\u{FEFF}{}",
        #"{"format":1,"versions":{"shop/ios":{"named":{"4.0.0":[1,2]}}}}"#, #"{"format":1,"versions":{"shop":{"others":[7,7]}}}"#,
        #"{"format":1,"versions":{"shop/ios":{"named":{"4.0.0":[1]},"others":[0,0]}}}"#,
        #"{"format":1,"versions":{"shop/ios":{"named":{"4.0.0":[1,1099511627777]},"others":[0,0]}}}"#,
    ])
    func aDocumentThatSaysNothingIsPassedOver(_ text: String) throws {
        let here = try Watched()
        try count(here, confirmed: 1)
        here.tracker.sample(at: Watched.time(1))
        let tag = try here.polls().etag.dropFirst().dropLast()
        let document = text.replacing("PATH", with: Watched.path).replacing("TAG", with: "\\\"\(tag)\\\"")
        let told = SharedPolls(server: "there", document: Array(document.utf8), countedAt: Watched.time(1), age: 0)
        here.tracker.others.learn([told], known: ["there"], speaking: ["there"], at: Watched.time(1))
        let reach = try #require(here.reach(at: 1))
        #expect([reach.pollsPerMinute, reach.confirmed, reach.replaced, reach.fetched] == [1, 1, 0, 0])
        #expect(here.tracker.polledVersions(of: Self.shop, within: .day, at: Watched.time(1)).polls == 0)
    }

    /// The greatest numbers of as many servers as there can be.
    @Test func enormousNumbersAreAdded() throws {
        let here = try Watched()
        try count(here, confirmed: 1)
        here.tracker.sample(at: Watched.time(1))
        let greatest = ReachTracker.greatestCount
        let tag = JSONValue.string(try here.polls().etag).text
        let counts = Array(repeating: "\(greatest)", count: 8).joined(separator: ",")
        let feeds = FeedName.allCases.map { #""\#($0.path(for: Self.shop))":[\#(tag),\#(counts)]"# }.joined(separator: ",")
        let most = 1 << 40
        let versions = (0..<1_000).map { #""1.\#($0)":[\#(most),\#(most)]"# }.joined(separator: ",")
        let document =
            #"{"format":1,"feeds":{\#(feeds)},"versions":{"shop/ios":{"named":{\#(versions)},"others":[\#(most),\#(most)]}}}"#
        for age in [0, Int64(greatest), .max] {
            let fresh = (0..<SharedPolls.mostServers).map { number in
                SharedPolls(
                    server: "\(number)",
                    document: Array(document.utf8),
                    countedAt: Timestamp(milliseconds: age == 0 ? 0 : .max),
                    age: age
                )
            }
            let names = Set(fresh.map(\.server))
            here.tracker.others.learn(fresh, known: names, speaking: names, at: Watched.time(1))
            let reach = try #require(here.reach(at: 1))
            #expect(reach.confirmed == 1 + SharedPolls.mostServers * greatest)
            #expect(reach.pollsPerMinute > SharedPolls.mostServers * greatest)
            let polled = here.tracker.polledVersions(of: Self.shop, within: .hour, at: Watched.time(1))
            #expect(polled.versions.count == VersionTally.mostPerTarget)
            // 200 versions of a server, and those that it did not tell apart.
            #expect(polled.polls == SharedPolls.mostServers * most * 201)
        }
    }

    /// Of more than has room the most polled is told, and a document that is longer is not read.
    @Test func aDocumentHasItsLimit() throws {
        var document = PollDocument()
        for number in 0..<60_000 {
            document.feeds["/feeds/an-app-with-a-long-name-\(number)/ios/bellerophon.json"] = ToldTrack(
                tag: "\"\(String(repeating: "a", count: 32))\"",
                whole: PollCounts(confirmed: 1_000_000),
                minute: PollCounts(confirmed: UInt64(number))
            )
        }
        for number in 0..<20_000 {
            let target = TargetKey(app: try #require(AppKey("app-\(number)")), platform: .ios)
            document.versions[target] = ToldVersions(others: .init(hour: 0, day: number))
        }
        let bytes = document.bytes()
        #expect((3 << 20...SharedPolls.mostBytes).contains(bytes.count))
        func read(_ bytes: [UInt8]) -> PollDocument? {
            PollDocument(SharedPolls(server: "", document: bytes, countedAt: Watched.time(1), age: 0), at: Watched.time(1))
        }
        let told = try #require(read(bytes))
        #expect(told.versions.count == 20_000)
        #expect((20_000..<60_000).contains(told.feeds.count))
        let least = try #require(told.feeds.values.map(\.minute.confirmed).min())
        #expect(least == UInt64(60_000 - told.feeds.count))
        #expect(read(bytes + Array(repeating: UInt8(ascii: " "), count: SharedPolls.mostBytes - bytes.count)) != nil)
        #expect(read(bytes + Array(repeating: UInt8(ascii: " "), count: SharedPolls.mostBytes + 1 - bytes.count)) == nil)
        // What the versions do not need is the feeds'.
        document.versions = [:]
        let more = try #require(read(document.bytes()))
        #expect(more.feeds.count > told.feeds.count * 5 / 4)
        // With hardly any room, and with none.
        for room in [0, 100, 10_000] {
            let few = document.bytes(atMost: room)
            #expect(few.count <= max(room, 40))
            #expect(read(few) != nil)
        }
    }

    // MARK: Versions and answers

    @Test func versionsAreOfAllServers() throws {
        let (here, there) = (try Watched(), try Watched())
        func poll(_ watched: Watched, _ version: String, _ times: Int) {
            let counter = watched.tracker.versions.counter(of: version, on: Self.shop)
            for _ in 0..<times { counter.count() }
        }
        func words(_ span: PolledVersions.Span, at second: Int64) -> [String] {
            let polled = here.tracker.polledVersions(of: Self.shop, within: span, at: Watched.time(second))
            return polled.versions.map { "\($0.text) \($0.polls)" } + (polled.others == 0 ? [] : ["others \(polled.others)"])
        }
        for watched in [here, there] { watched.tracker.sample(at: Watched.time(0)) }
        poll(here, "4.0.0", 3)
        poll(here, "4.1.0", 1)
        #expect(words(.hour, at: 1) == ["4.0.0 3", "4.1.0 1"])
        poll(there, "4.1.0", 4)
        poll(there, "4.2.0", 1)
        let others = here.tracker.others
        let told = SharedPolls(server: "there", document: there.tracker.told(at: Watched.time(1)), countedAt: Watched.time(1), age: 0)
        others.learn([told], known: ["there"], speaking: ["there"], at: Watched.time(1))
        #expect(words(.hour, at: 1) == ["4.1.0 5", "4.0.0 3", "4.2.0 1"])
        // Of a server that fell silent they count as long as they can be from within the time.
        for second in stride(from: Int64(60), to: 86_400, by: 60) {
            for watched in [here, there] { watched.tracker.sample(at: Watched.time(second)) }
        }
        others.learn([], known: ["there"], speaking: [], at: Watched.time(3_600))
        #expect(words(.hour, at: 3_600) == ["4.1.0 4", "4.2.0 1"])
        #expect(words(.hour, at: 3_601) == [])
        #expect(words(.day, at: 82_000) == ["4.1.0 5", "4.0.0 3", "4.2.0 1"])
        #expect(words(.day, at: 86_401) == [])
        // Invented ones take up no more room than those of one server.
        for number in 0..<200 { poll(there, "5.\(number)", 10) }
        for number in 0..<150 { poll(here, "6.\(number)", 20) }
        let more = SharedPolls(
            server: "there",
            document: there.tracker.told(at: Watched.time(86_400)),
            countedAt: Watched.time(86_400),
            age: 0
        )
        others.learn([more], known: ["there"], speaking: ["there"], at: Watched.time(86_400))
        let polled = here.tracker.polledVersions(of: Self.shop, within: .hour, at: Watched.time(86_400))
        #expect(polled.versions.count == VersionTally.mostPerTarget)
        #expect(polled.polls == 150 * 20 + 200 * 10)
    }

    /// What is asked of either server: the target, its versions, and the plan.
    @Test func answersAndPlansAreOfAllServers() throws {
        let desk = try Desk().furnished()
        let other = try Desk().furnished()
        for _ in 0..<62 { _ = other.poll("/feeds/shop/ios/bellerophon.json?version=4.2.0") }
        for _ in 0..<38 { _ = desk.poll("/feeds/shop/ios/bellerophon.json?version=4.0.0") }
        let polls = try other.table.response(at: "/feeds/shop/ios/bellerophon.json").unwrapped().polls
        for _ in 0..<598 { polls.countFetched() }
        try other.countPoll("/feeds/shop/ios/bellerophon.json")
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        let target = "/api/v1/targets/shop/ios"
        #expect(desk.ask(.get, target).json.at("reach.pollsPerMinute")?.integer == 1)
        let now = other.clock.now
        let told = SharedPolls(server: "other", document: other.reach.told(at: now), countedAt: now, age: 0)
        desk.reach.others.learn([told], known: ["other"], speaking: ["other"], at: desk.clock.now)
        let reach = desk.ask(.get, target).json
        #expect(reach.at("reach.pollsPerMinute")?.integer == 600)
        #expect(reach.at("reach.fetched")?.integer == 600)
        let versions = desk.ask(.get, target + "/versions").json
        #expect(versions["polls"]?.integer == 100)
        let set = #""set":{"killSwitch":{"message":"Back."}},"dryRun":true"#
        let plan = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, set)
        try plan.expect(200)
        #expect(plan.json.at("plan.load.phones")?.integer == 600)
        #expect(plan.text.contains("4.2.0 (62 %), 4.0.0 (38 %)"), "\(plan.text)")
        // Of a feed that was polled elsewhere alone a plan knows that it has readers.
        try other.countPoll("/feeds/shop/android/bellerophon.json")
        let later = SharedPolls(server: "other", document: other.reach.told(at: now), countedAt: now, age: 0)
        desk.reach.others.learn([later], known: ["other"], speaking: ["other"], at: desk.clock.now)
        #expect(
            CurrentPolls(desk.reach, now: { desk.clock.now }).polledFeeds(of: TargetKey(app: AppKey("shop")!, platform: .android)) == [
                .bellerophon
            ]
        )
    }
}
