import GateHTTP
import GateJSON
import GateModel
import Testing

@Suite struct TakeoverRouteTests {
    private static let file = #"{"maintenance":false,"message":"","min_version":"1.0.0","v":3}"#

    private func body(_ file: String, _ more: String = "", revision: Int = 1) -> String {
        let text = JSONValue.string(file).text
        return #"{"app":"shop","document":\#(text),"revisions":{"ios":\#(revision),"android":\#(revision)}\#(more)}"#
    }

    /// A proposal, not a refusal; and nothing is written for it.
    @Test func aFileOfAnotherShapeIsMetByAProposal() throws {
        let desk = try Desk().furnished()
        let answer = desk.ask(.post, "/api/v1/import", body(Self.file, #","platform":"ios","dryRun":true"#))
        try answer.expect(200)
        let takeover = try (answer.json["takeover"]?.object).unwrapped()
        #expect(
            takeover["map"]?.text
                == #"["$.maintenance=kill","$.message=kill.message","$.min_version=required.minimumVersion"]"#
        )
        #expect(takeover["match"]?.string == "identical")
        #expect(takeover["document"]?.string == Self.file)
        #expect(takeover["path"]?.string == "/feeds/shop/ios/own/status.json")
        let flip = try (takeover["flips"]?.array?.first?.object).unwrapped()
        #expect(flip["platform"]?.string == "ios")
        #expect(flip["killed"]?.bool == true)
        #expect(
            flip["differences"]?.text
                == #"[{"path":"$.maintenance","before":"false","after":"true"},{"path":"$.message","before":"\"\"","after":"\"We will be back soon.\""}]"#
        )
        #expect(desk.poll("/feeds/shop/ios/own/status.json").status == 404)
    }

