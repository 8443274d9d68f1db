import GateHTTP
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateServer

/// Polls that tell the phone's version or language: which answer they get, and what it costs to keep one.
@Suite struct TargetedPollTests {
    private static let status = "/feeds/shop/ios/bellerophon.json"
    private static let objects = "/feeds/shop/launchgate.json"

    private func prepared(_ desk: Desk, _ path: String, _ query: String) throws -> PreparedResponse { try desk.answer(to: query, at: path) }

    private func required(_ minimum: String, more: String = "") -> String {
        #""set":{"requiredUpdate":{"minimumVersion":"\#(minimum)","message":"Please update."\#(more)}},"accept":["text_order"],"confirm":"require 1 targets""#
    }

    private func furnished(_ rest: String) throws -> Desk {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, rest).expect(200)
        return desk
    }

    @Test(arguments: [
        ("version=3.9", true), ("version=4.0.0", false), ("version=4", false), ("version=v3.9", true), ("os=17.2&version=3.9&utm=1", true),
        ("version=3.9&version=5", true), ("version=3%2E9", true), ("version=3.9+7", true), ("version=3.9%2B7", true),
        ("Version=3.9", false), ("version=", false), ("version", false), ("version=latest", false), ("version=3.9%00", false),
        ("version=3.9%", false), ("version=%FF", false), ("&&version=3.9&", true), ("version=3.9 ", false), ("=3.9", false),
    ])
    func whoIsBelowTheMinimumMustUpdate(query: String, isForced: Bool) throws {
        let desk = try furnished(required("4.0.0"))
        let answer = try prepared(desk, Self.status, query)
        let document = try JSONReader.read(answer.body, limits: .own).object
        #expect(document?["forceUpdate"]?.bool == isForced)
        // The same by the way of requests whose query was taken apart before, and by the other listener.
        if query.utf8.contains(UInt8(ascii: "%")) == false, !query.hasPrefix("="), !query.contains(" ") {
            #expect(desk.poll(Self.status + "?" + query).prepared === answer)
            #expect(desk.shows(answer, at: Self.status + "?" + query))
        }
        #expect(answer.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(answer.headers["Cache-Control"] == desk.poll(Self.status).headers["Cache-Control"])
        #expect(answer.headers["Vary"] == nil)
        #expect(answer.etag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
    }

    /// GateKit tells both; Android counts in the build.
    @Test(arguments: [
        ("version=12&build=1200", false), ("build=900&version=9.0.0", true), ("version=900", true), ("version=1200&build=", false),
        ("version=9.0.0", false), ("build=900", false), ("version=12&build=%39%30%30", true),
    ])
    func whereCodesAreCountedTheBuildIsCompared(query: String, isForced: Bool) throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"android","revision":1}"#, required("1000")).expect(200)
        let path = "/feeds/shop/android/bellerophon.json"
        let answer = try prepared(desk, path, query)
        #expect(try JSONReader.read(answer.body, limits: .own).object?["forceUpdate"]?.bool == isForced)
        if !query.contains("%") { #expect(desk.shows(answer, at: path + "?" + query)) }
    }

    @Test func aDocumentOfTheWholeAppIsForThePlatformThatIsNamed() throws {
        let desk = try furnished(required("4.10.0"))
        let everybody = try prepared(desk, Self.objects, "")
        // The app has two platforms, and nobody says which.
        #expect(try prepared(desk, Self.objects, "version=4.9.0") === everybody)
        #expect(try prepared(desk, Self.objects, "version=4.9.0&platform=tv") === everybody)
        let cured = try prepared(desk, Self.objects, "platform=ios&version=4.9.0")
        #expect(
            String(decoding: cured.body, as: UTF8.self)
                == #"{"ios":{"requiredUpdate":{"minimumVersion":"4.9.0.4.10.0","message":"Please update."}},"android":{}}"#
        )
        #expect(try prepared(desk, Self.objects, "version=4.10.0&platform=ios").body == Array(#"{"ios":{},"android":{}}"#.utf8))
        // What is the same for everybody is one answer.
        #expect(try prepared(desk, Self.objects, "version=4.0.0&platform=ios") === everybody)
    }

    @Test func aDocumentOfAnAppWithOnePlatformNeedsNoName() throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"bank","platform":"ios","revision":1}"#, required("4.10.0")).expect(200)
        let path = "/feeds/bank/prince-of-versions.json"
        #expect(try prepared(desk, path, "version=4.10.0").body == Array(#"{"ios2":[{"required_version":"0"}]}"#.utf8))
        #expect(try prepared(desk, path, "version=4.9.0") === prepared(desk, path, ""))
    }

    /// A change that alters nothing for everybody, and something for one phone, is in that phone's next poll.
    @Test func whatOnlyOnePhoneSeesIsPublishedToo() throws {
        let desk = try furnished(required("4.0.0"))
        let everybody = try prepared(desk, Self.status, "")
        #expect(try prepared(desk, Self.status, "version=4.2.0") === everybody)
        try desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, required("4.0.0", more: #","blockedVersions":["4.2.0"]"#)).expect(
            200
        )
        #expect(try prepared(desk, Self.status, "") === everybody)
        #expect(try prepared(desk, Self.status, "version=4.2.0") !== everybody)
        #expect(try prepared(desk, Self.status, "version=4.2.1") === everybody)
        try desk.change(#"{"app":"shop","platform":"ios","revision":3}"#, required("4.0.0")).expect(200)
        #expect(try prepared(desk, Self.status, "version=4.2.0") === everybody)
    }

    @Test func anAliasKnowsThePhoneToo() throws {
        let desk = try furnished(required("4.0.0"))
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/old.json","feed":"bellerophon.json","platform":"ios"}]}"#).expect(
            200
        )
        #expect(try prepared(desk, "/old.json", "version=3.9") === prepared(desk, Self.status, "version=3.9"))
        #expect(try prepared(desk, "/old.json", "version=3.9") !== prepared(desk, Self.status, "version=4.0"))
    }

    @Test func theTextIsInTheLanguageOfThePhone() throws {
        let desk = try furnished(#""set":{"killSwitch":{"message":{"default":"Back soon.","de":"Bald zurück."}}}"#)
        for (query, text) in [
            ("locale=de-AT", "Bald zurück."), ("locale=de_AT", "Bald zurück."), ("locale=DE", "Bald zurück."),
            ("version=4.0&locale=de", "Bald zurück."), ("locale=fr", "Back soon."), ("locale=%64e", "Bald zurück."),
            ("locale=d", "Back soon."),
            ("locale=de;q=1", "Back soon."), ("version=4.0", "Back soon."),
        ] {
            let document = try JSONReader.read(try prepared(desk, Self.status, query).body, limits: .own).object
            #expect(document?["userMessage"]?.string == text, "\(query)")
            #expect(document?["apiInactive"]?.bool == true)
        }
    }

    /// Phones that are told the same share one answer; junk makes none, and what makes many is bounded.
    @Test func answersAreSharedAndBounded() throws {
        let desk = try furnished(required("4.10.0"))
        let below = try prepared(desk, Self.status, "version=4.9.0")
        for number in 0..<1_000 { #expect(try prepared(desk, Self.status, "version=4.0.\(number)&x=\(number)") === below) }
        #expect(desk.variantCount == 1)
        // Each is sent back its own version: by the order of texts they are above the minimum.
        for number in 0..<5_000 {
            let answer = try prepared(desk, Self.objects, "platform=ios&version=4.9.\(number)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"4.9.\(number).4.10.0\""))
            #expect(desk.variantCount <= VariantShelf.capacity)
        }
        #expect(desk.variantCount > 1)
        // Nor are questions remembered without end, and none that is longer than a phone's.
        for number in 0..<20_000 { _ = try prepared(desk, Self.status, "junk=\(number)") }
        #expect((1...VariantShelf.questionCapacity).contains(desk.questionCount))
        let known = desk.questionCount
        for number in 0..<100 { _ = try prepared(desk, Self.status, "junk=\(number)" + String(repeating: "x", count: 128)) }
        #expect(desk.questionCount == known)
    }

    /// The same bytes are another question to another feed, and after a change.
    @Test func aRememberedAnswerIsOfOneFeedAndOneState() throws {
        let desk = try furnished(required("4.0.0"))
        for path in ["/feeds/shop/android/bellerophon.json", Self.status, "/feeds/bank/ios/bellerophon.json"] {
            let document = try JSONReader.read(try prepared(desk, path, "version=3.9").body, limits: .own).object
            #expect(document?["forceUpdate"]?.bool == (path == Self.status), "\(path)")
        }
        for minimum in ["3.0.0", "3.10.0", "3.9.0"] {
            let revision = try desk.ask(.get, "/api/v1/targets/shop/ios").json["revision"]?.integer.unwrapped() ?? 0
            try desk.change(#"{"app":"shop","platform":"ios","revision":\#(revision)}"#, required(minimum)).expect(200)
            let document = try JSONReader.read(try prepared(desk, Self.status, "version=3.9").body, limits: .own).object
            #expect(document?["forceUpdate"]?.bool == (minimum == "3.10.0"), "\(minimum)")
        }
    }

    /// Whoever polls with a version is counted with everybody else.
    @Test func pollsOfPhonesAreReach() throws {
        let desk = try furnished(required("4.0.0"))
        let everybody = try prepared(desk, Self.status, "")
        let below = try prepared(desk, Self.status, "version=3.9")
        #expect(below !== everybody)
        #expect(below.polls === everybody.polls)
    }

    @Test func anythingBehindTheQuestionMarkIsNeverAnError() throws {
        let desk = try furnished(required("4.0.0"))
        var generator = SeededGenerator(seed: 20_261_122)
        let alphabet = Array("version=locale&platform=ios%0.9+-a4;/?#[]@!$'()*,".utf8)
        for _ in 0..<20_000 {
            let query = (0..<Int.random(in: 0...60, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0x26 }
            let answer = try prepared(desk, Self.objects, String(decoding: query, as: UTF8.self))
            #expect((try? JSONReader.read(answer.body, limits: .own)) != nil)
        }
        #expect(desk.variantCount <= VariantShelf.capacity)
    }
}
