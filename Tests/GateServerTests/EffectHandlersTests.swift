import GateHTTP
import GateJSON
import GateModel
import Testing

@testable import GateServer

/// What a plan tells of phones, through the API.
@Suite struct EffectHandlersTests {
    private let kill = #""set":{"killSwitch":{"message":"Back at nine."}}"#

    private func shop(_ desk: Desk, _ settings: String) throws {
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", settings).expect(200)
    }

    private func rows(_ response: HTTPResponse) -> [String] {
        (response.json.at("plan.effects")?.array ?? []).map { row in
            ["client", "before", "after", "meant"].map { row[$0]?.string ?? "?" }.joined(separator: " ")
        }
    }

    @Test func aKillTellsWhomItDoesNotReachFirst() throws {
        let desk = try Desk().furnished()
        let trial = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + #","dryRun":true"#)
        try trial.expect(200)
        #expect(
            rows(trial) == [
                "prince-of-versions nothing nothing blocked", "bellerophon nothing blocked blocked", "launchgate nothing blocked blocked",
            ]
        )
        #expect(
            trial.json.at("plan.effects.0")?.object?.names == [
                "app", "platform", "client", "versions", "before", "after", "meant", "detail",
            ]
        )
        #expect(trial.json.at("plan.effects.0.app") == "shop")
        // Carried out, it tells the same.
        let done = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill)
        #expect(done.json.at("plan.effects") == trial.json.at("plan.effects"))
    }

    /// Warnings and effects of libraries that no app has are read by nobody.
    @Test func onlyTheLibrariesThatTheAppUsesSpeak() throws {
        let desk = try Desk().furnished()
        let target = #"{"app":"shop","platform":"ios","revision":2}"#
        let unknown = desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + #","dryRun":true"#)
        #expect(unknown.json.at("plan.warnings")?.array?.contains { $0["code"] == "prince_has_no_kill" } == true)
        try shop(desk, #"{"clients":["bellerophon"]}"#)
        let known = desk.change(target, kill + #","dryRun":true"#)
        #expect(rows(known) == ["bellerophon nothing blocked blocked"])
        #expect(known.json.at("plan.warnings") == .array([]))
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json.at("settings.clients") == .array(["bellerophon"]))
        #expect(desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["sparkle"]}"#).summary == "422 invalid_client /clients/0")
    }

    /// The order of texts is LaunchGate's trouble: an app without it is not refused for it.
    @Test func aVersionIsRefusedForLaunchGateWhereItIsUsed() throws {
        let desk = try Desk().furnished()
        try shop(desk, #"{"releases":["9.9.0","10.0.0"]}"#)
        let set = #""set":{"requiredUpdate":{"minimumVersion":"10.0.0","message":"Update."}},"dryRun":true"#
        #expect(desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, set).summary.hasPrefix("422 text_order"))
        try shop(desk, #"{"clients":["prince-of-versions"]}"#)
        let known = desk.change(#"{"app":"shop","platform":"ios","revision":3}"#, set)
        try known.expect(200)
        #expect(rows(known) == ["prince-of-versions nothing required required"])
    }

    /// LaunchGate's own fixture let four versions in that its feed would block: it is told, and as dangerous as a block.
    @Test func takingAFileOverTellsWhatItsPhonesMeet() throws {
        let desk = try Desk(protected: true).furnished()
        try shop(desk, #"{"releases":["1.0","1.1","1.2","1.3"],"clients":["launchgate"]}"#)
        let file =
            #"{"ios":{"alert":{"message":"Maintenance.","blocking":true},"optionalUpdate":{"optionalVersion":"1.2","message":"Try it."},"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#
        let body =
            #"{"app":"shop","document":\#(JSONValue.string(file).text),"revisions":{"ios":2},"accept":["masked_required","hidden_in_file"]"#
        let trial = desk.ask(.post, "/api/v1/import", body + #","dryRun":true}"#)
        try trial.expect(200)
        #expect(rows(trial).contains("launchgate nothing blocked blocked"))
        #expect(trial.json.at("plan.tier")?.integer ?? 0 >= 2)
        #expect(desk.ask(.post, "/api/v1/import", body + "}").summary.contains("_required"))
        // The same file over what is there already still tells that phones meet something else than today.
        try desk.ask(.post, "/api/v1/import", body + #","reason":"takeover","confirm":"\#(trial.json.at("plan.confirm")?.string ?? "")"}"#)
            .expect(200)
        let again = desk.ask(.post, "/api/v1/import", #"{"app":"shop","document":\#(JSONValue.string(file).text),"dryRun":true}"#)
        #expect(rows(again).contains("launchgate nothing blocked blocked"))
    }

    /// A part that is refused leaves its phones to the feed as it is.
    @Test func whatIsNotTakenOverIsToldToo() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/android", #"{"clients":["gandalf"]}"#).expect(200)
        let file = #"{"android":{"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#
        let trial = desk.ask(
            .post,
            "/api/v1/import",
            #"{"app":"shop","document":\#(JSONValue.string(file).text),"skipInvalid":true,"dryRun":true}"#
        )
        try trial.expect(200)
        #expect(rows(trial).contains("gandalf crash nothing nothing"))
    }

    /// An old address that goes while its phones are shut out lets them in: that is no housekeeping.
    @Test func anAddressThatGoesWhileItsPhonesAreShutOutIsAskedAbout() throws {
        let desk = try Desk(protected: true).furnished()
        try desk.ask(
            .patch,
            "/api/v1/apps/shop",
            #"{"aliases":[{"path":"/status","feed":"bellerophon.json","platform":"ios"},{"path":"/old","feed":"launchgate.json"}]}"#
        ).expect(200)
        // Nobody is shut out: it is said, and not asked.
        let quiet = desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/old","feed":"launchgate.json"}],"dryRun":true}"#)
        #expect(quiet.json.at("plan.tier")?.integer == 1)
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill + #","reason":"INC-1","confirm":"shop/ios""#).expect(200)
        let gone = #"{"aliases":[{"path":"/old","feed":"launchgate.json"}]"#
        let trial = desk.ask(.patch, "/api/v1/apps/shop", gone + #","dryRun":true}"#)
        try trial.expect(200)
        #expect(rows(trial) == ["bellerophon blocked rejected blocked"])
        #expect(trial.json.at("plan.tier")?.integer == 2)
        #expect(desk.ask(.patch, "/api/v1/apps/shop", gone + "}").summary.contains("_required"))
        #expect(desk.poll("/status").status == 200)
        try desk.ask(.patch, "/api/v1/apps/shop", gone + #","reason":"moved","confirm":"shop/ios"}"#).expect(200)
        #expect(desk.poll("/status").status == 404)
        // To another document, which its phones cannot read, is as good as gone.
        let moved = desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/old","feed":"prince-of-versions.json"}],"dryRun":true}"#)
        #expect(rows(moved).contains("launchgate blocked rejected blocked"))
    }

    @Test func aTargetThatGoesTellsWhoIsLetIn() throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, kill).expect(200)
        let gone = desk.ask(.delete, "/api/v1/apps/shop/platforms/ios", #"{"confirm":"delete shop/ios"}"#)
        #expect(rows(gone).contains("launchgate blocked rejected nothing"))
    }
}
