import GateHTTP
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateServer

/// How often phones will ask that a kill switch shuts out: what the plan says of it, from the polls of the last minute.
@Suite struct PollLoadTests {
    private func plan(_ desk: Desk, _ kill: String = #"{"message":"Back."}"#) -> HTTPResponse {
        let revision = desk.ask(.get, "/api/v1/targets/shop/ios").json.at("revision")?.integer ?? 0
        return desk.change(
            #"{"app":"shop","platform":"ios","revision":\#(revision)}"#,
            #""set":{"killSwitch":\#(kill)},"dryRun":true"#
        )
    }

    private func load(_ plan: HTTPResponse) throws -> PollLoad? {
        try plan.expect(200)
        return try plan.json.at("plan.load").map { try PollLoad(json: $0) }
    }

    private func poll(_ desk: Desk, _ feed: String, times: Int) throws {
        let response = try #require(desk.table.response(at: "/feeds/shop/\(feed).json"))
        for _ in 0..<times { response.polls.countFetched() }
        desk.reach.sample(at: desk.clock.now)
    }

    @Test func withoutPollsNothingIsSaid() throws {
        #expect(try load(plan(Desk().furnished())) == nil)
    }

    @Test(arguments: [
        // Bellerophon and GateKit ask again after the interval, the others when the app is opened.
        "ios/bellerophon", "ios/gate", "ios/combined",
    ])
    func aBlockIsToldWhatItMakesOfTheLastMinutesPolls(feed: String) throws {
        let desk = try Desk().furnished()
        try poll(desk, feed, times: 1_200)
        #expect(
            try load(plan(desk))
                == PollLoad(phones: 1_200, pollsPerSecond: 80, slower: .init(retryInterval: 60, pollsPerSecond: 20))
        )
        let asked = try load(plan(desk, #"{"message":"Back.","retryInterval":60}"#))
        #expect(asked?.pollsPerSecond == 20)
        #expect(asked?.slower?.retryInterval == 300)
        // A minute later nobody is known to ask.
        for second in 1...60 {
            desk.clock.advance(seconds: 1)
            desk.reach.sample(at: desk.clock.now)
            if second == 59 { #expect(try load(plan(desk)) != nil) }
        }
        #expect(try load(plan(desk)) == nil)
    }

    @Test func whoAsksWhenTheAppIsOpenedAloneIsNotCounted() throws {
        let desk = try Desk().furnished()
        try poll(desk, "launchgate", times: 1_200)
        try poll(desk, "prince-of-versions", times: 1_200)
        #expect(try load(plan(desk)) == nil)
        // A document that holds everybody's keys is read by those that the app is known to use.
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["launchgate"]}"#).expect(200)
        try poll(desk, "ios/combined", times: 1_200)
        #expect(try load(plan(desk)) == nil)
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["launchgate","gatekit"]}"#).expect(200)
        #expect(try load(plan(desk))?.pollsPerSecond == 80)
        // GateKit alone reads every document.
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["gatekit"]}"#).expect(200)
        #expect(try load(plan(desk))?.pollsPerSecond == 240)
    }

    /// Phones that are shut out already ask again and again: 1,200 polls of a minute are 300 phones every 15 seconds.
    @Test func whoWaitsAlreadyIsCountedOnce() throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":{"message":"Wait."}}"#).expect(200)
        try poll(desk, "ios/bellerophon", times: 1_200)
        #expect(try load(plan(desk, #"{"message":"Wait on."}"#))?.phones == 1_200, "within the first minute they were opened just now")
        desk.clock.advance(seconds: 60)
        try poll(desk, "ios/bellerophon", times: 0)
        let known = try #require(try load(plan(desk, #"{"message":"Wait on.","retryInterval":60}"#)))
        #expect(known == PollLoad(phones: 300, pollsPerSecond: 5, slower: .init(retryInterval: 300, pollsPerSecond: 1)))
    }

    @Test func anotherRuleAndAnOpenedGateSayNothing() throws {
        let desk = try Desk().furnished()
        try poll(desk, "ios/bellerophon", times: 1_200)
        let alert = desk.change(
            #"{"app":"shop","platform":"ios","revision":1}"#,
            #""set":{"alert":{"message":"Slow.","blocking":true}},"dryRun":true"#
        )
        #expect(try load(alert) == nil)
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":{"message":"Wait."}}"#).expect(200)
        let opened = desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{"killSwitch":null},"dryRun":true"#)
        #expect(try load(opened) == nil)
        let opening = desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{"killSwitch":null},"over":600,"dryRun":true"#)
        #expect(try load(opening) == nil)
    }
}
