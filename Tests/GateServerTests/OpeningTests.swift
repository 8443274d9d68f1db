import GateCrypto
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Gates that are opened gradually: what the API takes, and what phones are told meanwhile.
@Suite struct OpeningTests {
    private static let status = "/feeds/shop/ios/bellerophon.json"
    private static let objects = "/feeds/shop/launchgate.json"
    private static let native = "/feeds/shop/ios/gate.json"
    private static let kill = #""set":{"killSwitch":{"message":"Back soon.","retryInterval":30}}"#
    private static let open = #""set":{"killSwitch":null},"over":600"#

    private func target(_ revision: Int, _ platform: String = "ios") -> String {
        #"{"app":"shop","platform":"\#(platform)","revision":\#(revision)}"#
    }

    private func opening(_ rest: String = open) throws -> Desk {
        let desk = try Desk().furnished()
        try desk.change(target(1), Self.kill).expect(200)
        try desk.change(target(2), rest).expect(200)
        return desk
    }

    /// Lets so much time go by as the seconds of a running server do.
    private func pass(_ seconds: Int64, on desk: Desk) {
        for _ in 0..<seconds {
            desk.clock.advance(seconds: 1)
            desk.reach.sample(at: desk.clock.now)
        }
    }

    private func isIn(_ response: HTTPResponse) throws -> Bool {
        try response.expect(200)
        return response.json["apiInactive"]?.bool == false
    }

    // MARK: What is taken

