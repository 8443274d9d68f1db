import GateAPI
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// `POST /simulate` with versions: many phones at once, now, to come and in the past.
@Suite struct MatrixHandlersTests {
    private static let ios = #"{"app":"shop","platform":"ios","revision":1}"#
    private static let kill = #""set":{"killSwitch":{"message":"Closed."}}"#
    private static let all =
        #""accept":["text_order","component_count","above_newest_release","masked_alert","masked_optional","masked_required"]"#

    private func ask(_ desk: Desk, _ rest: String = #""versions":["4.1.0"]"#, app: String = "shop", as who: Desk.Who = .viewer)
        -> HTTPResponse
    {
        desk.ask(.post, "/api/v1/simulate", #"{"app":"\#(app)","platform":"ios",\#(rest)}"#, as: who)
    }

    private func outcomes(_ answer: HTTPResponse, _ feed: String = "static") -> [String] {
        (answer.json["cells"]?.array ?? []).map { cell in
            "\(cell["client"]?.string ?? "-") \(cell["version"]?.string ?? "-") \(cell["\(feed).outcome"]?.string ?? "-")"
        }
    }

    @Test func everyVersionIsToldWithEveryLibrary() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["1.9","1.10"]}"#).expect(200)
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":2}"#,
            #""set":{"requiredUpdate":{"minimumVersion":"1.10","message":"Must."}},\#(Self.all)"#
        ).expect(200)
        let before = try desk.state()
        let answer = ask(desk, #""versions":["1.9","1.10"]"#)
        try answer.expect(200)
        #expect(
            outcomes(answer) == [
                "launchgate 1.9 open", "prince-of-versions 1.9 updateRequired", "bellerophon 1.9 open", "launchgate 1.10 open",
                "prince-of-versions 1.10 open", "bellerophon 1.10 open",
            ]
        )
        #expect(outcomes(answer, "targeted").prefix(3).allSatisfy { $0.hasSuffix("updateRequired") })
        #expect(answer.json["moment"] == "now")
        #expect(answer.json["at"]?.string == desk.clock.now.description)
        #expect(answer.json["revision"]?.integer == 3)
        #expect(answer.json.at("change.sequence")?.integer == desk.ledger.sequence)
        #expect(answer.json.at("gate.requiredUpdate.minimumVersion") == "1.10")
        #expect(answer.json["proposed"] == .bool(false))
        #expect(answer.json.at("cells.0.cure")?.string?.contains("?version=1.9&platform=ios") == true)
        #expect(try desk.state() == before, "nothing is written")
        let proposed = ask(desk, #""versions":[]"#)
        #expect(proposed.json["versions"]?.array?.compactMap(\.string) == ["1.2", "1.9", "1.10"])
        #expect(proposed.json["proposed"] == .bool(true))
    }

