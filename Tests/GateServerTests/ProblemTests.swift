import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting
import Testing

@testable import GateServer

/// RFC 9457 problems, their order, and what some of them add.
@Suite struct ProblemTests {
    private let kill = #""set":{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#

    @Test func aProblemHasItsMembersInOrder() throws {
        let response = try Desk().ask(.get, "/api/v1/apps/shop")
        #expect(response.json.names == ["type", "title", "status", "code", "detail", "requestId"])
        #expect(response.json["type"] == "about:blank")
        #expect(response.json["title"] == "Not Found")
        #expect(response.json["status"] == .integer(404))
        #expect(response.json["code"] == "app_not_found")
        #expect(response.json["requestId"]?.string?.utf8.count == 16)
    }

    /// 401, 403, 415, 400, 404, 428, 412, 422 invalid, reason, confirmation: each fault is mended in turn.
    @Test func refusalsComeInTheOrderOfTheContract() throws {
        let desk = try Desk(protected: true).furnished()
        let before = try desk.state()
        let invalid = #""set":{"requiredUpdate":{"minimumVersion":"v4","message":"a"}}"#
        let wrongType = #""set":{"requiredUpdate":{"minimumVersion":4,"message":"a"}}"#
        func summary(_ rest: String, _ target: String, as who: Desk.Who = .operator, type: String = "application/json") -> String {
            desk.change(target, rest, as: who, headers: ["Content-Type": type]).summary
        }
        let (missing, unseen, stale) = (
            #"{"app":"shop","platform":"tv"}"#, #"{"app":"shop","platform":"ios"}"#, #"{"app":"shop","platform":"ios","revision":9}"#
        )
        let seen = #"{"app":"shop","platform":"ios","revision":1}"#
        #expect(summary(wrongType, missing, as: .nobody, type: "text/plain") == "401 unauthenticated")
        #expect(summary(wrongType, missing, as: .viewer, type: "text/plain") == "403 forbidden")
        #expect(summary(wrongType, missing, type: "text/plain") == "415 unsupported_media_type")
        #expect(summary(wrongType, missing) == "400 malformed /set/requiredUpdate/minimumVersion")
        #expect(summary(invalid, missing) == "404 target_not_found /targets/0")
        #expect(summary(invalid, unseen) == "428 revision_required /targets/0/revision")
        #expect(summary(invalid, stale) == "412 stale_revision /targets/0/revision")
        #expect(summary(invalid, seen) == "422 invalid_version /set/requiredUpdate/minimumVersion")
        #expect(summary(kill, seen) == "422 reason_required /reason")
        #expect(summary(kill + #","reason":"a""#, seen) == "422 confirmation_required /confirm")
        #expect(try desk.state() == before)
        #expect(summary(kill + #","reason":"a","confirm":" Shop/iOS ""#, seen) == "200")
    }

    @Test func theOrderHoldsForPlatformsAndAliasesToo() throws {
        let desk = try Desk().furnished()
        #expect(desk.ask(.put, "/api/v1/apps/none/platforms/ios", #"{"colour":"red"}"#).summary == "400 malformed /colour")
        #expect(desk.ask(.put, "/api/v1/apps/none/platforms/ios", #"{"releases":5}"#).summary == "400 malformed /releases")
        #expect(desk.ask(.put, "/api/v1/apps/none/platforms/ios", #"{"releases":["x"]}"#).summary == "404 app_not_found")
        #expect(desk.ask(.put, "/api/v1/apps/none/platforms/ios2", "{}").summary == "404 app_not_found")
        #expect(
            desk.ask(.patch, "/api/v1/apps/none", #"{"aliases":[{"path":"x","feed":"launchgate.json"}]}"#).summary == "404 app_not_found"
        )
        #expect(desk.ask(.patch, "/api/v1/apps/none", #"{"aliases":[5]}"#).summary == "400 malformed /aliases/0")
        #expect(desk.ask(.patch, "/api/v1/apps/none", #"{"name":""}"#).summary == "404 app_not_found")
    }

