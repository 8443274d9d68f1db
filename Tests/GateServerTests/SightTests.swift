import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

/// Who may see some apps sees nothing of the others, also where one change or window is about both.
@Suite struct SightTests {
    /// A change, a window that waits, one that ran and failed, and a stale write, all about both apps.
    private func desk() throws -> Desk {
        let desk = try Desk().furnished()
        let both = #"{"app":"shop","platform":"ios","revision":1},{"app":"shop","platform":"android","revision":1},{"app":"bank","platform":"ios","revision":1}"#
        try desk.change(both, #""set":{"alert":{"message":"Slow today.","blocking":false}},"confirm":"alert 3 targets""#).expect(200)
        func window(_ start: Int64, _ end: Int64) -> String {
            let targets = both.replacing("\"revision\":1", with: "\"revision\":2")
            let times = [start, end].map { JSONValue.string(desk.clock.now.advanced(bySeconds: $0).description).text }
            return #"{"targets":[\#(targets)],"set":{"killSwitch":{"message":"Closed."}},"start":\#(times[0]),"end":\#(times[1]),"confirm":"kill 3 targets"}"#
        }
        try desk.ask(.post, "/api/v1/windows", window(60, 120)).expect(201)
        try desk.ask(.post, "/api/v1/windows", window(86_400, 90_000)).expect(201)
        desk.clock.advance(seconds: 61)
        let schedule = ScheduleService(changes: desk.service)
        schedule.doWhatIsDue()
        // A person changes shop alone; at its end the window cannot put back what it finds there, and says so by name.
        let revision = try desk.service.target(TargetKey("shop/ios")!, for: .everything).revision
        try desk.change(#"{"app":"shop","platform":"ios","revision":\#(revision)}"#, #""set":{"killSwitch":{"message":"Still closed."}}"#).expect(200)
        desk.clock.advance(seconds: 60)
        schedule.doWhatIsDue()
        return desk
    }

    /// Every answer to somebody of `bank` that tells of things, none of which may name `shop`.
    @Test func nothingNamesAnAppOutOfSight() throws {
        let desk = try desk()
        let everything = desk.ask(.get, "/api/v1/windows").text
        #expect(everything.contains("shop/ios"), "an event names the target")
        let paths =
            [
                "/apps", "/targets", "/apps/bank", "/targets/bank/ios", "/changes", "/changes?limit=1", "/changes?app=bank", "/changes?platform=ios", "/changes?platform=android",
                "/events?after=0", "/events", "/windows", "/windows/1", "/windows/2", "/session", "/status", "/tokens", "/export", "/export?app=bank",
            ] + (1...desk.service.sequence).map { "/changes/\($0)" }
        for path in paths {
            let response = desk.ask(.get, "/api/v1" + path, as: .banker)
            #expect(response.status == 200 || response.summary == "404 change_not_found", "\(path): \(response.text)")
            #expect(!response.text.contains("shop"), "\(path): \(response.text)")
        }
        let stale = desk.change(#"{"app":"bank","platform":"ios","revision":1}"#, #""set":{}"#, as: .banker)
        #expect(stale.status == 412)
        #expect(stale.json.at("current.lastChange.sequence") != nil)
        #expect(!stale.text.contains("shop"), "\(stale.text)")
    }

    @Test func whatIsTheirsIsThere() throws {
        let desk = try desk()
        let change = desk.ask(.get, "/api/v1/changes/6", as: .banker).json
        #expect(change["targets"]?.array?.compactMap { $0["app"]?.string } == ["bank"])
        #expect(change.at("targets.0.after.alert.message") == "Slow today.")
        #expect(desk.ask(.get, "/api/v1/changes/6").json["targets"]?.array?.count == 3)
        #expect(desk.ask(.get, "/api/v1/windows/2", as: .banker).json["targets"]?.array?.count == 1)
        #expect(desk.ask(.get, "/api/v1/windows/2").json["targets"]?.array?.count == 3)
        // What was found by a hidden platform would tell that there is one.
        #expect(desk.ask(.get, "/api/v1/changes?platform=android", as: .banker).json["items"] == .array([]))
        let found = desk.ask(.get, "/api/v1/changes?platform=ios", as: .banker).json["items"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
        #expect(found.contains(6))
    }

    /// A window over apps that somebody does not have is theirs to see in part, and not to touch.
    @Test func whatReachesFurtherIsNotTheirsToTouch() throws {
        let desk = try desk()
        for response in [desk.ask(.delete, "/api/v1/windows/2", "{}", as: .banker), desk.ask(.post, "/api/v1/windows/2/run", "{}", as: .banker)] {
            #expect(response.summary == "403 forbidden")
            #expect(!response.text.contains("shop"))
        }
        #expect(desk.ask(.get, "/api/v1/windows/2").json["state"] == "pending")
    }
}

extension Caller {
    fileprivate static let everything = Caller(
        actor: Actor(kind: .system, name: "test"),
        role: .admin,
        scope: .all,
        source: .api,
        requestId: "r",
        address: "console"
    )
}