    /// What a question about one phone is answered with is what its cell says.
    @Test func aCellIsTheAnswerAboutThatPhone() throws {
        let desk = try Desk().furnished()
        let drafts = [
            "null", #"{"killSwitch":{"message":"Closed."}}"#, #"{"requiredUpdate":{"minimumVersion":"4.10.0","message":"Must."}}"#,
            #"{"optionalUpdate":{"optionalVersion":"4.2.0","message":"May."},"alert":{"message":"Slow.","blocking":false}}"#,
        ]
        for draft in drafts {
            for seen in [true, false] {
                let rest = #""seen":\#(seen)"# + (draft == "null" ? "" : #","set":\#(draft)"#)
                let matrix = ask(desk, #""versions":["4.9.0","4.1.0","4.10.0"],\#(rest)"#)
                try matrix.expect(200)
                let cells = matrix.json["cells"]?.array ?? []
                #expect(!cells.isEmpty)
                for cell in cells {
                    let (client, version) = (cell["client"]?.string ?? "", cell["version"]?.string ?? "")
                    let one = ask(desk, #""version":"\#(version)","client":"\#(client)",\#(rest)"#)
                    for name in ["outcome", "letsIn", "rule", "presentation", "title", "message", "buttons", "retryInterval", "detail"] {
                        #expect(cell["static.\(name)"] == one.json[name], "\(draft) \(client) \(version) \(name)")
                    }
                    #expect(cell["hidden"] == one.json["hidden"])
                }
            }
        }
    }

    @Test func versionsThatPollsNameAreProposed() throws {
        let desk = try Desk().furnished()
        for version in ["3.7.1", "3.7.1", "3.6.0", "nightly"] {
            _ = try desk.answer(to: "version=\(version)", at: "/feeds/shop/ios/bellerophon.json")
        }
        #expect(ask(desk, #""versions":[]"#).json["versions"]?.array?.compactMap(\.string) == ["3.6.0", "3.7.1"])
    }

    // MARK: Moments

    @Test func aMomentToComeHasTheWindowsBeforeIt() throws {
        let desk = try Desk().furnished()
        let now = desk.clock.now.milliseconds
        func time(_ minutes: Int64) -> String { Timestamp(milliseconds: now + minutes * 60_000).description }
        try desk.ask(
            .post,
            "/api/v1/windows",
            #"{"targets":[\#(Self.ios)],\#(Self.kill),"start":"\#(time(10))","end":"\#(time(20))"}"#
        ).expect(201)
        for (minutes, outcome) in [(Int64(9), "open"), (10, "blocked"), (20, "open")] {
            let answer = ask(desk, #""versions":["4.1.0"],"client":"bellerophon","at":"\#(time(minutes))""#)
            #expect(outcomes(answer) == ["bellerophon 4.1.0 \(outcome)"])
            #expect(answer.json["moment"] == "future")
        }
    }

    /// The feeds of many moments are taken as they are polled, and afterwards each moment is asked for: what the libraries made of those
    /// bytes is what is told.
    @Test func everyPastMomentIsWhatTheFeedsSaidThen() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        print("MatrixHandlersTests: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let desk = try Desk().furnished()
        desk.clock.advance(seconds: 60)
        let versions = ["1.9", "1.10", "4.1.0", "10.0"]
        var moments: [(at: Timestamp, feeds: Feeds?)] = []
        var hashes: Set<Int> = []
        for number in 0..<60 {
            try act(on: desk, number, &generator)
            desk.clock.advance(seconds: Int64.random(in: 0...600, using: &generator))
            // Kill switches lift themselves.
            ScheduleService(ledger: desk.ledger).doWhatIsDue()
            let feeds = try Feeds(desk, versions)
            moments.append((desk.clock.now, feeds))
            hashes.insert(feeds?.untargeted.hashValue ?? 0)
            desk.clock.advance(seconds: 1)
        }
        #expect(hashes.count > 10, "many states")
        #expect(moments.contains { $0.feeds == nil }, "and none for a while")
        for (at, feeds) in moments {
            let list = versions.map { "\"\($0)\"" }.joined(separator: ",")
            let answer = ask(desk, #""versions":[\#(list)],"at":"\#(at)""#)
            guard let feeds else {
                #expect(answer.summary == "422 target_absent /at", "seed \(seed), \(at)")
                continue
            }
            try answer.expect(200)
            #expect(answer.json["moment"] == "past")
            #expect(answer.json["revision"] == feeds.revision, "seed \(seed), \(at)")
            #expect(answer.json.at("change.targets.0.revision") == feeds.revision)
            let cells = answer.json["cells"]?.array ?? []
            #expect(!cells.isEmpty)
            for cell in cells {
                let client = try #require(cell["client"]?.string.flatMap(ClientLibrary.init(rawValue:)))
                let version = cell["version"]?.string ?? ""
                let place: Comment = "seed \(seed), \(at), \(client), \(version)"
                let (everybody, targeted) = (
                    Feeds.decide(client, version, feeds.untargeted[client]), Feeds.decide(client, version, feeds.targeted[client]?[version])
                )
                #expect(cell["static.outcome"]?.string == Effect.Shown(everybody).outcome.rawValue, place)
                #expect(cell["static.message"]?.string == everybody.text, place)
                #expect(cell["targeted.outcome"]?.string == Effect.Shown(targeted).outcome.rawValue, place)
                #expect(cell["targeted.message"]?.string == targeted.text, place)
            }
        }
    }

    /// Something that is done to shop/ios.
    private func act(on desk: Desk, _ number: Int, _ generator: inout SeededGenerator) throws {
        let address = "/api/v1/apps/shop/platforms/ios"
        let live = desk.ask(.get, "/api/v1/targets/shop/ios")
        guard live.status == 200 else {
            if Bool.random(using: &generator) { try desk.ask(.put, address, #"{"releases":["1.9","1.10"]}"#).expect(201) }
            return
        }
        let revision = live.json["revision"]?.integer ?? 0
        func set(_ rules: String) throws {
            let answer = desk.change(
                #"{"app":"shop","platform":"ios","revision":\#(revision)}"#,
                #""set":{\#(rules)},\#(Self.all)"#
            )
            // What contradicts another rule is refused, and nothing happens.
            try answer.expect(answer.status == 422 ? 422 : 200)
        }
        let version = ["1.9", "1.10", "4.2.0", "10.0"].randomElement(using: &generator) ?? "1.9"
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: try set(#""killSwitch":{"message":"Closed \#(number)."}"#)
        case 1:
            let until = Timestamp(milliseconds: desk.clock.now.milliseconds + 120_000)
            try set(#""killSwitch":{"message":"Short \#(number).","until":"\#(until)"}"#)
        case 2: try set(#""killSwitch":null,"forceUpdate":null"#)
        case 3: try set(#""requiredUpdate":{"minimumVersion":"\#(version)","message":"Must \#(number)."}"#)
        case 4: try set(#""optionalUpdate":{"optionalVersion":"\#(version)","message":"May \#(number)."}"#)
        case 5: try set(#""alert":{"message":"Slow \#(number).","blocking":\#(Bool.random(using: &generator))}"#)
        case 6: try set(#""forceUpdate":{"message":"All \#(number)."},"requiredUpdate":null"#)
        case 7: try desk.ask(.put, address, #"{"releases":["1.9","1.10","\#(version)"],"defaultRetryInterval":\#(number + 5)}"#).expect(200)
        default:
            guard number % 3 == 0 || number == 40 else { return }
            try desk.ask(.delete, address, #"{"confirm":"delete shop/ios"}"#).expect(200)
        }
        if number == 30, desk.ask(.get, "/api/v1/targets/shop/ios").status == 200 {
            try desk.ask(.delete, address, #"{"confirm":"delete shop/ios"}"#).expect(200)
        }
    }

    /// What phones were sent at a moment.
    private struct Feeds {
        let revision: JSONValue
        let untargeted: [ClientLibrary: [UInt8]]
        let targeted: [ClientLibrary: [String: [UInt8]]]

        /// Nil while the target is not there.
        init?(_ desk: Desk, _ versions: [String]) throws {
            let target = desk.ask(.get, "/api/v1/targets/shop/ios")
            guard target.status == 200 else { return nil }
            revision = try #require(target.json["revision"])
            var (untargeted, targeted): ([ClientLibrary: [UInt8]], [ClientLibrary: [String: [UInt8]]]) = ([:], [:])
            for library in [ClientLibrary.bellerophon, .launchgate, .princeOfVersions] {
                let path = library.feed.path(for: TargetKey(app: try AppKey(validating: "shop"), platform: .ios))
                untargeted[library] = try desk.table.response(at: path).unwrapped().body
                for version in versions {
                    targeted[library, default: [:]][version] = try desk.answer(to: "version=\(version)&platform=ios", at: path).body
                }
            }
            (self.untargeted, self.targeted) = (untargeted, targeted)
        }

        static func decide(_ client: ClientLibrary, _ version: String, _ bytes: [UInt8]?) -> ClientDecision {
            let bytes = bytes ?? []
            return switch client {
            case .bellerophon: BellerophonClient.decide(bytes)
            case .launchgate: LaunchGateClient.decide(bytes, installed: version)
            default: PrinceOfVersionsAppleClient.decide(bytes, installed: version)
            }
        }
    }

    @Test func theChangeInForceIsNamed() throws {
        let desk = try Desk().furnished()
        let made = desk.clock.now
        desk.clock.advance(seconds: 60)
        try desk.change(Self.ios, Self.kill + #","reason":"INC-123""#).expect(200)
        let killed = desk.clock.now
        desk.clock.advance(seconds: 60)
        try desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{"killSwitch":null}"#).expect(200)
        let opened = desk.clock.now
        desk.clock.advance(seconds: 60)
        func at(_ time: Timestamp) -> HTTPResponse { ask(desk, #""versions":["4.1.0"],"client":"launchgate","at":"\#(time)""#) }
        let during = at(Timestamp(milliseconds: killed.milliseconds + 30_000))
        #expect(outcomes(during) == ["launchgate 4.1.0 blocked"])
        #expect(during.json.at("change.reason") == "INC-123")
        #expect(during.json.at("change.at")?.string == killed.description)
        #expect(during.json["until"]?.string == opened.description)
        // To the millisecond, the one of the change being its own.
        let instants: [(Int64, Int)] = [
            (killed.milliseconds - 1, 1), (killed.milliseconds, 2), (opened.milliseconds - 1, 2), (opened.milliseconds, 3),
            (made.milliseconds, 1),
        ]
        for (milliseconds, revision) in instants {
            #expect(at(Timestamp(milliseconds: milliseconds)).json["revision"]?.integer == revision)
        }
        #expect(at(Timestamp(milliseconds: opened.milliseconds + 1)).json["until"] == .null)
        #expect(at(Timestamp(milliseconds: made.milliseconds - 1)).summary == "422 before_history /at")
        let second = ask(desk, #""versions":["4.1.0"],"client":"launchgate","revision":2"#)
        #expect(outcomes(second) == ["launchgate 4.1.0 blocked"])
        #expect(second.json["moment"] == "revision")
        #expect(second.json["at"]?.string == killed.description)
        #expect(ask(desk, #""versions":[],"revision":4"#).summary == "404 revision_not_found /revision")
    }

    @Test func aTargetThatIsGoneStillHasItsPast() throws {
        let desk = try Desk().furnished()
        try desk.change(Self.ios, Self.kill).expect(200)
        let then = desk.clock.now
        desk.clock.advance(seconds: 60)
        try desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop"}"#).expect(200)
        let question = #""versions":["4.1.0"],"client":"bellerophon""#
        #expect(outcomes(ask(desk, question + #","at":"\#(then)""#)) == ["bellerophon 4.1.0 blocked"])
        #expect(outcomes(ask(desk, question + #","revision":2"#)) == ["bellerophon 4.1.0 blocked"])
        #expect(ask(desk, question + #","revision":3"#).summary == "422 target_absent /revision")
        #expect(ask(desk, question).summary == "404 target_not_found")
        desk.clock.advance(seconds: 60)
        let gone = Timestamp(milliseconds: desk.clock.now.milliseconds - 1)
        #expect(ask(desk, question + #","at":"\#(gone)""#).summary == "422 target_absent /at")
        #expect(ask(desk, question + #","at":"\#(then)""#, as: .banker).summary == "404 target_not_found", "out of sight also then")
        #expect(ask(desk, question + #","at":"\#(then)""#, app: "never").summary == "404 target_not_found")
    }

    // MARK: What is refused

    @Test(arguments: [
        (#""versions":["4.1.0"],"version":"4.1.0""#, "400 malformed /versions"), (#""versions":"4.1.0""#, "400 malformed /versions"),
        (#""versions":[4]"#, "400 malformed /versions/0"), (#""versions":["4 1"]"#, "422 invalid_version /versions/0"),
        (#""versions":["4.1.0",""]"#, "422 invalid_version /versions/1"),
        (#""versions":[],"client":"gandalf""#, "422 invalid_client /client"),
        (#""versions":[],"release":"1.4.0""#, "422 invalid_release /release"),
        (#""versions":[],"revision":0"#, "404 revision_not_found /revision"),
        (#""versions":[],"revision":1,"at":"2040-01-01T00:00:00Z""#, "400 malformed /at"),
        (#""versions":[],"revision":1,"set":{}"#, "400 malformed /set"), (#""version":"4.1.0","revision":1"#, "400 malformed /revision"),
        (#""versions":[],"at":"2000-01-01T00:00:00Z""#, "422 before_history /at"),
        (#""versions":[],"at":"1900-01-01T00:00:00Z""#, "422 invalid_time /at"),
        (#""versions":[],"set":{"alert":null},"at":"2026-01-01T00:00:00Z""#, "422 past_time /at"),
        (
            #""versions":["4.1.0"],"set":{"killSwitch":{"message":"a","until":"2020-01-01T00:00:00Z"}}"#,
            "422 past_time /set/killSwitch/until"
        ),
    ])
    func whatCannotBeAskedIsRefusedByItsField(rest: String, summary: String) throws {
        #expect(ask(try Desk().furnished(), rest).summary == summary)
    }

    @Test func versionsAreCountedBeforeTheyAreLookedAt() throws {
        let desk = try Desk().furnished()
        func list(_ count: Int, _ version: String) -> String {
            #""versions":["# + (0..<count).map { "\"\(version)\($0)\"" }.joined(separator: ",") + "]"
        }
        #expect(ask(desk, list(SimulationMatrix.mostVersions, "1.")).status == 200)
        let answer = ask(desk, list(SimulationMatrix.mostVersions + 1, "no version "))
        #expect(answer.summary == "400 malformed /versions")
    }

    /// The largest answer there is: texts of four bytes a character, every rule, every library, the longest versions.
    @Test func theLargestAnswerIsBelowTwoMiB() throws {
        let desk = try Desk().furnished()
        let text = String(repeating: "😀", count: 500)
        let languages = (0..<14).map { #""de-x\#($0)":"\#(String(repeating: "x", count: 470))""# }.joined(separator: ",")
        let clients = ClientLibrary.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let releases = (0..<100).map { "\"1.\($0).0\"" }.joined(separator: ",")
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":[\#(clients)],"releases":[\#(releases)]}"#).expect(200)
        let message = #""message":{"default":"\#(text)",\#(languages)}"#
        let rules = """
            "killSwitch":{"message":"\(text)"},"requiredUpdate":{"minimumVersion":"99999999.99999999.99999999.999",\(message)},
            "optionalUpdate":{"optionalVersion":"99999999.99999999.99999999.9999",\(message)},"alert":{"blocking":true,"message":"\(text)"}
            """
        try desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{\#(rules)},\#(Self.all)"#).expect(200)
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":3}"#,
            #""set":{"killSwitch":{"message":"\#(text)","retryInterval":7}}"#
        ).expect(200)
        let versions = (10..<60).map { "\"99999999.99999999.99999999.\($0)000\"" }.joined(separator: ",")
        var largest = 0
        for draft in ["{}", #"{"killSwitch":null}"#, #"{"killSwitch":null,"requiredUpdate":null}"#] {
            for seen in [true, false] {
                let answer = ask(desk, #""versions":[\#(versions)],"seen":\#(seen),"set":\#(draft),"locale":"de""#)
                try answer.expect(200)
                #expect(answer.json["cells"]?.array?.count == 50 * 5)
                largest = max(largest, answer.body.count)
            }
        }
        #expect(largest < AnswerSize.limit)
        #expect(largest > AnswerSize.limit / 4, "this is about the largest there is: \(largest)")
    }
}

extension ClientDecision {
    /// What the person reads; nil where the library knows no text, or shows nothing.
    fileprivate var text: String? {
        switch self {
        case .killed(let text, _), .forced(let text, _), .alert(let text, _): text
        case .requiredUpdate(_, let text), .optionalUpdate(_, let text): text.isEmpty ? nil : text
        case .proceed, .failed, .stuck, .crash: nil
        }
    }
}
