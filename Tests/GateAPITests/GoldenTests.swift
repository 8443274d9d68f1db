import Foundation
import GateAPI
import GateJSON
import GateModel
import Testing

/// Each body of the contract, as a file: what stands there is read, and written back as the same document, member for member.
struct GoldenTests {
    @Test(arguments: [
        ("change-request", ChangeRequest.self as any APIBody.Type),
        ("change-request-per-target", ChangeRequest.self),
        ("change-request-revert", ChangeRequest.self),
        ("change-request-over", ChangeRequest.self),
        ("setup-request", SetupRequest.self),
        ("session-request", SessionRequest.self),
        ("app-request", AppRequest.self),
        ("app-patch", AppPatch.self),
        ("settings-request", SettingsRequest.self),
        ("delete-request", DeleteRequest.self),
        ("import-request", ImportRequest.self),
        ("simulation-request", SimulationRequest.self),
        ("simulation-request-versions", SimulationRequest.self),
        ("simulation", Simulation.self),
        ("simulation-matrix", SimulationMatrix.self),
        ("apply-request", ApplyRequest.self),
        ("target", TargetBody.self),
        ("app", AppBody.self),
        ("change", Change.self),
        ("change-settings", Change.self),
        ("plan", Plan.self),
        ("problem-invalid", ProblemBody.self),
        ("problem-overridable", ProblemBody.self),
        ("problem-stale", ProblemBody.self),
        ("problem-confirmation", ProblemBody.self),
        ("problem-import", ProblemBody.self),
        ("session", SessionBody.self),
        ("session-proxy", SessionBody.self),
        ("person-proxy", Person.self),
        ("status", StatusBody.self),
        ("targets", PageBody<TargetBody>.self),
        ("apps", PageBody<AppBody>.self),
        ("changes", PageBody<Change>.self),
        ("change-result", ChangeResultBody.self),
        ("change-result-unchanged", ChangeResultBody.self),
        ("change-result-dry-run", ChangeResultBody.self),
        ("deletion-result", ChangeResultBody.self),
        ("import-result", ChangeResultBody.self),
        ("events", EventsBody.self),
        ("events-reset", EventsBody.self),
        ("export", ExportBody.self),
        ("export-of-one-app", ExportBody.self),
        ("apply-result-dry-run", ChangeResultBody.self),
        ("account", Account.self),
        ("account-sessions", PageBody<OwnSession>.self),
        ("totp-secret", TOTPSecretBody.self),
        ("recovery-codes", RecoveryCodesBody.self),
        ("people", PageBody<Person>.self),
        ("tokens", PageBody<ListedToken>.self),
        ("token-new", NewToken.self),
        ("audit", PageBody<RecordedAuditEntry>.self),
        ("user-request", UserRequest.self),
        ("user-request-invited", UserRequest.self),
        ("invited", InvitedPerson.self),
        ("invitation-request", InvitationRequest.self),
        ("user-patch", UserPatch.self),
        ("token-request", TokenRequest.self),
        ("password-request", PasswordRequest.self),
        ("reauthentication-request", ReauthenticationRequest.self),
        ("totp-confirm-request", TOTPConfirmRequest.self),
    ])
    func theBodyIsReadAndWrittenAsInTheFile(name: String, type: any APIBody.Type) throws {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Golden"))
        let text = try String(contentsOf: url, encoding: .utf8)
        let document = try JSONReader.read(text)
        #expect(try type.init(json: document).json.text == document.text)
    }

    @Test func everyGoldenFileIsTested() throws {
        let folder = try #require(Bundle.module.url(forResource: "Golden", withExtension: nil))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 60)
    }

    /// A client older than the server goes on working.
    @Test(arguments: [
        ("target", TargetBody.self as any APIBody.Type), ("app", AppBody.self), ("change", Change.self), ("plan", Plan.self),
        ("problem-stale", ProblemBody.self),
        ("session", SessionBody.self), ("status", StatusBody.self), ("changes", PageBody<Change>.self),
        ("change-result", ChangeResultBody.self),
        ("import-result", ChangeResultBody.self), ("events", EventsBody.self), ("account", Account.self),
        ("people", PageBody<Person>.self),
        ("account-sessions", PageBody<OwnSession>.self), ("token-new", NewToken.self), ("invited", InvitedPerson.self),
        ("simulation", Simulation.self), ("simulation-matrix", SimulationMatrix.self), ("session-proxy", SessionBody.self),
        ("person-proxy", Person.self),
    ])
    func anAnswerWithMoreMembersIsRead(name: String, type: any APIBody.Type) throws {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Golden"))
        let document = try JSONReader.read(String(contentsOf: url, encoding: .utf8))
        #expect(try type.init(json: Self.widened(document)).json.text == document.text)
    }

