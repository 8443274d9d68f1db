import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

@Suite struct WindowHandlersTests {
    private static let ios = #"{"app":"shop","platform":"ios","revision":1}"#
    private static let kill = #""set":{"killSwitch":{"message":"Back at nine.","retryInterval":30}}"#

    /// The desk's clock stands at 2026-03-20T09:46:40Z.
    private func body(_ rest: String, targets: String = ios, set: String = kill) -> String {
        #"{"targets":[\#(targets)],\#(set),\#(rest)}"#
    }

    private let nine =
        #""start":{"wallTime":"2026-03-30T08:30","zone":"Europe/Berlin"},"end":{"wallTime":"2026-03-30T09:00","zone":"Europe/Berlin"}"#

    @Test func aWindowIsPlannedMadeFoundAndCarriedOut() throws {
        let desk = try Desk(protected: true).furnished()
        let planned = desk.ask(.post, "/api/v1/windows", body(nine + #","dryRun":true"#))
        try planned.expect(200)
        #expect(planned.json.at("plan.confirm") == "shop/ios")
        #expect(planned.json.at("window.start.at") == "2026-03-30T06:30:00.000Z")
        #expect(planned.json.at("window.start.offset") == "+02:00")
        #expect(planned.json.at("window.id")?.integer == 0)
        #expect(desk.ask(.get, "/api/v1/windows").json.at("items")?.array?.isEmpty == true)

        #expect(desk.ask(.post, "/api/v1/windows", body(nine)).summary == "422 reason_required /reason")
        let before = desk.ask(.get, "/api/v1/events").json.at("schedule")?.integer
        let made = desk.ask(.post, "/api/v1/windows", body(nine + #","reason":"Sale","confirm":"shop/ios""#), as: .operator)
        try made.expect(201)
        #expect(made.json.at("window.state") == "pending")
        #expect(desk.ask(.get, "/api/v1/events").json.at("schedule")?.integer == before.map { $0 + 1 })
        #expect(desk.ask(.get, "/api/v1/windows/1", as: .viewer).json["id"]?.integer == 1)

        desk.clock.advance(seconds: (1_774_852_200_000 - desk.clock.now.milliseconds) / 1_000)
        ScheduleService(ledger: desk.ledger).doWhatIsDue()
        #expect(desk.poll("/feeds/shop/ios/bellerophon.json").text.contains(#""apiInactive":true"#))
        let change = desk.ask(.get, "/api/v1/changes?source=schedule").json
        #expect(change.at("items.0.actor.kind") == "system")
        #expect(desk.ask(.get, "/api/v1/windows/1").json["state"] == "running")
    }

    @Test func timesThatAreNotAreRefusedWithTheChoices() throws {
        let desk = try Desk().furnished()
        func answer(_ start: String) -> HTTPResponse { desk.ask(.post, "/api/v1/windows", body(#""start":\#(start)"#)) }
        let skipped = answer(#"{"wallTime":"2026-03-29T02:30","zone":"Europe/Berlin"}"#)
        #expect(skipped.summary == "422 skipped_time /start/wallTime")
        #expect(skipped.json.at("choices.0.wallTime") == "2026-03-29T01:59:00")
        #expect(skipped.json.at("choices.1.wallTime") == "2026-03-29T03:00:00")
        let doubled = answer(#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin"}"#)
        #expect(doubled.summary == "422 ambiguous_time /start/wallTime")
        #expect(doubled.json.at("choices.1.offset") == "+01:00")
        try answer(#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","fold":"later"}"#).expect(201)
        #expect(answer(#""2026-03-20T09:46:40Z""#).summary == "422 past_time /start")
        #expect(answer(#"{"wallTime":"2026-03-20T10:46","zone":"Europe/Berlin"}"#).summary == "422 past_time /start")
        #expect(answer(#"{"wallTime":"2026-03-30T10:46","zone":"CET"}"#).summary == "422 invalid_zone /start/zone")
    }

    @Test func refusalsComeInTheOrderOfTheContract() throws {
        let desk = try Desk().furnished()
        let past = #""start":"2020-01-01T00:00:00Z""#
        func summary(_ body: String) -> String { desk.ask(.post, "/api/v1/windows", body).summary }
        #expect(summary(body(past + #","dryrun":true"#)) == "400 malformed /dryrun")
        #expect(summary(body(past, targets: #"{"app":"shop","platform":"tv","revision":1}"#)) == "404 target_not_found /targets/0")
        #expect(summary(body(past, targets: #"{"app":"shop","platform":"ios"}"#)) == "428 revision_required /targets/0/revision")
        #expect(summary(body(past, targets: #"{"app":"shop","platform":"ios","revision":9}"#)) == "412 stale_revision /targets/0/revision")
        #expect(summary(body(past)) == "422 past_time /start")
        #expect(
            desk.change(Self.ios, #""set":{"killSwitch":{"message":"m","until":"2020-01-01T00:00:00Z"}}"#).summary
                == "422 past_time /set/killSwitch/until"
        )
    }

    @Test func listsAreNarrowedAndPaged() throws {
        let desk = try Desk().furnished()
        for target in [Self.ios, #"{"app":"bank","platform":"ios","revision":1}"#, #"{"app":"shop","platform":"android","revision":1}"#] {
            try desk.ask(.post, "/api/v1/windows", body(nine, targets: target)).expect(201)
        }
        try desk.ask(.delete, "/api/v1/windows/1", #"{"reason":"off"}"#).expect(200)
        func ids(_ query: String, as who: Desk.Who = .viewer) -> [Int?]? {
            desk.ask(.get, "/api/v1/windows" + query, as: who).json.at("items")?.array?.map { $0["id"]?.integer }
        }
        #expect(ids("") == [3, 2, 1])
        #expect(ids("?app=shop") == [3, 1])
        #expect(ids("?state=cancelled") == [1])
        #expect(ids("?state=pending,running&app=shop") == [3])
        #expect(ids("", as: .banker) == [2])
        let page = desk.ask(.get, "/api/v1/windows?limit=2").json
        #expect(page["next"]?.string.map { ids("?limit=2&cursor=\($0)") } == [1])
        for query in ["?state=late", "?cursor=x", "?limit=0", "?when=now"] {
            #expect(desk.ask(.get, "/api/v1/windows" + query).status == 400)
        }
        #expect(desk.ask(.get, "/api/v1/windows?app=shop", as: .banker).status == 404)
        #expect(desk.ask(.get, "/api/v1/windows/1", as: .banker).summary == "404 window_not_found")
        #expect(desk.ask(.get, "/api/v1/windows/x").summary == "404 window_not_found")
    }

    /// Whoever has read a window runs what they have read: somebody else may have made it a block meanwhile.
    @Test func aWindowThatWasEditedSinceIsNotRun() throws {
        let desk = try Desk().furnished()
        let address = "/api/v1/windows/1"
        try desk.ask(.post, "/api/v1/windows", body(nine, set: #""set":{"alert":{"message":"Slow today.","blocking":false}}"#)).expect(201)
        let seen = try #require(desk.ask(.get, address).json["revision"]?.integer)
        try desk.ask(.put, address, body(nine + #","revision":\#(seen)"#)).expect(200)
        for end in ["}", #","dryRun":true}"#] {
            let stale = desk.ask(.post, address + "/run", #"{"revision":\#(seen)"# + end)
            #expect(stale.summary == "412 stale_revision /revision", "\(stale.text)")
            #expect(stale.json.at("detail")?.string?.contains("you saw revision \(seen), it has \(seen + 1) now") == true, "\(stale.text)")
        }
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json["state"] == "open")
        try desk.ask(.post, address + "/run", #"{"revision":\#(seen + 1)}"#).expect(200)
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json["state"] == "blocked")
    }

    /// Called off once it has begun, a block would stay for good.
    @Test func aWindowThatHasBegunIsNotCalledOffUnread() throws {
        let desk = try Desk().furnished()
        let address = "/api/v1/windows/1"
        try desk.ask(.post, "/api/v1/windows", body(nine)).expect(201)
        let seen = try #require(desk.ask(.get, address).json["revision"]?.integer)
        try desk.ask(.post, address + "/run", "{}").expect(200)
        let stale = desk.ask(.delete, address, #"{"revision":\#(seen)}"#)
        #expect(stale.summary == "412 stale_revision /revision", "\(stale.text)")
        #expect(desk.ask(.get, address).json["state"] == "running")
        try desk.ask(.delete, address, #"{"revision":\#(seen + 1)}"#).expect(200)
        // A repeated request finds what it wanted.
        try desk.ask(.delete, address, #"{"revision":\#(seen + 1)}"#).expect(200)
    }

    @Test func aWindowIsRunAndCalledOffOnce() throws {
        let desk = try Desk().furnished()
        try desk.ask(.post, "/api/v1/windows", body(nine)).expect(201)
        let planned = desk.ask(.post, "/api/v1/windows/1/run", #"{"dryRun":true}"#)
        #expect(planned.json.at("plan.tier")?.integer == 2)
        let run = desk.ask(.post, "/api/v1/windows/1/run", "{}", headers: ["Idempotency-Key": "k"])
        try run.expect(200)
        #expect(run.json.at("change.source") == "api")
        #expect(run.json.at("window.state") == "running")
        #expect(desk.ask(.post, "/api/v1/windows/1/run", "{}", headers: ["Idempotency-Key": "k"]).text == run.text)
        #expect(desk.ask(.post, "/api/v1/windows/1/run", "{}").summary == "409 window_over")
        try desk.ask(.delete, "/api/v1/windows/1").expect(200)
        #expect(desk.ask(.delete, "/api/v1/windows/1").json.at("window.state") == "cancelled")
        #expect(desk.ask(.post, "/api/v1/windows/1/run", "{}").summary == "409 window_over")
        #expect(desk.ask(.delete, "/api/v1/windows/9").summary == "404 window_not_found")
    }
}