    @Test func theServerMakesTheTimes() throws {
        let desk = try opening()
        let gate = desk.ask(.get, "/api/v1/targets/shop/ios").json.at("gate.killSwitch")
        #expect(
            gate?.text
                == #"{"message":"Back soon.","retryInterval":30,"until":"2026-03-20T09:56:40.000Z","opening":"2026-03-20T09:46:40.000Z"}"#
        )
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json["state"] == "blocked")
    }

    @Test(arguments: [
        (#""set":{"killSwitch":null},"over":9"#, "422 invalid_over /over"),
        (#""set":{"killSwitch":null},"over":86401"#, "422 invalid_over /over"),
        (#""set":{"killSwitch":null},"over":"10m""#, "400 malformed /over"), (#""set":{"alert":null},"over":60"#, "400 malformed /over"),
        (#""set":{"killSwitch":{"message":"a"}},"over":60"#, "400 malformed /over"), (#""revertTo":1,"over":60"#, "400 malformed /over"),
        (#""set":{"killSwitch":{"message":"a","opening":"2026-03-20T09:46:00Z"}}"#, "422 invalid_opening /set/killSwitch/opening"),
        (
            #""set":{"killSwitch":{"message":"a","opening":"2026-03-20T09:46:41Z","until":"2026-03-20T09:56:40Z"}}"#,
            "422 future_opening /set/killSwitch/opening"
        ),
        (
            #""set":{"killSwitch":{"message":"a","opening":"2026-03-20T09:46:00Z","until":"2026-03-20T09:46:40Z"}}"#,
            "422 past_time /set/killSwitch/until"
        ),
    ])
    func whatCannotBeIsRefused(rest: String, summary: String) throws {
        let desk = try Desk().furnished()
        try desk.change(target(1), Self.kill).expect(200)
        #expect(desk.change(target(2), rest).summary == summary)
    }

    /// The order of refusal: what is not there, what was not seen and what is not current come before a value.
    @Test(arguments: [
        (#"{"app":"no","platform":"ios","revision":1}"#, "404 target_not_found /targets/0"),
        (#"{"app":"shop","platform":"ios"}"#, "428 revision_required /targets/0/revision"),
        (#"{"app":"shop","platform":"ios","revision":9}"#, "412 stale_revision /targets/0/revision"),
    ])
    func aLengthThatIsRefusedHasItsTurnLast(target: String, summary: String) throws {
        let desk = try Desk().furnished()
        #expect(desk.change(target, #""set":{"killSwitch":null},"over":5"#).summary == summary)
    }

    @Test func withoutAKillSwitchThereIsNothingToOpen() throws {
        let desk = try Desk().furnished()
        let refusal = desk.change(target(1), Self.open)
        #expect(refusal.summary == "422 nothing_to_open /over")
        #expect(refusal.json["detail"]?.string?.contains("leave \"over\" out") == true)
        // All or none.
        try desk.change(target(1), Self.kill).expect(200)
        #expect(desk.change(target(2) + "," + target(1, "android"), Self.open).summary == "422 nothing_to_open /over")
    }

    @Test func theTierIsThatOfAnOpening() throws {
        let desk = try Desk(protected: true).furnished()
        try desk.change(target(1), Self.kill + #","confirm":"shop/ios","reason":"INC-1""#).expect(200)
        let opened = desk.change(target(2), Self.open)
        try opened.expect(200)
        #expect(opened.json.at("plan.tier")?.integer == 1)
        let codes = opened.json.at("plan.warnings")?.array?.compactMap { $0.object?["code"]?.string } ?? []
        #expect(codes.contains("opening_slows") && codes.contains("opening_unsteady") && codes.contains("opening_not_slowed"))
        // Shutting those out who are in is a block.
        #expect(desk.change(target(3), Self.kill).summary == "422 reason_required /reason")
        #expect(desk.change(target(3), #""revertTo":2"#).summary == "422 reason_required /reason")
        #expect(desk.change(target(3), #""set":{"killSwitch":null}"#).status == 200)
    }

    /// Of the platform, or of the whole app.
    @Test func whatIsOfAnOwnShapeIsNotSlowedAndSaidToBe() throws {
        let desk = try Desk().furnished()
        for (name, platform) in [("status", #""platform":"ios","#), ("all", ""), ("other", #""platform":"android","#)] {
            let template = platform.isEmpty ? #"{\"off\":{\"$eval\":\"ios.blocked\"}}"# : #"{\"off\":{\"$eval\":\"blocked\"}}"#
            try desk.ask(.put, "/api/v1/apps/shop/own-feeds/\(name)", #"{\#(platform)"template":"\#(template)"}"#).expect(200)
        }
        try desk.change(target(1), Self.kill).expect(200)
        let opened = desk.change(target(2), Self.open)
        try opened.expect(200)
        let warnings = opened.json.at("plan.warnings")?.array?.compactMap { $0.object?["detail"]?.string } ?? []
        #expect(warnings.contains { $0.hasPrefix("own/all.json, own/status.json of shop keep the kill switch until ") })
        #expect(desk.poll("/feeds/shop/ios/own/status.json").text == #"{"off":true}"#)
    }

    @Test func anOpeningUnderWayGoesOn() throws {
        let desk = try opening()
        pass(60, on: desk)
        let again = desk.change(target(3), Self.open)
        try again.expect(200)
        #expect(again.json["changed"] == .bool(false))
        #expect(again.json.at("plan.warnings.0.code") == "opening_under_way")
        let faster = desk.change(target(3), #""set":{"killSwitch":null},"over":60"#)
        #expect(faster.json.at("change.targets.0.after.killSwitch.opening") == "2026-03-20T09:46:40.000Z")
        #expect(faster.json.at("change.targets.0.after.killSwitch.until") == "2026-03-20T09:48:40.000Z")
    }

    @Test func itsOwnEndComesSooner() throws {
        let desk = try Desk().furnished()
        try desk.change(target(1), #""set":{"killSwitch":{"message":"a","until":"2026-03-20T09:50:00Z"}}"#).expect(200)
        let opened = desk.change(target(2), Self.open)
        #expect(opened.json.at("change.targets.0.after.killSwitch.until") == "2026-03-20T09:50:00.000Z")
        #expect(opened.json.at("plan.warnings.0.code") == "opening_ends_sooner")
    }

    @Test func otherRulesAreSetAtOnce() throws {
        let desk = try Desk().furnished()
        let both = #""set":{"killSwitch":{"message":"a"},"alert":{"message":"b","blocking":true}}"#
        try desk.change(target(1), both).expect(200)
        let opened = desk.change(target(2), #""set":{"killSwitch":null,"alert":null},"over":600"#)
        #expect(opened.json.at("change.targets.0.after")?.object?.names == ["killSwitch"])
    }

    /// A gate that is as large as it may be is opened all the same.
    @Test func thereIsAlwaysRoomToOpen() throws {
        let desk = try Desk().furnished()
        let texts = ["de", "fr", "es", "it", "nl", "pl", "pt"].map { #""\#($0)":"\#(String(repeating: "x", count: 500))""# }.joined(
            separator: ","
        )
        let long = String(repeating: "x", count: 480)
        try desk.change(target(1), #""set":{"killSwitch":{"message":{"default":"\#(long)",\#(texts)}}}"#).expect(200)
        try desk.change(target(2), Self.open).expect(200)
    }

    @Test func windowsAndFilesKnowIt() throws {
        let desk = try opening()
        let window =
            #"{"targets":[\#(target(3))],"set":{"killSwitch":{"message":"a","opening":"2026-03-20T09:46:00Z","until":"2026-03-20T10:56:40Z"}},"start":{"wallTime":"2026-03-20T10:00","zone":"UTC"}}"#
        #expect(desk.ask(.post, "/api/v1/windows", window).summary == "422 invalid_opening /set/killSwitch/opening")
        // A file that was written meanwhile changes nothing, and shuts nobody out when it is applied after the end.
        let file = desk.ask(.get, "/api/v1/export").text
        func apply(_ document: String) -> HTTPResponse {
            desk.ask(.post, "/api/v1/apply", #"{"document":\#(document),"dryRun":true}"#)
        }
        try apply(file).expect(200)
        #expect(apply(file).json.at("plan.diff")?.array?.isEmpty == true)
        let future = file.replacing("2026-03-20T09:46:40.000Z", with: "2026-03-20T09:46:50.000Z")
        #expect(apply(future).code == "future_opening")
        try desk.change(target(3), #""set":{"killSwitch":null}"#).expect(200)
        desk.clock.advance(seconds: 700)
        #expect(apply(file).json.at("plan.diff")?.array?.isEmpty == true)
        #expect(desk.change(target(4), #""revertTo":3"#).code == "past_time")
    }

    // MARK: What phones are told

    @Test func nobodyIsInAtFirstAndEverybodyInTheEnd() throws {
        let desk = try opening()
        for number in 0..<200 { #expect(try !isIn(desk.poll(Self.status + "?targetingKey=\(number)"))) }
        pass(600, on: desk)
        for number in 0..<200 { #expect(try isIn(desk.poll(Self.status + "?targetingKey=\(number)"))) }
        for _ in 0..<200 { #expect(try isIn(desk.poll(Self.status))) }
    }

    @Test func whoIsInStaysIn() throws {
        let desk = try opening()
        var inside: Set<Int> = []
        for step in 1...10 {
            pass(60, on: desk)
            let now = Set(try (0..<500).filter { try isIn(desk.poll(Self.status + "?targetingKey=\($0)&version=4.\(step)")) })
            #expect(now.isSuperset(of: inside))
            #expect(abs(now.count - step * 50) < 40, "\(now.count) of 500 after \(step) tenths")
            inside = now
        }
    }

    /// The same question from another address draws anew, and so do phones without a key behind one proxy.
    @Test func phonesOfOneVersionDoNotComeAllAtOnce() throws {
        let desk = try opening()
        pass(300, on: desk)
        let inside = try (0..<400).count { number in
            try isIn(
                desk.poll(
                    Self.status + "?version=4.1.0",
                    headers: ["X-Forwarded-For": "203.0.113.\(number % 250).\(number / 250), 10.0.0.1"]
                )
            )
        }
        #expect(140...260 ~= inside)
        let first = try isIn(desk.poll(Self.status + "?version=4.1.0&t=1"))
        for number in 2..<50 {
            #expect(try isIn(desk.poll(Self.status + "?version=4.1.0&t=\(number)")) == first, "the time says nothing of a phone")
        }
    }

    @Test func pollsThatTellNothingGetTheShareOfAnswers() throws {
        let desk = try opening()
        for _ in 0..<20 {
            for _ in 0..<50 { _ = desk.poll(Self.status) }
            pass(1, on: desk)
        }
        // Whoever never stops asking sees the share of the time.
        for _ in 20..<300 {
            for _ in 0..<50 { _ = desk.poll(Self.status + "?t=1") }
            pass(1, on: desk)
        }
        let inside = try (0..<400).count { _ in try isIn(desk.poll(Self.status)) }
        #expect(190...202 ~= inside, "half of them after half of the time, without any chance")
        // Who only looks changes nothing.
        let before = desk.ask(.get, Self.status, as: .nobody).text
        for _ in 0..<5 { #expect(desk.ask(.get, Self.status, as: .nobody).text == before) }
        for _ in 0..<5 { #expect(desk.poll(Self.status, .head).text == before) }
    }

    @Test func noCacheKeepsAnAnswer() throws {
        let desk = try opening()
        pass(300, on: desk)
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/old.json","feed":"bellerophon.json","platform":"ios"}]}"#).expect(
            200
        )
        for path in [
            Self.status, Self.objects, Self.native, "/feeds/shop/ios/combined.json", "/feeds/shop/android/combined.json", "/old.json",
        ] {
            for query in ["", "?version=4.1.0", "?targetingKey=7&version=4.1.0&platform=ios", "?locale=de"] {
                #expect(desk.poll(path + query).headers["Cache-Control"] == "no-store", "\(path)\(query)")
            }
        }
        for path in [
            "/feeds/shop/android/bellerophon.json", "/feeds/shop/android/gate.json", "/feeds/shop/prince-of-versions.json",
            "/feeds/bank/launchgate.json",
        ] {
            #expect(desk.poll(path).headers["Cache-Control"] == "public, max-age=0, s-maxage=2, stale-if-error=86400", "\(path)")
        }
        let key = "?targetingKey=7"
        #expect(desk.poll("/old.json" + key).prepared === desk.poll(Self.status + key).prepared)
        try desk.change(target(3), #""set":{"killSwitch":null}"#).expect(200)
        #expect(desk.poll(Self.status).headers["Cache-Control"] == "public, max-age=0, s-maxage=2, stale-if-error=86400")
        #expect(try isIn(desk.poll("/old.json")))
    }

    /// Each of the two answers has a tag of its own: who has the one is never told that it is the other.
    @Test func theTagsAreOfTheBytes() throws {
        let desk = try opening()
        pass(300, on: desk)
        var bodies: [String: String] = [:]
        for number in 0..<100 {
            let answer = desk.poll(Self.native + "?targetingKey=\(number)")
            let tag = try answer.headers["ETag"].unwrapped()
            #expect(bodies[tag] ?? answer.text == answer.text)
            #expect(tag == "\"" + SHA256Digest(of: answer.body).hexadecimal.prefix(32) + "\"")
            bodies[tag] = answer.text
        }
        #expect(bodies.count == 2)
        #expect(bodies.values.count { $0.contains(#""opening":"2026-03-20T09:46:40.000Z""#) } == 1)
    }

    @Test func aTargetedPollOfWhoIsInIsDecidedByTheOtherRules() throws {
        let desk = try Desk().furnished()
        let set =
            #""set":{"killSwitch":{"message":"a"},"requiredUpdate":{"minimumVersion":"4.0.0","message":"b"}},"confirm":"kill 1 targets""#
        try desk.change(target(1), set).expect(200)
        try desk.change(target(2), Self.open).expect(200)
        pass(600, on: desk)
        #expect(desk.poll(Self.status + "?version=3.9").json["forceUpdate"]?.bool == true)
        #expect(desk.poll(Self.status + "?version=4.0").json["forceUpdate"]?.bool == false)
        #expect(desk.poll(Self.status + "?version=4.0").headers["Cache-Control"] == "no-store")
    }

    @Test func flagsDrawAsFeedsDo() throws {
        let desk = try opening()
        pass(300, on: desk)
        func kill(_ context: String) throws -> Bool {
            let body = Array(#"{"context":{"app":"shop","platform":"ios"\#(context)}}"#.utf8)
            let answer = desk.feeds.response(
                to: desk.request(
                    .post,
                    "/ofrep/v1/evaluate/flags/gate.kill",
                    ["Content-Type": "application/json"],
                    body,
                    PeerAddress(bytes: [192, 0, 2, 7])
                )
            )
            try answer.expect(200)
            return try answer.json["value"]?.bool.unwrapped() ?? true
        }
        for number in 0..<100 {
            let isIn = try isIn(desk.poll(Self.status + "?targetingKey=\(number)"))
            #expect(try kill(#","targetingKey":"\#(number)","version":"4.1.0""#) != isIn)
        }
        #expect(try kill(#","version":"4.1.0""#) == kill(#","version":"4.1.0""#))
    }

    @Test func twoPlatformsOfOneDocumentAtOnce() throws {
        let desk = try opening()
        pass(300, on: desk)
        try desk.change(target(1, "android"), Self.kill).expect(200)
        try desk.change(target(2, "android"), #""set":{"killSwitch":null},"over":1000"#).expect(200)
        pass(100, on: desk)
        var seen: [String: Int] = [:]
        for number in 0..<600 {
            let answer = desk.poll(Self.objects + "?targetingKey=\(number)")
            let (ios, android) = (answer.json["ios"]?.object?.isEmpty == true, answer.json["android"]?.object?.isEmpty == true)
            #expect(try isIn(desk.poll(Self.status + "?targetingKey=\(number)")) == ios, "a phone is in or out in all documents")
            #expect(try isIn(desk.poll("/feeds/shop/android/bellerophon.json?targetingKey=\(number)")) == android)
            seen["\(ios) \(android)", default: 0] += 1
        }
        #expect(seen.count == 4, "each of the two for itself: \(seen)")
        let (ios, android) = (
            seen.filter { $0.key.hasPrefix("true") }.values.reduce(0, +), seen.filter { $0.key.hasSuffix("true") }.values.reduce(0, +)
        )
        #expect(350...450 ~= ios && 30...95 ~= android, "\(seen)")
    }

    /// Another change of the app does not begin the opening anew.
    @Test func whatElseIsChangedMeanwhileIsThereAtOnce() throws {
        let desk = try opening()
        pass(300, on: desk)
        let inside = try (0..<200).filter { try isIn(desk.poll(Self.status + "?targetingKey=\($0)")) }
        for _ in 0..<200 { _ = desk.poll(Self.status) }
        try desk.change(target(3), #""set":{"alert":{"message":"Slow today.","blocking":false}}"#).expect(200)
        #expect(try (0..<200).filter { try isIn(desk.poll(Self.status + "?targetingKey=\($0)")) } == inside)
        let phone = "?targetingKey=\(try inside.first.unwrapped())"
        #expect(desk.poll(Self.native + phone).text.contains("Slow today."))
        #expect(!desk.poll(Self.native + phone).text.contains("killSwitch"))
        #expect(desk.poll(Self.objects + phone).text.contains("Slow today."))
    }

    @Test func killShutsEverybodyOutAtTheNextPoll() throws {
        let desk = try opening()
        pass(500, on: desk)
        try desk.change(target(3), Self.kill).expect(200)
        for number in 0..<200 { #expect(try !isIn(desk.poll(Self.status + "?targetingKey=\(number)"))) }
        #expect(desk.poll(Self.status).headers["Cache-Control"] != "no-store")
        // And it is opened from the beginning then.
        try desk.change(target(4), Self.open).expect(200)
        for number in 0..<200 { #expect(try !isIn(desk.poll(Self.status + "?targetingKey=\(number)"))) }
    }

    /// The shares are those of the clock, whoever starts when.
    @Test func aStartInTheMidstGoesOnWhereItWas() throws {
        let desk = try opening()
        pass(300, on: desk)
        let inside = try (0..<300).filter { try isIn(desk.poll(Self.status + "?targetingKey=\($0)")) }
        try desk.reopen()
        #expect(try (0..<300).filter { try isIn(desk.poll(Self.status + "?targetingKey=\($0)")) } == inside)
        #expect(120...180 ~= inside.count)
    }

    @Test func itEndsByItself() throws {
        let desk = try opening()
        pass(600, on: desk)
        ScheduleService(ledger: desk.ledger).doWhatIsDue()
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json["state"] == "open")
        #expect(desk.ask(.get, "/api/v1/changes?limit=1").json.at("items.0.source") == "expiry")
        #expect(desk.poll(Self.status).headers["Cache-Control"] == "public, max-age=0, s-maxage=2, stale-if-error=86400")
    }

    @Test func bothAnswersAreSigned() throws {
        let desk = try opening()
        pass(300, on: desk)
        let folder = FeedKeyFolder(dataFolder: desk.folder)
        let signer = FeedSigner(folder: folder)
        func key() throws -> FeedKey {
            try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: desk.clock.now) }
        }
        func check(_ key: FeedKey) throws {
            var bodies: Set<String> = []
            for number in 0..<60 {
                for query in ["?targetingKey=\(number)", "?targetingKey=\(number)&version=4.1.0"] {
                    let answer = desk.poll(Self.native + query)
                    let line = try answer.headers["Gatehouse-Signature"].unwrapped()
                    let signature = try FeedSignature(line).unwrapped()
                    #expect(signature.keyID == key.id && key.key.verifyingKey.verify(signature.bytes, over: answer.body))
                    #expect(answer.headers["Cache-Control"] == "no-store")
                    let beside = desk.poll(Self.native + ".sig" + query)
                    #expect(beside.text == line && beside.headers["Cache-Control"] == "no-store")
                    bodies.insert(answer.text)
                }
            }
            #expect(bodies.count == 2)
        }
        let first = try key()
        #expect(try signer.look())
        desk.table.sign(with: signer.signing)
        try check(first)
        // Another key in the midst of it, and a change.
        let second = try key()
        _ = try folder.change { ring throws(ServiceError) in try ring.activate(second.id, at: desk.clock.now) }
        #expect(try signer.look())
        desk.table.sign(with: signer.signing)
        try check(second)
        try desk.change(target(3), #""set":{"killSwitch":null},"over":10"#).expect(200)
        desk.reach.sample(at: desk.clock.now.advanced(bySeconds: -100))
        try check(second)
    }

    /// Whatever is asked, memory is bounded: as many platforms as an app has, each opened at a time of its own.
    @Test func manyPlatformsAtOnce() throws {
        let desk = try Desk().furnished()
        for number in 0..<12 {
            try desk.ask(.put, "/api/v1/apps/shop/platforms/p\(number)", "{}").expect(201)
            try desk.change(target(1, "p\(number)"), Self.kill).expect(200)
            try desk.change(target(2, "p\(number)"), #""set":{"killSwitch":null},"over":1000"#).expect(200)
            pass(20, on: desk)
        }
        pass(300, on: desk)
        var bodies: Set<String> = []
        for number in 0..<2_000 {
            bodies.insert(desk.poll(Self.objects + "?targetingKey=\(number)").text)
            bodies.insert(desk.poll(Self.objects).text)
        }
        #expect(bodies.count <= 300, "\(bodies.count)")
    }
}
