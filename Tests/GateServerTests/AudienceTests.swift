import GateHTTP
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateServer

/// Of which libraries a plan speaks: polls say which documents are read.
@Suite struct AudienceTests {
    private let kill = #""set":{"killSwitch":{"message":"Back at nine."}},"dryRun":true"#

    private func plan(_ desk: Desk, _ platform: String = "ios") -> HTTPResponse {
        let revision = desk.ask(.get, "/api/v1/targets/shop/\(platform)").json.at("revision")?.integer ?? 0
        return desk.change(#"{"app":"shop","platform":"\#(platform)","revision":\#(revision)}"#, kill)
    }

    private func clients(_ plan: HTTPResponse) -> Set<String> {
        Set((plan.json.at("plan.effects")?.array ?? []).compactMap { $0["client"]?.string })
    }

    private func codes(_ plan: HTTPResponse) -> [String] { (plan.json.at("plan.warnings")?.array ?? []).compactMap { $0["code"]?.string } }

    private func detail(_ code: String, _ plan: HTTPResponse) -> String {
        (plan.json.at("plan.warnings")?.array ?? []).first { $0["code"]?.string == code }?["detail"]?.string ?? ""
    }

    @Test func withoutPollsEverybodySpeaks() throws {
        let desk = try Desk().furnished()
        #expect(clients(plan(desk)) == ["bellerophon", "launchgate", "prince-of-versions"])
        #expect(!codes(plan(desk)).contains("client_not_polled"))
    }

    @Test(arguments: [
        ("/feeds/shop/ios/bellerophon.json", ["bellerophon"], "LaunchGate and Prince of Versions"),
        ("/feeds/shop/launchgate.json", ["launchgate"], "Bellerophon and Prince of Versions"),
        ("/feeds/shop/prince-of-versions.json", ["prince-of-versions"], "Bellerophon and LaunchGate"),
    ])
    func onlyWhatIsPolledSpeaksAndTheRestIsOneLine(path: String, speaking: [String], silent: String) throws {
        let desk = try Desk().furnished()
        try desk.countPoll(path)
        #expect(clients(plan(desk)) == Set(speaking))
        #expect(detail("client_not_polled", plan(desk)).contains(silent))
        #expect(codes(plan(desk)).filter { $0 == "client_not_polled" }.count == 1)
        #expect(codes(plan(desk)).contains("prince_has_no_kill") == speaking.contains("prince-of-versions"))
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").json.at("reach.feeds")?.array?.count == 1)
    }

    /// A document that holds everybody's keys says nothing of who reads it, and the native one is looked at by dashboards.
    @Test(arguments: ["combined", "gate"]) func documentsOfEverybodySilenceNobody(name: String) throws {
        let desk = try Desk().furnished()
        try desk.countPoll("/feeds/shop/ios/\(name).json")
        #expect(clients(plan(desk)) == ["bellerophon", "launchgate", "prince-of-versions"])
        #expect(!codes(plan(desk)).contains("client_not_polled"))
    }

    /// One address for an app's phones on all platforms is that of some platform's combined document, and whose phones poll it nobody
    /// knows.
    @Test func theCombinedDocumentOfAnotherPlatformHasReadersOfThisOne() throws {
        let desk = try Desk().furnished()
        try desk.countPoll("/feeds/shop/prince-of-versions.json")
        #expect(clients(plan(desk, "android")) == ["prince-of-versions"])
        try desk.countPoll("/feeds/shop/ios/combined.json")
        // Bellerophon's status in it is that of iOS.
        #expect(clients(plan(desk, "android")) == ["gandalf", "prince-of-versions"])
        #expect(detail("client_not_polled", plan(desk, "android")).contains("leaves out Bellerophon on shop/android"))
    }

    /// Whose phones poll it nobody knows, and they lose their objects and lists with it, although nothing else of theirs changes.
    @Test(arguments: ["delete", "apply"]) func aPlatformThatGoesTakesItsCombinedDocumentFromPhonesOfTheOthers(way: String) throws {
        let desk = try Desk().furnished()
        try desk.change(
            #"{"app":"shop","platform":"android","revision":1}"#,
            #""set":{"killSwitch":{"message":"Back at nine."}}"#
        ).expect(200)
        let left = #"{"android":{"gate":{"killSwitch":{"message":"Back at nine.","retryInterval":15}}}}"#
        let document = #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"shop","platforms":\#(left)}]}"#
        func android() throws -> [String] {
            let plan =
                way == "delete"
                ? desk.ask(.delete, "/api/v1/apps/shop/platforms/ios", #"{"dryRun":true}"#)
                : desk.ask(.post, "/api/v1/apply", #"{"document":\#(document),"prune":true,"dryRun":true}"#)
            try plan.expect(200)
            let effects = (plan.json.at("plan.effects")?.array ?? []).filter { $0["platform"]?.string == "android" }
            return effects.map { "\($0["client"]?.string ?? "") \($0["before"]?.string ?? "") \($0["after"]?.string ?? "")" }
        }
        #expect(try android() == [])
        try desk.countPoll("/feeds/shop/android/combined.json")
        #expect(try android() == [])
        try desk.countPoll("/feeds/shop/ios/combined.json")
        #expect(try android() == ["gandalf blocked rejected", "prince-of-versions nothing rejected"])
    }

    /// Settings alter feeds, too: what their plan leaves out is said as in the plan of a gate.
    @Test func aPlanOfSettingsSaysWhomItLeavesOut() throws {
        let desk = try Desk().furnished()
        try desk.countPoll("/feeds/bank/ios/bellerophon.json")
        // Where no rule is in force, settings show nobody anything, and adding a release is asked about by nothing.
        #expect(codes(desk.ask(.put, "/api/v1/apps/bank/platforms/ios", #"{"releases":["1.1"],"dryRun":true}"#)) == [])
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":1}"#,
            #""set":{"forceUpdate":{"message":"Please update."}}"#
        ).expect(200)
        let releases = #"{"releases":["1.1","1.2"],"dryRun":true}"#
        func plan() -> HTTPResponse { desk.ask(.put, "/api/v1/apps/shop/platforms/ios", releases) }
        #expect(clients(plan()) == ["launchgate", "prince-of-versions"])
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        #expect(clients(plan()) == [])
        #expect(detail("client_not_polled", plan()).contains("LaunchGate and Prince of Versions"))
    }

    @Test func aDayLaterEverybodySpeaksAgain() throws {
        let desk = try Desk().furnished()
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        desk.clock.advance(seconds: 86_399)
        #expect(clients(plan(desk)) == ["bellerophon"])
        desk.clock.advance(seconds: 1)
        #expect(clients(plan(desk)) == ["bellerophon", "launchgate", "prince-of-versions"])
    }

    @Test func aLibraryThatIsPolledAndNotNamedIsTold() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["launchgate"]}"#).expect(200)
        try desk.countPoll("/feeds/shop/launchgate.json")
        #expect(codes(plan(desk)).filter { $0.hasPrefix("client_") } == [])
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        #expect(clients(plan(desk)) == ["launchgate"])
        #expect(detail("client_not_listed", plan(desk)).contains("bellerophon.json of shop/ios"))
        // Where the setting is made, too.
        let settings = desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["launchgate","prince-of-versions"],"dryRun":true}"#)
        #expect(codes(settings).contains("client_not_listed"))
        // Another setting is saved without a word of it.
        let link = desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"storeURL":"https://apps.example/1","dryRun":true}"#)
        #expect(codes(link).filter { $0.hasPrefix("client_") } == [])
    }

    /// A document of the whole app may be another platform's: somebody there who is known to read it explains the poll, and so does a
    /// platform of which nothing is known.
    @Test(arguments: [("null", false), (#"["gandalf"]"#, false), (#"["prince-of-versions"]"#, true)])
    func anotherPlatformMayBeWhoPolls(clients: String, isTold: Bool) throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["bellerophon"]}"#).expect(200)
        try desk.ask(.put, "/api/v1/apps/shop/platforms/android", #"{"clients":\#(clients),"releases":["1"]}"#).expect(200)
        try desk.countPoll("/feeds/shop/launchgate.json")
        #expect(codes(plan(desk)).contains("client_not_listed") == isTold)
    }

    /// Phones that poll a file elsewhere are not seen here until it is taken over.
    @Test func aFileThatIsTakenOverIsToldToItsReadersUnseen() throws {
        let desk = try Desk().furnished()
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        let file = #"{"ios":{"alert":{"message":"Maintenance.","blocking":true}}}"#
        let trial = desk.ask(.post, "/api/v1/import", #"{"app":"shop","document":\#(JSONValue.string(file).text),"dryRun":true}"#)
        try trial.expect(200)
        #expect(clients(trial).contains("prince-of-versions"))
    }

    /// The preview begins with a library that phones have.
    @Test func aPhoneIsShownWithALibraryThatIsPolled() throws {
        let desk = try Desk().furnished()
        let question = #"{"app":"shop","platform":"ios","version":"1.0","set":{"killSwitch":{"message":"Back at nine."}}}"#
        let first = desk.ask(.post, "/api/v1/simulate", question).json.at("client")
        #expect(first == "bellerophon")
        try desk.countPoll("/feeds/shop/launchgate.json")
        #expect(desk.ask(.post, "/api/v1/simulate", question).json.at("client") == "launchgate")
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"clients":["bellerophon"]}"#).expect(200)
        #expect(desk.ask(.post, "/api/v1/simulate", question).json.at("client") == "bellerophon")
    }

    /// A refusal protects phones that nobody has seen: it is lifted by naming the libraries, not by a quiet day.
    @Test func noPollsLiftNoRefusal() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["9.9.0","10.0.0"]}"#).expect(200)
        try desk.countPoll("/feeds/shop/ios/bellerophon.json")
        let set = #""set":{"requiredUpdate":{"minimumVersion":"10.0.0","message":"Update."}},"dryRun":true"#
        #expect(desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, set).summary.hasPrefix("422 text_order"))
    }
}