    /// Programs need not look for it in a sentence.
    @Test func aRefusalThatAcceptOverridesSaysSo() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["1.9.0","1.10.0"]}"#).expect(200)
        let ordered = #""set":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"a"}}"#
        let target = #"{"app":"shop","platform":"ios","revision":2}"#
        let response = desk.change(target, ordered)
        #expect(response.summary == "422 text_order /set/requiredUpdate/minimumVersion")
        #expect(response.json.names == ["type", "title", "status", "code", "detail", "field", "overridable", "requestId"])
        #expect(response.json["overridable"] == .bool(true))
        #expect(desk.change(target, ordered + #","accept":["text_order"]"#).status == 200)
        let invalid = desk.change(target, #""set":{"requiredUpdate":{"minimumVersion":"v4","message":"a"}}"#)
        #expect(invalid.json["overridable"] == nil)
    }

    @Test func whatIsNotThereIsNotFoundHoweverItIsSpelled() throws {
        let desk = try Desk().furnished()
        for target in [
            #"{"app":"none","platform":"ios","revision":1}"#, #"{"app":"SHOP","platform":"ios","revision":1}"#,
            #"{"app":"shop","platform":"ios2","revision":1}"#, #"{"app":"","platform":"","revision":1}"#,
        ] {
            #expect(desk.change(target, kill).summary == "404 target_not_found /targets/0")
        }
        for path in [
            "/api/v1/apps/SHOP", "/api/v1/targets/shop/ios2", "/api/v1/targets/none/ios", "/api/v1/changes/99", "/api/v1/changes/0",
            "/api/v1/changes/-1", "/api/v1/changes/x", "/api/v1/changes/99999999999999999999",
        ] {
            #expect(desk.ask(.get, path).status == 404, "\(path)")
        }
    }

    @Test func aStaleRevisionShowsTheTargetWithWhoAndWhen() throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + #","reason":"INC-1""#, as: .operator).expect(200)
        let response = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":null}"#)
        #expect(response.summary == "412 stale_revision /targets/0/revision")
        let current = try response.json["current"].unwrapped()
        #expect(current["revision"] == .integer(2))
        #expect(current["state"] == "blocked")
        #expect(current["gate.killSwitch.message"] == "Back at 09:30.")
        #expect(current["lastChange.actor.name"] == "operator")
        #expect(current["lastChange.reason"] == "INC-1")
        #expect(current["since"]?.string == desk.clock.now.description)
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json == current.object)
    }

    @Test(arguments: [("", "422 reason_required /reason"), (#","reason":"INC-1""#, "422 confirmation_required /confirm")])
    func whatMustBeTypedComesWithThePlan(terms: String, summary: String) throws {
        let response = try Desk(protected: true).furnished().change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + terms)
        #expect(response.summary == summary)
        #expect(response.json.at("plan.tier") == .integer(2))
        #expect(response.json.at("plan.confirm") == "shop/ios")
        #expect(response.json.at("plan.reasonRequired") == .bool(true))
        #expect(response.json.at("plan.diff.0.field") == "killSwitch.message")
    }

    @Test(arguments: [
        (StoreError.Code.full, 507, "disk_full"), (.busy, 503, "database_busy"), (.readOnly, 503, "database_read_only"),
        (.io, 503, "database_unavailable"), (.uncertain, 503, "outcome_unknown"),
    ])
    func aFailingDatabaseIsToldWithRetryAfterAndFeedsGoOn(failure: StoreError.Code, status: Int, code: String) throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        desk.failure.set(StoreError(failure, "/secret/gatehouse.sqlite"))
        let response = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill)
        #expect((response.status, response.code) == (status, code))
        #expect(try Int(response.headers["Retry-After"].unwrapped()).unwrapped() > 0)
        #expect(desk.ask(.get, "/api/v1/status").json.at("health.state") == "degraded")
        #expect(desk.ask(.get, "/healthz/ready", as: .nobody).status == 200)
        #expect(desk.ask(.get, "/healthz/live", as: .nobody).status == 200)
        #expect(desk.poll("/feeds/shop/launchgate.json").status == 200)
        #expect(!(response.text + desk.ask(.get, "/api/v1/status").text + desk.ask(.get, "/healthz/ready").text).contains("secret"))
        #expect(try desk.state() == before)
        desk.failure.set(nil)
        #expect(desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill).status == 200)
    }

    @Test func whileTheHistoryIsCheckedWritesWait() throws {
        let desk = try Desk().furnished()
        desk.ledger.historyChecked(fault: "history: changes row 2")
        #expect(desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill).summary == "503 history_damaged")
        #expect(desk.ask(.get, "/api/v1/targets").status == 200)
    }

    @Test func tooManyTriesSayWhenToTryAgain() throws {
        let desk = try Desk()
        _ = try desk.browser()
        for _ in 0..<5 {
            #expect(
                desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"wrong"}"#, as: .nobody).summary
                    == "401 wrong_credentials"
            )
        }
        let response = desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Desk.password)"}"#, as: .nobody)
        #expect(response.summary == "429 too_many_tries")
        #expect(response.headers["Retry-After"] == "1")
        desk.clock.advance(seconds: 1)
        #expect(desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Desk.password)"}"#, as: .nobody).status == 200)
    }

    @Test func the401SaysHowToSignIn() throws {
        let response = try Desk().ask(.get, "/api/v1/status", as: .nobody)
        #expect(response.summary == "401 unauthenticated")
        #expect(response.headers["WWW-Authenticate"] == #"Bearer realm="gatehouse""#)
    }

    @Test(arguments: [
        EdgeRefusal.badHost, .lengthAndTransferEncoding, .badContentLength, .badFieldName, .unsupportedTransferEncoding,
        .untimelyTransferEncoding, .foreignTarget,
        .foreignHost, .badTarget, .badFieldValue, .unknownMethod, .bodyTooLarge(limit: 262_144), .unsendable,
    ])
    func refusalsOfTheEdgeAreProblemsToo(refusal: EdgeRefusal) throws {
        let response = try Desk().admin.response(to: refusal, of: "/api/v1/changes", id: "00000000000000ff")
        #expect(response.status == refusal.status)
        #expect(response.json["status"] == .integer(refusal.status))
        #expect((response.code, response.json["requestId"]) == (refusal.code, "00000000000000ff"))
        #expect(response.json["title"] != "Error")
        #expect((response.headers["Allow"] != nil) == (refusal == .unknownMethod))
        if refusal == .foreignHost { #expect(response.json["detail"]?.string?.contains("--origin") == true) }
    }
}