    /// Whoever has to kill or open a target with an older gatectl can do without knowing who changed it last.
    @Test(arguments: [#""kind":"set""#, #""kind":"user""#, #""source":"gatectl""#])
    func aTargetIsReadWhoseLastChangeHasANewWord(words: String) throws {
        let url = try #require(Bundle.module.url(forResource: "target", withExtension: "json", subdirectory: "Golden"))
        let known = try JSONReader.read(String(contentsOf: url, encoding: .utf8))
        let name = words.prefix { $0 != ":" }
        let document = try JSONReader.read(known.text.replacingOccurrences(of: words, with: name + #":"addedLater""#))
        #expect(document != known)
        var target = try TargetBody(json: known)
        #expect(target.lastChange != nil)
        target.lastChange = nil
        #expect(try TargetBody(json: document).json.text == target.json.text)
    }

    /// For the same reason, only the time of a target's last change has to be readable.
    @Test func aTargetIsReadWhoseLastChangeIsMalformed() throws {
        let url = try #require(Bundle.module.url(forResource: "target", withExtension: "json", subdirectory: "Golden"))
        var target = try #require(try JSONReader.read(String(contentsOf: url, encoding: .utf8)).object)
        let change = try #require(target["lastChange"]?.object)
        let whole = try TargetBody(json: .object(target))
        #expect(whole.lastChange?.json == .object(change))
        #expect(whole.target.changedAt == whole.lastChange?.at)

        var malformed = change
        malformed["requestId"] = .number("1")
        target["lastChange"] = .object(malformed)
        let read = try TargetBody(json: .object(target))
        #expect(read.lastChange == nil)
        #expect(read.target == whole.target)
        #expect(read != whole)

        malformed["at"] = .string("yesterday")
        target["lastChange"] = .object(malformed)
        #expect { try TargetBody(json: .object(target)) } throws: { ($0 as? ModelError)?.field == "/lastChange/at" }
        target["lastChange"] = .string("none")
        #expect { try TargetBody(json: .object(target)) } throws: { ($0 as? ModelError)?.field == "/lastChange" }
    }

    /// `json` with one more member in every object but those whose names are data.
    private static func widened(_ json: JSONValue, mapping: Bool = false) -> JSONValue {
        switch json {
        case .array(let items): return .array(items.map { widened($0) })
        case .object(let object):
            var wider = JSONObject()
            for (name, value) in object.members { wider[name] = widened(value, mapping: ["platforms", "message", "feeds"].contains(name)) }
            if !mapping { wider["addedLater"] = ["x": .number("1")] }
            return .object(wider)
        default: return json
        }
    }

    @Test func anAppsBodyShowsPlatformsByName() throws {
        let key = try AppKey(validating: "shop")
        func target(_ platform: PlatformKey) -> Target {
            let time = Timestamp(milliseconds: 0)
            let key = TargetKey(app: key, platform: platform)
            return Target(key: key, settings: .standard(for: platform), gate: .open, revision: 1, sequence: 1, since: time, changedAt: time)
        }
        let app = App(
            key: key,
            name: "Shop",
            aliases: [Alias(path: "/config.json", feed: .library(.launchgate), platform: nil)],
            platforms: [.ios: target(.ios), .android: target(.android)]
        )
        let document =
            #"{"key":"shop","name":"Shop","aliases":[{"path":"/config.json","feed":"launchgate.json"}],"platforms":{"#
            + #""android":{"versionScheme":"code","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null},"#
            + #""ios":{"versionScheme":"dotted","storeURL":null,"releases":[],"defaultRetryInterval":15,"clients":null}}}"#
        #expect(AppBody(app).json.text == document)
    }

    @Test func aTierAboveOursIsTheMostDangerousOne() throws {
        let plan = try Plan(json: JSONReader.read(#"{"tier":9,"confirm":"x","reasonRequired":true,"diff":[],"warnings":[]}"#))
        #expect(plan.tier == .many)
    }
}
