import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import Testing

@testable import GateServer

/// `GET /export` and `POST /apply`.
@Suite struct ExportHandlersTests {
    private func export(_ desk: Desk, _ query: String = "", as who: Desk.Who = .admin) -> HTTPResponse {
        desk.ask(.get, "/api/v1/export" + query, as: who)
    }

    private func apply(_ desk: Desk, _ document: String, _ rest: String = "", as who: Desk.Who = .admin, headers: HTTPHeaders = [:])
        -> HTTPResponse
    {
        desk.ask(.post, "/api/v1/apply", #"{"document":\#(document)\#(rest)}"#, as: who, headers: headers)
    }

    private func app(_ key: String, _ platforms: String) -> String {
        #"{"schema":"gatehouse/export/v1","apps":[{"key":"\#(key)","name":"\#(key)","platforms":\#(platforms)}]}"#
    }

    @Test func anExportHoldsEverythingThatTheCallerSees() throws {
        let desk = try Desk().furnished()
        let response = export(desk, as: .viewer)
        #expect(response.status == 200)
        #expect(response.json.names == ["schema", "environment", "sequence", "apps"])
        #expect(response.json.at("apps.0.key") == "bank")
        #expect(response.json.at("apps.1.platforms")?.object?.names == ["android", "ios"])
        #expect(response.json.at("apps.1.platforms.ios")?.object?.names == ["settings", "gate", "revision", "sequence", "changedAt"])
        #expect(export(desk, as: .viewer).body == response.body, "the same state has the same bytes")
        let own = export(desk, as: .banker)
        #expect(own.json["scope"] == .array(["bank"]))
        #expect(own.json["apps"]?.array?.count == 1)
        let one = export(desk, "?app=shop", as: .viewer)
        #expect((one.json["scope"], one.json["apps"]?.array?.count) == (.array(["shop"]), 1))
        #expect(export(desk, "?app=shop", as: .banker).summary == "404 app_not_found")
        #expect(export(desk, "?app=none").summary == "404 app_not_found")
        #expect(export(desk, "?apps=shop").summary == "400 malformed apps")
        #expect(export(desk, as: .nobody).status == 401)
    }

    @Test func everyExportIsInTheAudit() throws {
        let desk = try Desk().furnished()
        #expect(export(desk, as: .viewer).status == 200)
        #expect(export(desk, "?app=shop").status == 200)
        #expect(export(desk, "?app=none").status == 404)
        let lines = desk.ask(.get, "/api/v1/audit?action=export.create").json["items"]?.array ?? []
        #expect(lines.map { $0["actor"]?.object?["name"] } == ["admin", "viewer"])
        #expect(lines.map { $0["subject"] } == ["shop", .null])
        #expect(lines.map { $0["detail"]?.object?["apps"]?.integer } == [1, 2])
    }

    /// Nor does whoever was refused often before: each refusal names another address, and all of them fill more rows than there is room
    /// for.
    @Test func anExportIsInTheAuditHoweverManyRequestsWereRefusedBefore() throws {
        let desk = try Desk().furnished()
        for number in 0..<150 {
            let refused = desk.ask(
                .delete,
                "/api/v1/apps/app-\(number)",
                as: .viewer,
                peer: PeerAddress(bytes: [192, 0, 2, UInt8(number)])
            )
            #expect(refused.status == 403)
        }
        #expect(export(desk, "?app=shop", as: .viewer).status == 200)
        // Not only when somebody reads the audit: it was written before it was given out.
        let rows = try desk.ledger.store.unwrapped().audit(AuditQuery(limit: 1_000)).map(\.entry).filter { $0.action == "export.create" }
        #expect(rows.map(\.subject) == ["shop"])
        #expect(rows.map(\.address) == ["127.0.0.1"])
    }

    /// Whoever may only look must not be able to fill the audit.
    @Test func manyExportsOfAMinuteAreTwoRows() throws {
        let desk = try Desk().furnished()
        for _ in 0..<200 { #expect(export(desk, as: .viewer).status == 200) }
        let lines = desk.ask(.get, "/api/v1/audit?action=export.create").json["items"]?.array ?? []
        #expect(lines.map { $0["detail"]?.object?["count"]?.integer } == [199, nil])
        #expect(lines.map { $0["outcome"] } == ["succeeded", "succeeded"])
    }

    @Test func whatWasExportedIsAppliedAsNoChange() throws {
        let desk = try Desk().furnished()
        let document = export(desk).text
        let trial = apply(desk, document, #","dryRun":true"#)
        #expect(trial.json.names == ["plan", "sequence"])
        #expect(trial.json["sequence"] == .integer(5))
        let response = apply(desk, document, #","sequence":5,"prune":true"#)
        #expect((response.status, response.json["changed"], response.json["change"]) == (200, .bool(false), .null))
        #expect(response.json.names == ["changed", "change", "plan"])
        #expect(desk.ledger.sequence == 5)
    }

    @Test func aDocumentIsOneChange() throws {
        let desk = try Desk().furnished()
        let document = app(
            "news",
            #"{"ios":{"gate":{"alert":{"message":"Hello.","blocking":false}}},"android":{"settings":{"releases":["7"]}}}"#
        )
        let response = apply(desk, document, #","sequence":5,"reason":"INC-1""#)
        #expect(response.status == 200)
        #expect(response.json.at("change.kind") == "apply")
        #expect(response.json.at("change.sequence") == .integer(6))
        #expect(response.json.at("change.targets")?.array?.count == 2)
        #expect(response.json.at("plan.apps.0.after") == "news")
        #expect(desk.poll("/feeds/news/launchgate.json").text == #"{"ios":{"alert":{"message":"Hello.","blocking":false}},"android":{}}"#)
        #expect(apply(desk, document, #","sequence":6"#).json["changed"] == .bool(false))
    }

    /// 400 before 428 before 412 before 422, and nothing is ever written or deleted.
    @Test(arguments: [
        ("null", 400, "malformed", "/document"), ("[]", 400, "malformed", "/document"), ("{}", 400, "malformed", "/document/schema"),
        (#"{"schema":"gatehouse/export/v2","apps":[]}"#, 400, "malformed", "/document/schema"),
        (#"{"schema":"gatehouse/export/v1"}"#, 400, "malformed", "/document/apps"),
        (#"{"schema":"gatehouse/export/v1","apps":[],"app":[]}"#, 400, "malformed", "/document/app"),
        (#"{"schema":"gatehouse/export/v1","apps":[]}"#, 422, "empty_document", "/document/apps"),
        (#"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"shop"}]}"#, 400, "malformed", "/document/apps/0/platforms"),
        (
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"shop","platforms":{}}]}"#, 422, "empty_document",
            "/document/apps"
        ),
        (
            #"{"schema":"gatehouse/export/v1","scope":["bank"],"apps":[{"key":"shop","name":"shop","platforms":{"ios":{}}}]}"#, 400,
            "malformed",
            "/document/apps/0/key"
        ),
        (
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"shop","platforms":{"ios":{"gate":{"alert":{"message":"","blocking":true}}}}}]}"#,
            422, "invalid_message", "/document/apps/0/platforms/ios/gate/alert/message"
        ),
    ])
    func aDocumentThatIsNoneDeletesNothing(document: String, status: Int, code: String, field: String) throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        for rest in [#","prune":true,"sequence":5,"confirm":"apply 3 targets""#, #","prune":true,"dryRun":true"#] {
            #expect(apply(desk, document, rest).summary == "\(status) \(code) \(field)")
        }
        let unseen = apply(desk, document, #","prune":true"#)
        #expect(unseen.summary == (status == 400 ? "400 \(code) \(field)" : "428 sequence_required /sequence"))
        #expect(try desk.state() == before)
    }

    @Test func aCutBodyIsRefused() throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        let whole = #"{"document":\#(export(desk).text),"prune":true,"sequence":5,"confirm":"apply 3 targets"}"#
        for length in [0, 1, whole.utf8.count / 2, whole.utf8.count - 1] {
            let response = desk.ask(.post, "/api/v1/apply", String(decoding: whole.utf8.prefix(length), as: UTF8.self))
            #expect((400...422).contains(response.status), "\(length)")
        }
        #expect(try desk.state() == before)
    }

    @Test func anApplyIsAnAdministrators() throws {
        let desk = try Desk().furnished()
        let document = export(desk).text
        for who in [Desk.Who.viewer, .operator, .banker] {
            #expect(apply(desk, document, #","sequence":5"#, as: who).status == 403, "\(who)")
        }
        #expect(apply(desk, document, #","sequence":5"#, as: .nobody).status == 401)
    }

    @Test func whoWasFasterIsShown() throws {
        let desk = try Desk().furnished()
        let document = app("shop", #"{"ios":{"gate":{"alert":{"message":"Hello.","blocking":false}}}}"#)
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"alert":{"message":"a","blocking":false}}"#).expect(200)
        let stale = apply(desk, document, #","sequence":5"#)
        #expect(stale.summary == "412 stale_sequence /sequence")
        #expect(stale.json.at("current.revision") == .integer(2))
    }

    /// A thousand apps with three platforms each, and as many targets in one ordinary change.
    @Test func aDocumentOfThousandsOfTargetsIsTaken() throws {
        let desk = try Desk().furnished()
        let gate =
            #"{"settings":{"versionScheme":"dotted","storeURL":null,"releases":["1.0","1.1"],"defaultRetryInterval":15},"gate":{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}}"#
        let apps = (0..<1_000).map {
            #"{"key":"app-\#($0)","name":"App \#($0)","platforms":{"ios":\#(gate),"macos":\#(gate),"android":{}}}"#
        }
        let document = #"{"schema":"gatehouse/export/v1","apps":[\#(apps.joined(separator: ","))]}"#
        #expect(document.utf8.count > 262_144)
        let trial = apply(desk, document, #","dryRun":true"#)
        #expect(trial.json.at("plan.confirm") == "apply 2000 targets")
        let response = apply(desk, document, #","sequence":5,"confirm":"apply 2000 targets""#)
        #expect((response.json.at("change.targets")?.array?.count ?? 0) + (response.json.at("change.omitted")?.integer ?? 0) == 3_000)
        #expect(apply(desk, export(desk).text, #","sequence":6,"prune":true"#).json["changed"] == .bool(false))

        let targets = (0..<1_000).map {
            #"{"app":"app-\#($0)","platform":"ios","revision":1,"set":{"alert":{"message":"a","blocking":false},"optionalUpdate":null}}"#
        }
        let change = desk.ask(.post, "/api/v1/changes", #"{"targets":[\#(targets.joined(separator: ","))]}"#)
        #expect(change.json.at("change.targets")?.array?.count == 1_000)
    }

    /// Only this route takes more than the others, and only so much.
    @Test func theBodyOfAnApplyMayBeLarger() throws {
        let desk = try Desk()
        func limit(_ method: HTTPMethod, _ path: String) -> Int? {
            desk.admin.admission(of: desk.request(method, path, [:], [], PeerAddress(bytes: [127, 0, 0, 1])), hasBody: true)
                .maximumBodyBytes
        }
        #expect(limit(.post, "/api/v1/apply") == 8 << 20)
        for endpoint in Endpoint.allCases where endpoint != .apply {
            #expect(limit(HTTPMethod(rawValue: endpoint.method.rawValue), endpoint.path(endpoint.parameterNames.map { _ in "1" })) == nil)
        }
    }
}
