import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

@Suite struct ChangeHandlersTests {
    private let kill = #""set":{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#
    private func ios(_ revision: Int) -> String { #"{"app":"shop","platform":"ios","revision":\#(revision)}"# }

    @Test func aChangeAnswersWithItselfAndItsPlan() throws {
        let desk = try Desk().furnished()
        let response = desk.change(ios(1), kill + #","reason":"INC-1""#, as: .operator)
        #expect(response.status == 200)
        #expect(response.json.names == ["changed", "change", "plan"])
        #expect(response.json["changed"] == .bool(true))
        #expect(response.json.at("change.sequence") == .integer(6))
        #expect(response.json.at("change.source") == "api")
        #expect(response.json.at("change.actor.kind") == "token")
        #expect(response.json.at("change.actor.name") == "operator")
        #expect(response.json.at("change.actor.id")?.string?.utf8.count == 8)
        #expect(response.json.at("change.actor.user") == nil, "a token of the server's own")
        #expect(response.json.at("change.targets.0.previous") == .integer(1))
        #expect(response.json.at("change.targets.0.after.killSwitch.message") == "Back at 09:30.")
        #expect(response.json.at("change.targets.0.feeds.bellerophon")?.string?.utf8.count == 64)
        #expect(response.json.at("plan.tier") == .integer(2))
        #expect(desk.ask(.get, "/api/v1/changes/6").json == response.json["change"]?.object)
    }

    @Test func theSourceIsTheToolsOwnWord() throws {
        let desk = try Desk().furnished()
        let gatectl = desk.change(ios(1), kill, headers: ["X-Gatehouse-Source": "gatectl"])
        #expect(gatectl.json.at("change.source") == "gatectl")
        #expect(
            desk.change(ios(2), #""set":{"killSwitch":null}"#, headers: ["X-Gatehouse-Source": "schedule"]).json.at("change.source")
                == "api"
        )
    }

    @Test func aDryRunAnswersThePlanAlone() throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        let response = desk.change(ios(1), kill + #","dryRun":true"#)
        #expect(response.status == 200)
        #expect(response.json.names == ["plan"])
        #expect(response.json.at("plan")?.object?.names == ["tier", "confirm", "reasonRequired", "diff", "effects", "warnings"])
        #expect(try desk.state() == before)
    }

    @Test func whatChangesNothingSaysSo() throws {
        let desk = try Desk().furnished()
        let response = desk.change(ios(1), #""set":{"alert":null}"#)
        #expect(response.json["changed"] == .bool(false))
        #expect(response.json["change"] == .null)
        #expect(response.json.at("plan.tier") == .integer(0))
        #expect(desk.ledger.sequence == 5)
    }

    @Test func targetsMayHaveSetsOfTheirOwn() throws {
        let desk = try Desk().furnished()
        let targets =
            #"{"app":"shop","platform":"ios","revision":1,"set":{"alert":{"message":"a","blocking":false}}},{"app":"bank","platform":"ios","revision":1,"set":{"alert":{"message":"b","blocking":false}}}"#
        let response = desk.ask(.post, "/api/v1/changes", #"{"targets":[\#(targets)]}"#)
        #expect(response.json.at("change.targets.0.after.alert.message") == "a")
        #expect(response.json.at("change.targets.1.after.alert.message") == "b")
    }

    @Test func aRevertAnswersLikeAChange() throws {
        let desk = try Desk().furnished()
        try desk.change(ios(1), kill).expect(200)
        let response = desk.change(ios(2), #""revertTo":1"#)
        #expect(response.json.at("change.kind") == "revert")
        #expect(response.json.at("change.targets.0.after") == [:])
        #expect(desk.change(ios(3), #""revertTo":9"#).summary == "404 revision_not_found /revertTo")
    }

    @Test func severalTargetsWantThePhraseEverywhere() throws {
        let desk = try Desk().furnished()
        let both = #"{"app":"shop","platform":"ios","revision":1},{"app":"shop","platform":"android","revision":1}"#
        let refused = desk.change(both, kill)
        #expect(refused.summary == "422 confirmation_required /confirm")
        #expect(refused.json.at("plan.confirm") == "kill 2 targets")
        #expect(desk.change(both, kill + #","confirm":"KILL 2 targets ""#).status == 200)
    }

    @Test func whatATokenDidIsFoundByItsNameAndByItsOwners() throws {
        let desk = try Desk().furnished()
        let ann = try desk.browser("ann", .admin)
        let made = desk.ask(.post, "/api/v1/tokens", #"{"name":"check"}"#, in: ann).json
        let (text, id) = (try #require(made.at("token")?.string), try #require(made.at("id")))
        let change = desk.change(ios(1), kill, headers: ["Authorization": "Bearer \(text)"]).json.at("change")
        #expect(change?["actor"] == ["kind": "token", "name": "check", "id": id, "user": "ann"])
        for name in ["check", "ann"] {
            #expect(desk.ask(.get, "/api/v1/changes?actor=\(name)").json.at("items") == .array([try #require(change)]), "\(name)")
        }
        #expect(desk.ask(.get, "/api/v1/changes?actor=nobody").json.at("items") == .array([]))
        #expect(
            desk.ask(.get, "/api/v1/audit?actor=ann&action=token.create").json.at("items.0.actor") == [
                "kind": "user", "name": "ann", "id": "1",
            ]
        )
    }

    // MARK: Idempotency

    /// The same body at another address, or with another method, is another request: its answer would be about something else.
    @Test func aKeyIsOfOneAddressAndOneMethod() throws {
        let desk = try Desk().furnished()
        let headers: HTTPHeaders = ["Idempotency-Key": "k"]
        try desk.ask(.put, "/api/v1/apps/shop/platforms/macos", "{}", headers: headers).expect(201)
        let sequence = desk.ledger.sequence
        let other = desk.ask(.put, "/api/v1/apps/bank/platforms/macos", "{}", headers: headers)
        #expect(other.summary == "422 idempotency_key_reused")
        let delete = desk.ask(.delete, "/api/v1/apps/shop/platforms/macos", "{}", headers: headers)
        #expect(delete.summary == "422 idempotency_key_reused")
        #expect(desk.ledger.sequence == sequence)
        try desk.ask(.put, "/api/v1/apps/bank/platforms/macos", "{}").expect(201)
    }

    @Test func theSameKeyGivesTheSameAnswerByteForByte() throws {
        let desk = try Desk().furnished()
        let first = desk.change(ios(1), kill, headers: ["Idempotency-Key": "k1"])
        desk.clock.advance(seconds: 60)
        let second = desk.change(ios(1), kill, headers: ["Idempotency-Key": "k1"])
        #expect(first.status == 200)
        #expect((second.status, second.body, second.headers) == (first.status, first.body, first.headers))
        #expect(desk.ledger.sequence == 6)
        #expect(desk.change(ios(2), kill, headers: ["Idempotency-Key": "k1"]).summary == "422 idempotency_key_reused")
        #expect(
            desk.change(ios(1), kill, as: .operator, headers: ["Idempotency-Key": "k1"]).summary == "412 stale_revision /targets/0/revision"
        )
        #expect(
            desk.ask(.post, "/api/v1/apps", #"{"key":"new","name":"New"}"#, headers: ["Idempotency-Key": "k1"]).summary
                == "422 idempotency_key_reused"
        )
    }

    @Test func creatingAndDeletingAreRepeatedToo() throws {
        let desk = try Desk().furnished()
        let requests: [(HTTPMethod, String, String)] = [
            (.post, "/api/v1/apps", #"{"key":"new","name":"New"}"#), (.put, "/api/v1/apps/new/platforms/ios", "{}"),
            (.patch, "/api/v1/apps/new", #"{"name":"Newer"}"#), (.put, "/api/v1/apps/new/own-feeds/state", #"{"template":"{}"}"#),
            (.delete, "/api/v1/apps/new/own-feeds/state", #"{"confirm":"delete new/own/state"}"#),
            (.delete, "/api/v1/apps/new", #"{"confirm":"delete new"}"#),
        ]
        let answers = requests.enumerated().map { desk.ask($1.0, $1.1, $1.2, headers: ["Idempotency-Key": "k\($0)"]) }
        #expect(answers.map(\.status) == [201, 201, 200, 200, 200, 200])
        let again = requests.enumerated().map { desk.ask($1.0, $1.1, $1.2, headers: ["Idempotency-Key": "k\($0)"]) }
        #expect(again.map(\.status) == answers.map(\.status))
        #expect(again.map(\.body) == answers.map(\.body))
        #expect(desk.ledger.sequence == 11)
    }

    @Test(arguments: ["", "a b", "ü", String(repeating: "k", count: 256), "a\u{1}"]) func aKeyThatIsNoneIsRefused(key: String) throws {
        let desk = try Desk().furnished()
        #expect(desk.change(ios(1), kill, headers: ["Idempotency-Key": key]).summary == "400 malformed")
        #expect(desk.ledger.sequence == 5)
    }

    /// Which of two keys the answer would be kept under, nobody could tell who sent both; a proxy may well read the other one.
    @Test(arguments: ["k1", "k2"]) func twoKeysAreRefused(second: String) throws {
        let desk = try Desk().furnished()
        var headers: HTTPHeaders = ["Idempotency-Key": "k1"]
        headers.append("idempotency-key", second)
        let refused = desk.change(ios(1), kill, headers: headers)
        #expect(refused.summary == "400 malformed")
        #expect(refused.json["detail"]?.string?.contains("Idempotency-Key") == true, "\(refused.text)")
        #expect(desk.ledger.sequence == 5)
        #expect(desk.change(ios(1), kill, headers: ["Idempotency-Key": "k1"]).status == 200)
    }

    // MARK: History

    private func history(_ desk: Desk, _ query: String, as who: Desk.Who = .viewer) throws -> [Int] {
        let response = desk.ask(.get, "/api/v1/changes" + query, as: who)
        try response.expect(200)
        return try response.json["items"]?.array.unwrapped().compactMap { $0["sequence"]?.integer } ?? []
    }

    @Test func historyComesInPagesNewestFirst() throws {
        let desk = try Desk().furnished()
        var (seen, cursor, pages): ([Int], String?, Int) = ([], nil, 0)
        repeat {
            let page = desk.ask(.get, "/api/v1/changes?limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""), as: .viewer).json
            seen += page["items"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
            cursor = page["next"]?.string
            if let cursor { #expect(cursor.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil) }
            pages += 1
        } while cursor != nil && pages < 9
        #expect(seen == [5, 4, 3, 2, 1])
        #expect(pages == 3)
        #expect(desk.ask(.get, "/api/v1/changes?limit=5").json["next"] == .null)
    }

    @Test func historyIsFiltered() throws {
        let desk = try Desk().furnished()
        desk.clock.advance(seconds: 10)
        let later = desk.clock.now.description
        try desk.change(ios(1), kill, as: .operator, headers: ["X-Gatehouse-Source": "gatectl"]).expect(200)
        #expect(try history(desk, "") == [6, 5, 4, 3, 2, 1])
        #expect(try history(desk, "?app=shop") == [6, 3, 2, 1])
        #expect(try history(desk, "?app=shop&platform=ios") == [6, 2])
        #expect(try history(desk, "?platform=android") == [3])
        #expect(try history(desk, "?actor=operator") == [6])
        #expect(try history(desk, "?source=gatectl") == [6])
        #expect(try history(desk, "?since=\(later)") == [6])
        #expect(try history(desk, "?until=\(later)") == [5, 4, 3, 2, 1])
        #expect(try history(desk, "?after=4") == [6, 5])
        #expect(try history(desk, "?app=none") == [])
        #expect(try history(desk, "", as: .banker) == [5, 4])
        #expect(desk.ask(.get, "/api/v1/changes?app=shop", as: .banker).summary == "404 app_not_found")
        #expect(desk.ask(.get, "/api/v1/changes/6", as: .banker).summary == "404 change_not_found")
    }

    @Test(arguments: [
        ("limit=0", "limit"), ("limit=501", "limit"), ("limit=x", "limit"), ("after=-1", "after"), ("after=x", "after"),
        ("since=today", "since"), ("until=2026-13-01T00:00:00Z", "until"),
        ("source=phone", "source"), ("cursor=x", "cursor"), ("cursor=", "cursor"), ("colour=red", "colour"),
    ])
    func aQueryThatMeansNothingIsRefused(query: String, field: String) throws {
        #expect(try Desk().ask(.get, "/api/v1/changes?" + query).summary == "400 malformed \(field)")
    }

    // MARK: Events

    @Test func eventsTellWhatCameAfter() throws {
        let desk = try Desk().furnished()
        let now = desk.ask(.get, "/api/v1/events", as: .viewer).json
        #expect(now.names == ["items", "sequence", "serverTime", "schedule", "health"])
        #expect(now.at("items") == .array([]))
        #expect(now.at("sequence") == .integer(5))
        #expect(now.at("serverTime")?.string == desk.clock.now.description)
        #expect(now.at("health") == ["state": "ok", "reasons": .array([])])
        try desk.change(ios(1), kill).expect(200)
        let news = desk.ask(.get, "/api/v1/events?after=5", as: .viewer).json
        #expect(news.at("items.0.sequence") == .integer(6))
        #expect(news.at("sequence") == .integer(6))
        #expect(news.at("reset") == nil)
        // What is hidden is counted, so that the asker moves on.
        let hidden = desk.ask(.get, "/api/v1/events?after=5", as: .banker).json
        #expect(hidden.at("items") == .array([]))
        #expect(hidden.at("sequence") == .integer(6))
    }

    @Test func whoIsAheadOfTheHistoryStartsAnew() throws {
        let response = try Desk().furnished().ask(.get, "/api/v1/events?after=6").json
        #expect(response.at("reset") == .bool(true))
        #expect(response.at("items") == .array([]))
        #expect(response.at("sequence") == .integer(5))
    }

    @Test func statusSaysWhichServerThisIs() throws {
        let desk = try Desk(protected: true).furnished()
        let status = desk.ask(.get, "/api/v1/status", as: .viewer).json
        #expect(status.at("environment") == ["name": "test", "colour": "staging", "protected": .bool(true)])
        #expect(status.at("version") == "1.2.3")
        #expect(status.at("sequence") == .integer(5))
        #expect(status.at("health.state") == "ok")
    }
}