    /// A value that the platform would refuse does not keep the others from being proposed, and is named.
    @Test(arguments: [
        (#"{"maintenance":false,"interval":60000,"message":"hi"}"#, #"["$.maintenance=kill","$.message=kill.message"]"#, "$.interval"),
        (#"{"minVersion":"1.0-beta"}"#, "[]", "$.minVersion"),
        (#"{"minVersion":42}"#, "[]", "$.minVersion"),
        (#"{"enabled":false,"message":"Works"}"#, "[]", "$.enabled=!kill"),
    ]) func whatIsNotProposedIsNamed(file: String, map: String, place: String) throws {
        let desk = try Desk().furnished()
        let answer = desk.ask(.post, "/api/v1/import", body(file, #","platform":"ios","dryRun":true"#))
        try answer.expect(200)
        #expect(answer.json.at("takeover.map")?.text == map)
        let warnings = (answer.json.at("plan.warnings")?.array ?? []).filter { $0["code"] == "takeover_not_proposed" }
        #expect(warnings.count == 1)
        #expect(warnings.first?["detail"]?.string?.contains(place) == true, "\(answer.text)")
    }

    @Test func withoutAMapNothingIsTakenOver() throws {
        let desk = try Desk().furnished()
        let answer = desk.ask(.post, "/api/v1/import", body(Self.file, #","platform":"ios""#))
        #expect(answer.status == 422)
        #expect(answer.json["code"]?.string == "map_required")
        #expect(answer.json["field"]?.string == "/map")
        #expect(answer.json["detail"]?.string?.contains(#""$.maintenance=kill""#) == true)
    }

    /// One change: the feed is there, the gate says what the file says.
    @Test func oneChangeMakesTheFeedAndTheGate() throws {
        let desk = try Desk().furnished()
        let file = #"{"ios":{"off":true,"why":"Works"},"android":{"off":false,"why":""}}"#
        let map = ##","map":["$.ios.off=ios.kill","$.ios.why=ios.kill.message","$.android.off=android.kill"],"name":"all""##
        let before = try (desk.ask(.get, "/api/v1/events").json["sequence"]?.integer).unwrapped()
        let answer = desk.ask(.post, "/api/v1/import", body(file, map))
        try answer.expect(200)
        #expect(answer.json["changed"]?.bool == true)
        #expect(answer.json["takeover"]?.object?["match"]?.string == "identical")
        #expect(answer.json.at("change.sequence")?.integer == before + 1)
        #expect(desk.poll("/feeds/shop/own/all.json").text == file)
        #expect(desk.poll("/feeds/shop/ios/bellerophon.json").text.contains(#""apiInactive":true"#))
        // Again, with what is there by now: nothing to do.
        let again = desk.ask(.post, "/api/v1/import", body(file, map, revision: 2).replacing(#""android":2"#, with: #""android":1"#))
        try again.expect(200)
        #expect(again.json["changed"]?.bool == false)
    }

    @Test func anIntervalIsTheSettingsToo() throws {
        let desk = try Desk().furnished()
        let file = #"{"down":0,"poll_every":45}"#
        let map = #","map":["$.down=kill","$.poll_every=retryInterval"],"platform":"ios""#
        try desk.ask(.post, "/api/v1/import", body(file, map)).expect(200)
        #expect(desk.poll("/feeds/shop/ios/own/status.json").text == file)
        let settings = desk.ask(.get, "/api/v1/targets/shop/ios").json["settings"]?.object
        #expect(settings?["defaultRetryInterval"]?.integer == 45)
    }

    @Test(arguments: [
        (#","map":["$.nothing=kill"],"platform":"ios""#, "invalid_map", "/map"),
        (#","map":["maintenance=kill"],"platform":"ios""#, "invalid_map", "/map"),
        (#","map":["$.maintenance=kill"]"#, "invalid_map", "/map"),
        (#","map":["$.maintenance=tv.kill"]"#, "invalid_map", "/map"),
        (#","map":["$.maintenance=kill"],"platform":"ios","name":"gate""#, "invalid_own_feed", "/name"),
        (#","map":["$.maintenance=kill"],"platform":"ios","name":"taken""#, "own_feed_exists", "/name"),
        (#","map":["$.maintenance=kill"],"platform":"ios","format":"launchgate""#, "map_of_library", "/map"),
        (#","map":["$.min_version=retryInterval"],"platform":"ios""#, "invalid_map", "/map"),
    ]) func isRefused(more: String, code: String, field: String) throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/own-feeds/taken", #"{"template":"{\"x\":1}"}"#).expect(200)
        for trial in [#","dryRun":true"#, ""] {
            let answer = desk.ask(.post, "/api/v1/import", body(Self.file, more + trial))
            #expect(answer.status == 422)
            #expect(answer.json["code"]?.string == code, "\(answer.text)")
            #expect(answer.json["field"]?.string == field)
        }
        #expect(desk.poll("/feeds/shop/ios/own/status.json").status == 404)
    }

    /// What is told of a refusal, and of a takeover, is bounded, whatever was sent.
    @Test func answersAreBounded() throws {
        let desk = try Desk().furnished()
        let long = String(repeating: "x", count: 100_000)
        for map in ["$.a=\(long)", "\(long)=kill", "$[\(long)=kill", "$.\(long)=kill"] {
            let answer = desk.ask(.post, "/api/v1/import", body(Self.file, ##","platform":"ios","map":["\##(map)"]"##))
            #expect(answer.status == 422)
            #expect(answer.text.utf8.count < 4_096, "\(map.prefix(20))")
        }
        // As deep, as wide and with names as long as a file may have.
        let name = String(repeating: "n", count: 80)
        let deep = String(repeating: #"{"\#(name)":"#, count: 14)
        let wide = (0..<200).map { #""k\#($0)":1"# }.joined(separator: ",")
        let file = deep + "{\(wide)}" + String(repeating: "}", count: 14)
        let place = "$" + String(repeating: ".\(name)", count: 14)
        let map = (0..<200).map { #""\#(place).k\#($0)=kill""# }.joined(separator: ",")
        let answer = desk.ask(.post, "/api/v1/import", body(file, #","platform":"ios","map":[\#(map)],"dryRun":true"#))
        #expect(answer.text.utf8.count < 2_097_152)
    }

    /// As many platforms as an app may have, each with differences in places as long as a request has room for.
    @Test(.timeLimit(.minutes(1))) func aFileOfManyPlatformsHasABoundedAnswer() throws {
        let desk = try Desk()
        try desk.ask(.post, "/api/v1/apps", #"{"key":"shop","name":"Shop"}"#).expect(201)
        let platforms = (0..<App.mostPlatforms).map { "p\($0)" }
        for platform in platforms { try desk.ask(.put, "/api/v1/apps/shop/platforms/\(platform)", "{}").expect(201) }
        let names = [String](repeating: String(repeating: "é", count: 40), count: 14)
        let wide = platforms.flatMap { platform in (0..<5).map { #""\#(platform)-\#($0)":0"# } }.joined(separator: ",")
        let file = names.map { #"{"\#($0)":"# }.joined() + "{\(wide)}" + String(repeating: "}", count: names.count)
        let place = "$" + names.map { ".\($0)" }.joined()
        let map = platforms.flatMap { platform in (0..<5).map { "\(place).\(platform)-\($0)=\(platform).kill" } }
        let body = JSONValue.object([
            "app": "shop", "document": .string(file), "map": .array(map.map { .string($0) }), "dryRun": .bool(true),
        ])
        let answer = desk.ask(.post, "/api/v1/import", body.text)
        try answer.expect(200)
        #expect(answer.text.utf8.count < 2_097_152)
        let flips = answer.json.at("takeover.flips")?.array ?? []
        #expect(flips.count == App.mostPlatforms)
        let told = flips.reduce(0) { $0 + ($1.object?["differences"]?.array?.count ?? 0) }
        let omitted = flips.reduce(0) { $0 + ($1.object?["omitted"]?.integer ?? 0) }
        #expect(told == 100)
        #expect(omitted == 5 * App.mostPlatforms - 100)
    }

    /// A revision that somebody else moved, before anything of the file is told.
    @Test func nobodysChangeIsOverwrittenUnseen() throws {
        let desk = try Desk().furnished()
        let map = #","map":["$.maintenance=kill"],"platform":"ios""#
        let missing = #"{"app":"shop","document":"{\"maintenance\":true}"\#(map)}"#
        #expect(desk.ask(.post, "/api/v1/import", missing).status == 428)
        #expect(desk.ask(.post, "/api/v1/import", body(#"{"maintenance":true}"#, map, revision: 7)).status == 412)
    }

    /// A library's file stays one, also beside members of somebody's own.
    @Test(arguments: [
        (#"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":"","maintenance":true}"#, false),
        (#"{"ios":{"requiredUpdate":null,"maintenance":true}}"#, false), (#"{"ios":{}}"#, false),
        (#"{"ios":{"maintenance":true}}"#, true), (#"[{"ios":{"maintenance":true}}]"#, true), (#"{"x":1}"#, false),
    ]) func isTold(file: String, isOwn: Bool) throws {
        let desk = try Desk().furnished()
        let answer = desk.ask(.post, "/api/v1/import", body(file, #","skipInvalid":true,"dryRun":true"#))
        #expect((answer.json["takeover"] != nil) == isOwn, "\(answer.text)")
    }

    @Test(arguments: [#"{"forceUpdate":false,"maintenance":true}"#, #"{"maintenance":true,"x":1}"#])
    func whoseFileItIsMustBeSaid(file: String) throws {
        let desk = try Desk().furnished()
        let answer = desk.ask(.post, "/api/v1/import", body(file, #","dryRun":true"#))
        #expect(answer.status == 422)
        #expect(answer.json["code"]?.string == "platform_required")
        #expect(answer.json["field"]?.string == "/platform")
        try desk.ask(.post, "/api/v1/import", body(file, #","platform":"android","dryRun":true"#)).expect(200)
    }

    /// An ordinary change tells what phones get that read the app's own shape; where nothing changes for them, nothing.
    @Test func anOrdinaryChangeShowsTheDocumentsBeforeAndAfter() throws {
        let desk = try Desk().furnished()
        let path = "/api/v1/apps/shop/own-feeds/"
        try desk.ask(.put, path + "status", #"{"platform":"ios","template":"{\"off\":{\"$eval\":\"blocked\"}}"}"#).expect(200)
        try desk.ask(.put, path + "other", #"{"platform":"android","template":"{\"off\":{\"$eval\":\"blocked\"}}"}"#).expect(200)
        let kill = #""set":{"killSwitch":{"message":"m"}},"dryRun":true"#
        let planned = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill)
        try planned.expect(200)
        #expect(
            planned.json.at("plan.apps")?.text
                == #"[{"app":"shop","field":"ownFeeds.status.document","before":{"off":false},"after":{"off":true}}]"#
        )
        let hint = #""set":{"optionalUpdate":{"optionalVersion":"9","message":"m"}},"dryRun":true"#
        let quiet = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, hint)
        try quiet.expect(200)
        #expect(quiet.json.at("plan.apps")?.array?.isEmpty ?? true)
    }
}
