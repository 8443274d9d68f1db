import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

@Suite struct SimulationHandlersTests {
    private func ask(_ desk: Desk, _ rest: String = "", platform: String = "ios", version: String = "4.1.0", as who: Desk.Who = .viewer)
        -> HTTPResponse
    {
        desk.ask(.post, "/api/v1/simulate", #"{"app":"shop","platform":"\#(platform)","version":"\#(version)"\#(rest)}"#, as: who)
    }

    private static let ios = #"{"app":"shop","platform":"ios","revision":1}"#
    private static let kill = #""set":{"killSwitch":{"message":"Closed."}}"#

    @Test func aViewerIsToldWhatThePhonesAreShownNow() throws {
        let desk = try Desk().furnished()
        #expect(ask(desk).json["outcome"] == "open")
        #expect(desk.change(Self.ios, Self.kill).status == 200)
        let answer = ask(desk, #","client":"bellerophon""#)
        try answer.expect(200)
        #expect(answer.json["outcome"] == "blocked")
        #expect(answer.json["message"] == "Closed.")
        #expect(answer.json["revision"]?.integer == 2)
        #expect(answer.json["at"]?.string == desk.clock.now.description)
        #expect(ask(desk, platform: "android", version: "41").json["outcome"] == "open", "only iOS was blocked")
    }

    @Test func aDraftIsLookedAtAndNotKept() throws {
        let desk = try Desk(protected: true).furnished()
        let before = try desk.state()
        for client in ["bellerophon", "launchgate"] {
            let answer = ask(desk, #","client":"\#(client)",\#(Self.kill)"#)
            #expect(answer.json["message"] == "Closed.", "\(answer.text)")
            #expect(answer.json["revision"]?.integer == 1)
        }
        #expect(try desk.state() == before)
        #expect(ask(desk).json["outcome"] == "open")
    }

    /// What a plan lets one override, or only warns of, can be looked at: that is what it is looked at for.
    @Test func whatAPlanWarnsOfIsShown() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["1.9","1.10"]}"#).expect(200)
        let draft = #","client":"launchgate","set":{"requiredUpdate":{"minimumVersion":"1.10","message":"Must."}}"#
        #expect(ask(desk, draft, version: "1.9").json["outcome"] == "open", "as text, 1.9 is not below 1.10")
        #expect(ask(desk, draft, version: "1.0").json["outcome"] == "updateRequired")
    }

    @Test func aMomentToComeHasTheWindowsAndExpiriesBeforeIt() throws {
        let desk = try Desk().furnished()
        let now = desk.clock.now.milliseconds
        func time(_ minutes: Int64) -> String { Timestamp(milliseconds: now + minutes * 60_000).description }
        func at(_ minutes: Int64, _ rest: String = "") -> String? {
            ask(desk, #","at":"\#(time(minutes))"\#(rest)"#).json["message"]?.string
        }
        try desk.ask(
            .post,
            "/api/v1/windows",
            #"{"targets":[\#(Self.ios)],"set":{"killSwitch":{"message":"Sale."}},"start":"\#(time(10))","end":"\#(time(20))"}"#
        ).expect(201)
        #expect([at(0), at(9), at(10), at(19), at(20)] == [nil, nil, "Sale.", "Sale.", nil])
        // A block that is drafted now and lifts itself is over by then, and the window finds the rules that it was made for.
        let draft = #","set":{"killSwitch":{"message":"Short.","until":"\#(time(5))"}}"#
        #expect([at(0, draft), at(4, draft), at(5, draft), at(10, draft)] == ["Short.", "Short.", nil, "Sale."])
        // One that is still there then is a person's, and the window leaves it alone.
        #expect([at(10, "," + Self.kill), at(20, "," + Self.kill)] == ["Closed.", "Closed."])
        #expect(desk.ask(.get, "/api/v1/windows/1").json["state"] == "pending")
    }

    /// What is foretold is what comes.
    @Test func theForecastComesTrue() throws {
        let desk = try Desk().furnished()
        let now = desk.clock.now.milliseconds
        func time(_ minutes: Int64) -> String { Timestamp(milliseconds: now + minutes * 60_000).description }
        func window(_ rules: String, _ start: Int64, _ end: Int64, _ then: String) throws {
            let body = #"{"targets":[\#(Self.ios)],"set":{\#(rules)},"start":"\#(time(start))","end":"\#(time(end))","then":"\#(then)"}"#
            try desk.ask(.post, "/api/v1/windows", body).expect(201)
        }
        try window(#""killSwitch":{"message":"Outer."}"#, 10, 50, "open")
        try window(#""killSwitch":{"message":"Inner."}"#, 20, 30, "restore")
        try window(#""alert":{"message":"Slow.","blocking":false}"#, 15, 60, "open")
        let minutes = stride(from: Int64(1), through: 70, by: 3)
        let foretold = minutes.map { ask(desk, #","client":"launchgate","at":"\#(time($0))""#).json["message"] }
        var seen: [JSONValue?] = []
        for minute in minutes {
            desk.clock.advance(seconds: (now + minute * 60_000 - desk.clock.now.milliseconds) / 1_000)
            ScheduleService(ledger: desk.ledger).doWhatIsDue()
            seen.append(ask(desk, #","client":"launchgate""#).json["message"])
        }
        #expect(foretold == seen)
        #expect(Set(seen.compactMap { $0?.string }) == ["Outer.", "Inner.", "Slow."])
    }

    @Test func anAppOutOfScopeIsNotThere() throws {
        let desk = try Desk().furnished()
        #expect(ask(desk, as: .banker).summary == "404 target_not_found")
        #expect(ask(desk, as: .nobody).status == 401)
    }
}
