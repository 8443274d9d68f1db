import GateCrypto
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateServer

/// Gates that are tried on a phone: at addresses of their own, seen by nobody else, gone at their end.
@Suite struct RehearsalTests {
    private static let path = "/api/v1/rehearsals"
    private static let kill = #"{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#

    /// One text in forty languages, some 20 KiB.
    private static let longTexts =
        #"{"default":"m"\#((10..<50).map { #","de-x-\#($0)":"\#(String(repeating: "m", count: 500))""# }.joined())}"#

    private func begin(_ desk: Desk, _ members: String = #","gate":\#(kill)"#, as who: Desk.Who = .operator) throws -> JSONObject {
        let answer = desk.ask(.post, Self.path, #"{"app":"shop","platform":"ios"\#(members)}"#, as: who)
        try answer.expect(201)
        return answer.json
    }

    private func address(_ rehearsal: JSONObject, _ feed: FeedName) throws -> String {
        try (rehearsal["feeds"]?.object?[feed.rawValue]?.string).unwrapped()
    }

    /// Every feed's bytes, as phones get them now.
    private func live(_ desk: Desk) throws -> [[UInt8]] {
        try FeedName.allCases.map { name in
            let response = desk.poll(name.path(for: try TargetKey("shop/ios").unwrapped()))
            return (response.prepared?.body ?? response.body)
        }
    }

    @Test func itsFeedsSayWhatIsTriedAndTheLiveOnesWhatTheySaid() throws {
        let desk = try Desk().furnished()
        let before = try live(desk)
        let rehearsal = try begin(desk)
        for name in FeedName.allCases {
            let answer = desk.poll(try address(rehearsal, name))
            #expect(answer.status == 200, "\(name)")
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(answer.headers["Referrer-Policy"] == "no-referrer")
            #expect(answer.headers["ETag"] != nil)
        }
        let status = try JSONReader.read(desk.poll(try address(rehearsal, .bellerophon)).body)
        #expect(status.object?["apiInactive"] == .bool(true))
        #expect(status.object?["userMessage"] == .string("Back at 09:30."))
        #expect(try live(desk) == before)
        #expect(try desk.nativePolls("shop", "ios").total == 0, "whoever rehearses is nobody's reach")
    }

    /// A phone that tells nothing of itself meets what it would meet with the real one.
    @Test func anOpeningLetsInTheShareThatIsDueAndNotEverybody() throws {
        let desk = try Desk().furnished()
        let (opening, until) = (desk.clock.now, desk.clock.now.advanced(bySeconds: 600))
        let rehearsal = try begin(desk, #","gate":{"killSwitch":{"message":"m","opening":"\#(opening)","until":"\#(until)"}}"#)
        let path = try address(rehearsal, .bellerophon)
        func shutOut() throws -> Int {
            try (0..<100).filter { _ in try JSONReader.read(desk.poll(path).body).object?["apiInactive"] == .bool(true) }.count
        }
        desk.clock.advance(seconds: 1)
        #expect(try shutOut() > 90)
        desk.clock.advance(seconds: 300)
        #expect(try (30...70).contains(shutOut()))
    }

    @Test func ownShapesAreTriedToo() throws {
        let desk = try Desk().furnished()
        let path = "/api/v1/apps/shop/own-feeds/"
        let template = #"{\"off\":{\"$eval\":\"blocked\"}}"#
        try desk.ask(.put, path + "status", #"{"platform":"ios","template":"\#(template)"}"#).expect(200)
        try desk.ask(.put, path + "other", #"{"platform":"android","template":"\#(template)"}"#).expect(200)
        let rehearsal = try begin(desk)
        #expect(rehearsal["ownFeeds"]?.object?.names == ["own/status.json"])
        let address = try (rehearsal["ownFeeds"]?.object?["own/status.json"]?.string).unwrapped()
        let answer = desk.poll(address)
        #expect(answer.text == #"{"off":true}"#)
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(desk.poll("/feeds/shop/ios/own/status.json").text == #"{"off":false}"#)
    }

    @Test func aPhoneThatTellsItsVersionGetsWhatItIsToGet() throws {
        let desk = try Desk().furnished()
        let gate = #","gate":{"requiredUpdate":{"minimumVersion":"1.10","message":"m"}}"#
        let rehearsal = try begin(desk, gate)
        let feed = try address(rehearsal, .bellerophon)
        #expect(try JSONReader.read(desk.poll(feed + "?version=1.9").body).object?["forceUpdate"] == .bool(true))
        #expect(try JSONReader.read(desk.poll(feed + "?version=1.10").body).object?["forceUpdate"] == .bool(false))
        // Nobody who tries something out is one of those who are out there.
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios/versions").json["polls"]?.integer == 0)
    }

    @Test func thePollsAreShownTheNewestFirst() throws {
        let desk = try Desk().furnished()
        let rehearsal = try begin(desk)
        let (bellerophon, launchgate) = (try address(rehearsal, .bellerophon), try address(rehearsal, .launchgate))
        let tag = try (desk.poll(bellerophon).headers["ETag"]).unwrapped()
        desk.clock.advance(seconds: 1)
        _ = desk.poll(bellerophon + "?version=4.1.0", headers: ["If-None-Match": tag, "User-Agent": "Shop/4.1"])
        _ = desk.poll(launchgate, .head)
        for _ in 1...60 { _ = desk.poll(launchgate) }
        let shown = desk.ask(.get, Self.path + "/" + (try (rehearsal["id"]?.string).unwrapped()), as: .operator).json
        #expect(shown["pollCount"]?.integer == 62)
        #expect(shown["polls"]?.array?.count == 50)
        #expect(shown["polls"]?.array?.first?.object?["feed"] == .string("launchgate.json"))
        _ = desk.poll(bellerophon + "?version=4.1.0", headers: ["If-None-Match": tag, "User-Agent": "Shop/4.1"])
        let last = desk.ask(.get, Self.path, as: .operator).json["items"]?.array?.first?.object?["polls"]?.array?.first
        #expect(last?.object?["version"] == .string("4.1.0"))
        #expect(last?.object?["userAgent"] == .string("Shop/4.1"))
        #expect(last?.object?["feed"] == .string("ios/bellerophon.json"))
        #expect(last?.object?["unchanged"] == .bool(true))
    }

    @Test func theGateIsAlteredWhileThePhonePolls() throws {
        let desk = try Desk().furnished()
        let rehearsal = try begin(desk)
        let (id, feed) = (try (rehearsal["id"]?.string).unwrapped(), try address(rehearsal, .bellerophon))
        _ = desk.poll(feed)
        try desk.ask(.put, Self.path + "/" + id, #"{"gate":{"forceUpdate":{"message":"m"}}}"#, as: .operator).expect(200)
        let status = try JSONReader.read(desk.poll(feed).body)
        #expect(status.object?["apiInactive"] == .bool(false) && status.object?["forceUpdate"] == .bool(true))
        // What was asked before stays counted, and an end is put off without another gate.
        desk.clock.advance(seconds: 7_000)
        let longer = desk.ask(.put, Self.path + "/" + id, #"{"for":"1h"}"#, as: .operator)
        try longer.expect(200)
        #expect(longer.json["pollCount"]?.integer == 2)
        desk.clock.advance(seconds: 3_599)
        #expect(desk.poll(feed).status == 200)
        #expect(try JSONReader.read(desk.poll(feed).body).object?["forceUpdate"] == .bool(true))
    }

    @Test func afterItsEndThereIsNothing() throws {
        let desk = try Desk().furnished()
        let (short, ended) = (try begin(desk, #","for":"1m""#), try begin(desk))
        let feeds = try (address(short, .gate), address(ended, .gate))
        desk.clock.advance(seconds: 59)
        #expect(desk.poll(feeds.0).status == 200)
        desk.clock.advance(seconds: 1)
        try desk.ask(.delete, Self.path + "/" + (try (ended["id"]?.string).unwrapped()), as: .operator).expect(204)
        for feed in [feeds.0, feeds.1, "/rehearsals/", "/rehearsals/x", "/rehearsals//ios/gate.json"] {
            let answer = desk.poll(feed)
            #expect(answer.status == 404, "\(feed)")
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
        #expect(desk.ask(.get, Self.path, as: .operator).json["items"]?.array?.isEmpty == true)
        let path = Self.path + "/" + (try (ended["id"]?.string).unwrapped())
        #expect(desk.ask(.get, path, as: .operator).summary == "404 rehearsal_not_found")
        #expect(desk.ask(.delete, path, as: .operator).summary == "404 rehearsal_not_found")
    }

    /// As in force: a kill switch with an end lifts itself, and what it hid shows.
    @Test func aKillSwitchLiftsItselfThereToo() throws {
        let desk = try Desk().furnished()
        let until = desk.clock.now.advanced(bySeconds: 60)
        let rules = #""killSwitch":{"message":"m","until":"\#(until)"},"alert":{"message":"Sale","blocking":false}"#
        let rehearsal = try begin(desk, #","gate":{\#(rules)}"#)
        let (bellerophon, launchgate) = (try address(rehearsal, .bellerophon), try address(rehearsal, .launchgate))
        let path = Self.path + "/" + (try (rehearsal["id"]?.string).unwrapped())
        func isKilled() throws -> JSONValue? { try JSONReader.read(desk.poll(bellerophon).body).object?["apiInactive"] }
        desk.clock.advance(seconds: 59)
        #expect(try isKilled() == .bool(true))
        desk.clock.advance(seconds: 1)
        #expect(try isKilled() == .bool(false))
        #expect(desk.poll(launchgate).text.contains("Sale"))
        #expect(desk.ask(.get, path, as: .operator).json["gate"]?.object?.names == ["alert"])
        // An end that is put off brings nothing back.
        try desk.ask(.put, path, #"{"for":"3h"}"#, as: .operator).expect(200)
        #expect(try isKilled() == .bool(false))
        try desk.ask(.put, path, #"{"gate":\#(Self.kill)}"#, as: .operator).expect(200)
        #expect(try isKilled() == .bool(true))
    }

    @Test(arguments: ["shop/platforms/ios", "shop"]) func itEndsWithItsTarget(removed: String) throws {
        let desk = try Desk().furnished()
        let rehearsal = try begin(desk)
        let feed = try address(rehearsal, .gate)
        let confirm = removed == "shop" ? "delete shop" : "delete shop/ios"
        try desk.ask(.delete, "/api/v1/apps/" + removed, #"{"confirm":"\#(confirm)"}"#).expect(200)
        #expect(desk.poll(feed).status == 404)
        #expect(desk.ask(.get, Self.path, as: .operator).json["items"]?.array?.isEmpty == true)
        let path = Self.path + "/" + (try (rehearsal["id"]?.string).unwrapped())
        #expect(desk.ask(.put, path, #"{"for":"3h"}"#, as: .operator).summary == "404 rehearsal_not_found")
    }

    @Test(arguments: [
        (#"{"app":"shop","platform":"ios","for":"59s"}"#, "422 invalid_span /for"),
        (#"{"app":"shop","platform":"ios","for":"25h"}"#, "422 invalid_span /for"),
        (#"{"app":"shop","platform":"ios","for":"99999d"}"#, "422 invalid_span /for"),
        (#"{"app":"shop","platform":"ios","for":"2 h"}"#, "422 invalid_span /for"),
        (#"{"app":"shop","platform":"ios","for":7200}"#, "400 malformed /for"),
        (
            #"{"app":"shop","platform":"ios","gate":{"requiredUpdate":{"minimumVersion":"x","message":"m"}}}"#,
            "422 invalid_version /gate/requiredUpdate/minimumVersion"
        ),
        (
            #"{"app":"shop","platform":"ios","gate":{"killSwitch":{"message":"m","until":"2020-01-01T00:00:00Z"}}}"#,
            "422 past_time /gate/killSwitch/until"
        ),
        (
            #"{"app":"shop","platform":"ios","gate":{"killSwitch":{"message":"m","opening":"9001-01-01T00:00:00Z","#
                + #""until":"9001-01-01T00:01:00Z"}}}"#,
            "422 future_opening /gate/killSwitch/opening"
        ),
        (
            #"{"app":"shop","platform":"ios","gate":{"alert":{"message":\#(Self.longTexts),"blocking":false},"#
                + #""forceUpdate":{"message":\#(Self.longTexts)}}}"#,
            "422 gate_too_large /gate/forceUpdate"
        ),
        (#"{"app":"shop","platform":"windows"}"#, "404 target_not_found"),
        (#"{"app":"shop","platform":"ios","gate":{},"dryRun":true}"#, "400 malformed /dryRun"),
    ])
    func whatCannotBeTriedIsRefused(body: String, refusal: String) throws {
        let desk = try Desk().furnished()
        #expect(desk.ask(.post, Self.path, body, as: .operator).summary == refusal)
        #expect(desk.ask(.get, Self.path, as: .operator).json["items"]?.array?.isEmpty == true)
    }

    @Test func twentyAtOnceAndNoMore() throws {
        let desk = try Desk().furnished()
        for _ in 1...RehearsalService.most { _ = try begin(desk, #","for":"1m""#) }
        let body = #"{"app":"shop","platform":"ios"}"#
        #expect(desk.ask(.post, Self.path, body, as: .operator).summary == "409 too_many_rehearsals")
        desk.clock.advance(seconds: 60)
        try desk.ask(.post, Self.path, body, as: .operator).expect(201)
    }

    /// Somebody who begins one in a loop keeps nobody else from trying a gate, until all have about the same.
    @Test func whoHasMostGivesWay() throws {
        let desk = try Desk().furnished()
        let all = try (1...RehearsalService.most).map { _ in try begin(desk) }
        let body = #"{"app":"bank","platform":"ios"}"#
        let theirs = try (1...10).map { _ in
            let answer = desk.ask(.post, Self.path, body, as: .banker)
            try answer.expect(201)
            return answer.json
        }
        let full = desk.ask(.post, Self.path, body, as: .banker)
        #expect(full.summary == "409 too_many_rehearsals")
        #expect(full.json["detail"]?.string?.hasSuffix("End one of yours, or wait for one to end.") == true)
        func ids(_ who: Desk.Who) -> [String] {
            desk.ask(.get, Self.path, as: who).json["items"]?.array?.compactMap { $0["id"]?.string } ?? []
        }
        // The oldest ones went, and nothing else.
        #expect(ids(.banker) == theirs.reversed().compactMap { $0["id"]?.string })
        let left = all.suffix(10).reversed().compactMap { $0["id"]?.string }
        #expect(ids(.operator).filter { !ids(.banker).contains($0) } == left)
        #expect(desk.poll(try address(all[0], .gate)).status == 404)
        let ended = desk.ask(.get, "/api/v1/audit?action=rehearsal.delete").json["items"]?.array ?? []
        #expect(ended.count == 10)
        #expect(ended.last?["detail.inFavourOf"] == theirs[0]["id"])
    }

    @Test func ofAnAppThatOneMayChangeAlone() throws {
        let desk = try Desk().furnished()
        let rehearsal = try begin(desk)
        let path = Self.path + "/" + (try (rehearsal["id"]?.string).unwrapped())
        #expect(desk.ask(.get, Self.path, as: .banker).json["items"]?.array?.isEmpty == true)
        for (method, body) in [(HTTPMethod.get, nil), (.put, "{}"), (.delete, nil)] as [(HTTPMethod, String?)] {
            #expect(desk.ask(method, path, body, as: .banker).summary == "404 rehearsal_not_found")
            #expect(desk.ask(method, path, body, as: .viewer).status == 403)
            #expect(desk.ask(method, path, body, as: .nobody).status == 401)
        }
        #expect(desk.ask(.post, Self.path, #"{"app":"shop","platform":"ios"}"#, as: .banker).status == 403)
    }

    @Test func whatWasTriedStandsInTheAuditAndItsAddressNowhere() throws {
        let desk = try Desk().furnished()
        let rehearsal = try begin(desk)
        let id = try (rehearsal["id"]?.string).unwrapped()
        let secret = try String(address(rehearsal, .gate).split(separator: "/")[1])
        #expect(secret.count == 43)
        try desk.ask(.put, Self.path + "/" + id, #"{"gate":{}}"#, as: .operator).expect(200)
        try desk.ask(.delete, Self.path + "/" + id, as: .operator).expect(204)
        let audit = desk.ask(.get, "/api/v1/audit", as: .admin)
        let entries =
            audit.json["items"]?.array?.compactMap(\.object).filter { $0["action"]?.string?.hasPrefix("rehearsal.") == true } ?? []
        #expect(entries.map { $0["action"]?.string } == ["rehearsal.delete", "rehearsal.update", "rehearsal.create"])
        #expect(entries.allSatisfy { $0["subject"] == .string("shop/ios") && $0["detail"]?.object?["id"] == .string(id) })
        #expect(!audit.text.contains(secret))
        #expect(!desk.ask(.get, "/metrics").text.contains(secret))
    }

    /// Each is a row of the audit, which never shrinks. To end one is never refused.
    @Test func tenASecondForOnePersonAndTheirTokens() throws {
        let desk = try Desk().furnished()
        let body = #"{"app":"shop","platform":"ios"}"#
        for _ in 1...300 {
            let path = try "\(Self.path)/\(begin(desk, "")["id"]?.string ?? "")"
            try desk.ask(.put, path, #"{"for":"1m"}"#, as: .operator).expect(200)
            try desk.ask(.delete, path, "{}", as: .operator).expect(204)
        }
        let refused = desk.ask(.post, Self.path, body, as: .operator)
        #expect(refused.summary == "429 too_often" && refused.headers["Retry-After"] == "60")
        try desk.ask(.post, Self.path, body, as: .admin).expect(201)
        desk.clock.advance(seconds: 60)
        try desk.ask(.post, Self.path, body, as: .operator).expect(201)
    }

    /// `gatectl rehearse end ID`: what begins with a hyphen is an option there.
    @Test func noIdBeginsWithAHyphen() throws {
        let desk = try Desk().furnished()
        let drawn = Mutex(0)
        // F8 in front makes a hyphen of the text; the fifth draw of six bytes is another.
        let random = RandomSource { count in
            guard count == 6,
                drawn.withLock({
                    $0 += 1
                    return $0 < 5
                })
            else { return RandomSource.system.bytes(count) }
            return [UInt8](repeating: 0xF8, count: count)
        }
        #expect(random.secret(byteCount: 6).hasPrefix("-"))
        let service = RehearsalService(
            ledger: desk.ledger,
            random: random,
            stage: RehearsalTable(beside: desk.table, now: { [clock = desk.clock] in clock.now })
        )
        let ann = Caller(actor: Actor(kind: .user, name: "ann"), role: .admin, scope: .all, source: .api, requestId: "r", address: "")
        for _ in 0..<200 {
            let begun = try service.begin(TargetKey("shop/ios").unwrapped(), gate: nil, span: 60, by: ann)
            #expect(!begun.id.hasPrefix("-") && begun.id.count == 8)
            try service.end(begun.id, by: ann)
            desk.clock.advance(seconds: 1)
        }
        #expect(drawn.withLock { $0 } > 200)
    }

    /// What is not written down is not done.
    @Test func withoutTheAuditNothingBegins() throws {
        let desk = try Desk().furnished()
        let ann = Caller(actor: Actor(kind: .user, name: "ann"), role: .admin, scope: .all, source: .api, requestId: "r", address: "")
        let shop = try TargetKey("shop/ios").unwrapped()
        desk.ledger.suspend(because: StoreError(.full, "it is full"))
        let error = #expect(throws: ServiceError.self) {
            _ = try desk.services.rehearsals.begin(shop, gate: nil, span: 60, by: ann)
        }
        #expect(error?.word == "database_unavailable")
        #expect(try desk.services.rehearsals.list(for: ann).isEmpty)
    }
}
