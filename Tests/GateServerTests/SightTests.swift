import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Who may see some apps sees nothing of the others, also where one change or window is about both.
@Suite struct SightTests {
    /// A change, a window that waits, one that ran and failed, and a stale write, all about both apps.
    private func desk() throws -> Desk {
        let desk = try Desk().furnished()
        let both =
            #"{"app":"shop","platform":"ios","revision":1},{"app":"shop","platform":"android","revision":1},{"app":"bank","platform":"ios","revision":1}"#
        try desk.change(both, #""set":{"alert":{"message":"Slow today.","blocking":false}},"confirm":"alert 3 targets""#).expect(200)
        func window(_ start: Int64, _ end: Int64) -> String {
            let targets = both.replacing("\"revision\":1", with: "\"revision\":2")
            let times = [start, end].map { JSONValue.string(desk.clock.now.advanced(bySeconds: $0).description).text }
            return
                #"{"targets":[\#(targets)],"set":{"killSwitch":{"message":"Closed."}},"start":\#(times[0]),"end":\#(times[1]),"confirm":"kill 3 targets"}"#
        }
        try desk.ask(.post, "/api/v1/windows", window(60, 120)).expect(201)
        try desk.ask(.post, "/api/v1/windows", window(86_400, 90_000)).expect(201)
        desk.clock.advance(seconds: 61)
        let schedule = ScheduleService(ledger: desk.ledger)
        schedule.doWhatIsDue()
        // A person changes shop alone; at its end the window cannot put back what it finds there, and says so by name.
        let revision = try desk.ledger.target(TargetKey("shop/ios")!, for: .everything).revision
        try desk.change(#"{"app":"shop","platform":"ios","revision":\#(revision)}"#, #""set":{"killSwitch":{"message":"Still closed."}}"#)
            .expect(200)
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
                "/apps", "/targets", "/apps/bank", "/targets/bank/ios", "/changes", "/changes?limit=1", "/changes?app=bank",
                "/changes?platform=ios", "/changes?platform=android",
                "/events?after=0", "/events", "/windows", "/windows/1", "/windows/2", "/session", "/status", "/tokens", "/export",
                "/export?app=bank",
            ] + (1...desk.ledger.sequence).map { "/changes/\($0)" }
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

    /// Nor does what an administrator of `bank` is refused, or told before a change, name an app that is none of theirs.
    @Test func noRefusalAndNoPlanNamesAnAppOutOfSight() throws {
        let desk = try desk()
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/taken.json","feed":"launchgate.json"}]}"#).expect(200)
        let bank = try AppScope.only([AppKey("bank").unwrapped()])
        let token = try desk.access.createToken(name: "bella", role: .admin, scope: bank, createdBy: "ann", from: .console)
        let bella: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        let alias = #"[{"path":"/taken.json","feed":"launchgate.json"}]"#
        let revision = try desk.ledger.target(TargetKey("bank/ios")!, for: .everything).revision
        let export = desk.ask(.get, "/api/v1/export", as: .nobody, headers: bella).text
        let grasping = export.replacing(#""aliases":[]"#, with: #""aliases":\#(alias)"#)
        #expect(grasping != export)
        let kill =
            #"{"targets":[{"app":"bank","platform":"ios","revision":\#(revision)}],"set":{"killSwitch":{"message":"Closed."}},"dryRun":true}"#
        let (start, end) = (desk.clock.now.advanced(bySeconds: 86_400), desk.clock.now.advanced(bySeconds: 90_000))
        let asked: [(HTTPMethod, String, String, String)] = [
            (.patch, "/apps/bank", #"{"aliases":\#(alias)}"#, "409 alias_taken /aliases/0/path"),
            (
                .post, "/apply", #"{"document":\#(grasping),"sequence":\#(desk.ledger.sequence)}"#,
                "409 alias_taken /document/apps/0/aliases/0/path"
            ),
            (.post, "/apply", #"{"document":\#(export),"sequence":1}"#, "200"), (.post, "/changes", kill, "200"),
            (.post, "/windows", #"{\#(kill.dropFirst().dropLast()),"start":"\#(start)","end":"\#(end)"}"#, "200"),
            (.delete, "/windows/2", "{}", "403 forbidden"), (.post, "/windows/2/run", "{}", "403 forbidden"),
            (.delete, "/apps/bank", "{}", "422 confirmation_required /confirm"),
            (
                .post, "/changes", kill.replacing(#""revision":\#(revision)"#, with: #""revision":1"#),
                "412 stale_revision /targets/0/revision"
            ),
        ]
        for (method, path, body, expected) in asked {
            let response = desk.ask(method, "/api/v1" + path, body, as: .nobody, headers: bella)
            #expect(response.summary == expected, "\(method) \(path): \(response.text)")
            #expect(!response.text.contains("shop"), "\(method) \(path): \(response.text)")
        }
        // Who may see it is told.
        #expect(desk.ask(.patch, "/api/v1/apps/bank", #"{"aliases":\#(alias)}"#).json["detail"]?.string?.contains("the app shop") == true)
    }

    /// An administrator of `bank` reads in the audit that something was planned, and not what for an app that is none of theirs.
    @Test func theAuditTellsOfTheirAppsAlone() throws {
        let desk = try desk()
        let times = [200_000, 210_000].map { desk.clock.now.advanced(bySeconds: $0) }
        for app in ["shop", "bank"] {
            let revision = try desk.ledger.target(TargetKey("\(app)/ios")!, for: .everything).revision
            let target = #"{"app":"\#(app)","platform":"ios","revision":\#(revision)}"#
            let set = #"{"killSwitch":{"message":"A secret of \#(app)."}}"#
            try desk.ask(.post, "/api/v1/windows", #"{"targets":[\#(target)],"set":\#(set),"start":"\#(times[0])","end":"\#(times[1])"}"#)
                .expect(201)
            try desk.ask(.post, "/api/v1/rehearsals", #"{"app":"\#(app)","platform":"ios","gate":\#(set),"for":"1m"}"#).expect(201)
            try desk.ask(.get, "/api/v1/export?app=\(app)").expect(200)
        }
        let scope = try AppScope.only([AppKey("bank").unwrapped()])
        let token = try desk.access.createToken(name: "bella", role: .admin, scope: scope, createdBy: "ann", from: .console)
        func entries(_ query: String, _ headers: HTTPHeaders? = nil) -> [JSONValue] {
            let answer =
                headers.map { desk.ask(.get, "/api/v1/audit?\(query)", as: .nobody, headers: $0) }
                ?? desk.ask(.get, "/api/v1/audit?\(query)")
            return answer.json["items"]?.array ?? []
        }
        let bella: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        for (action, ownSubject) in [("window.created", nil), ("rehearsal.create", "bank/ios"), ("export.create", "bank")] {
            let (all, told) = (entries("action=\(action)"), entries("action=\(action)", bella))
            #expect(all.contains { $0.text.contains("shop") }, "\(action)")
            #expect(!told.contains { $0.text.contains("shop") }, "\(action): \(told)")
            // No entry is missing, whoever reads; and what is about their own app is there as a whole.
            #expect(told.compactMap { $0["sequence"]?.integer } == all.compactMap { $0["sequence"]?.integer })
            let own = all.filter { !$0.text.contains("shop") }
            #expect(!own.isEmpty && own.allSatisfy(told.contains), "\(action)")
            if let ownSubject { #expect(own.compactMap { $0["subject"]?.string } == [ownSubject]) }
        }
        let created = entries("action=window.created", bella).reversed().map { $0["detail.targets"] }
        let bank: JSONValue = .array(["bank/ios"])
        #expect(created == [bank, bank, nil, bank])
        let missed = entries("limit=500", bella).filter { $0["action"]?.string?.hasPrefix("window.") == true }
        #expect(!missed.contains { $0.text.contains("shop") })
    }

    /// A window that was about both apps tells those of one, once it is about theirs alone, nothing of what it was about before.
    @Test func whatAWindowIsNoLongerAboutIsNotNamed() throws {
        let desk = try Desk().furnished()
        func time(_ seconds: Int64) -> String { JSONValue.string(desk.clock.now.advanced(bySeconds: seconds).description).text }
        let lifting = #""set":{"killSwitch":{"message":"Closed.","until":\#(time(60))}}"#
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, lifting).expect(200)
        let plan = #""set":{"killSwitch":{"message":"Closed."}},"start":\#(time(86_400)),"end":\#(time(90_000))"#
        let (shop, bank) = (#"{"app":"shop","platform":"ios","revision":2}"#, #"{"app":"bank","platform":"ios","revision":1}"#)
        try desk.ask(.post, "/api/v1/windows", #"{"targets":[\#(shop),\#(bank)],\#(plan),"confirm":"kill 2 targets"}"#).expect(201)
        desk.clock.advance(seconds: 61)
        ScheduleService(ledger: desk.ledger).doWhatIsDue()
        let event: JSONValue = "The kill switch of shop/ios lifted itself."
        let overtaken = desk.ask(.get, "/api/v1/windows/1").json
        #expect(overtaken.at("events.1.detail") == event)
        let edit = #"{"targets":[\#(bank)],\#(plan),"revision":\#(overtaken["revision"]?.integer ?? 0)}"#
        try desk.ask(.put, "/api/v1/windows/1", edit).expect(200)

        let again = edit.replacing(#""revision":2}"#, with: #""revision":3}"#)
        #expect(again != edit)
        for (method, path, body) in [
            (HTTPMethod.get, "/windows", nil), (.get, "/windows/1", nil), (.put, "/windows/1", again),
            (.post, "/windows/1/run", #"{"dryRun":true}"#), (.delete, "/windows/1", "{}"), (.delete, "/windows/1", "{}"),
        ] {
            let response = desk.ask(method, "/api/v1" + path, body, as: .banker)
            #expect(response.status == 200 && response.text.contains("overtaken"), "\(method) \(path): \(response.text)")
            #expect(!response.text.contains("shop"), "\(method) \(path): \(response.text)")
        }
        // Whoever sees both apps is still told.
        #expect(desk.ask(.get, "/api/v1/windows/1").json.at("events.1.detail") == event)
    }

    /// An answer is kept for a day, and within that day somebody's scope may become less than what it names.
    @Test func aKeptAnswerIsNotForWhoSeesLessByNow() throws {
        let desk = try Desk().furnished()
        let times = [86_400, 90_000].map { desk.clock.now.advanced(bySeconds: $0) }
        let both = #"{"app":"shop","platform":"android","revision":1},{"app":"bank","platform":"ios","revision":1}"#
        let window =
            #"{"targets":[\#(both)],"set":{"killSwitch":{"message":"Closed."}},"start":"\#(times[0])","end":"\#(times[1])","confirm":"kill 2 targets"}"#
        try desk.ask(.post, "/api/v1/windows", window).expect(201)
        func ask(_ path: String, _ body: String, in browser: Desk.Browser) -> HTTPResponse {
            desk.ask(.post, "/api/v1" + path, body, in: browser, more: ["Idempotency-Key": "key-of\(path.replacing("/", with: "-"))"])
        }
        let wide = try desk.browser("bella", .admin)
        let run = (path: "/windows/1/run", body: #"{"confirm":"kill 2 targets"}"#)
        let ran = ask(run.path, run.body, in: wide)
        try ran.expect(200)
        // The window goes on with the bank, and the apply that removes what is left of the shop does not name it.
        try desk.ask(.delete, "/api/v1/apps/shop/platforms/android", #"{"confirm":"delete shop/android"}"#).expect(200)
        var document = desk.ask(.get, "/api/v1/export").json
        document["apps"] = .array(document["apps"]?.array?.filter { $0["key"] == "bank" } ?? [])
        let pruning = #""document":\#(JSONValue.object(document).text),"prune":true"#
        let trial = desk.ask(.post, "/api/v1/apply", "{\(pruning),\"dryRun\":true}").json
        let confirm = try trial.at("plan.confirm").unwrapped()
        let apply = (path: "/apply", body: #"{\#(pruning),"sequence":\#(desk.ledger.sequence),"confirm":\#(confirm.text)}"#)
        try ask(apply.path, apply.body, in: wide).expect(200)

        try desk.ask(.patch, "/api/v1/users/bella", #"{"apps":["bank"]}"#).expect(200)
        let narrow = try desk.browser("bella", .admin)
        let before = try desk.state()
        for (path, body) in [run, apply] {
            let response = ask(path, body, in: narrow)
            #expect(response.summary == "403 forbidden", "\(path): \(response.text)")
            #expect(!response.text.contains("shop"), "\(path): \(response.text)")
        }
        #expect(try desk.state() == before)
        try desk.ask(.patch, "/api/v1/users/bella", #"{"apps":["bank","shop"]}"#).expect(200)
        #expect(ask(run.path, run.body, in: try desk.browser("bella", .admin)).body == ran.body)
    }

    /// An apply of names alone may have been about any app, so others plan again after it; whose it was is told to whoever sees its app.
    @Test func anApplyToOtherAppsIsNotTold() throws {
        let desk = try Desk().furnished()
        try desk.ask(.post, "/api/v1/apps", #"{"key":"cafe","name":"cafe"}"#).expect(201)
        let sequence = desk.ledger.sequence
        func renamed(_ apps: Set<String>) -> String {
            var document = desk.ask(.get, "/api/v1/export").json
            document["apps"] = .array(document["apps"]?.array?.filter { apps.contains($0["key"]?.string ?? "") } ?? [])
            return JSONValue.object(document).text.replacing(#""name":""#, with: #""name":"New "#)
        }
        let bank = renamed(["bank"])
        let ann = try desk.browser("ann", .admin)
        try desk.ask(.post, "/api/v1/apply", #"{"document":\#(renamed(["shop", "cafe"])),"sequence":\#(sequence)}"#, in: ann).expect(200)
        for (apps, tells) in [(#"["bank"]"#, false), (#"["bank","cafe"]"#, true)] {
            try desk.ask(
                .post,
                "/api/v1/users",
                #"{"username":"bella\#(tells)","role":"admin","apps":\#(apps),"password":"\#(Desk.password)"}"#
            )
            .expect(201)
            let bella = try desk.browser("bella\(tells)", .admin)
            let stale = desk.ask(.post, "/api/v1/apply", #"{"document":\#(bank),"sequence":\#(sequence)}"#, in: bella)
            #expect(stale.summary == "412 stale_sequence /sequence")
            #expect(stale.text.contains("by ann with change") == tells, "\(stale.text)")
        }
    }

    /// A notice asks somebody to do something, so it is not for whoever may not see what it is about.
    @Test func aMissedWindowIsNoNoticeForOtherApps() throws {
        let desk = try Desk().furnished()
        let times = [60, 120].map { desk.clock.now.advanced(bySeconds: $0) }
        let window =
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Closed."}},"start":"\#(times[0])","end":"\#(times[1])"}"#
        try desk.ask(.post, "/api/v1/windows", window).expect(201)
        desk.clock.advance(seconds: 120)
        ScheduleService(ledger: desk.ledger).doWhatIsDue()
        for path in ["/status", "/events"] {
            #expect(desk.ask(.get, "/api/v1" + path, as: .operator).text.contains("window 1 was missed"))
            let told = desk.ask(.get, "/api/v1" + path, as: .banker)
            #expect(told.status == 200 && !told.text.contains("notices"), "\(told.text)")
        }
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
        let found =
            desk.ask(.get, "/api/v1/changes?platform=ios", as: .banker).json["items"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
        #expect(found.contains(6))
    }

    /// A window over apps that somebody does not have is theirs to see in part, and not to touch.
    @Test func whatReachesFurtherIsNotTheirsToTouch() throws {
        let desk = try desk()
        for response in [
            desk.ask(.delete, "/api/v1/windows/2", "{}", as: .banker), desk.ask(.post, "/api/v1/windows/2/run", "{}", as: .banker),
        ] {
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
