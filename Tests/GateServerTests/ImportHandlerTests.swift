import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

@Suite struct ImportHandlerTests {
    /// The document as a JSON string inside the body.
    private func body(_ document: String, _ rest: String = "") -> String {
        #"{"app":"shop","document":\#(JSONValue.string(document).text)\#(rest)}"#
    }

    private let good = #"{"ios":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update."}}}"#
    /// A dotted version for Android, which Gandalf up to 1.4.0 crashes on.
    private let half =
        #"{"ios":{"optionalUpdate":{"optionalVersion":"4.3.0","message":"4.3 is out."}},"android":{"requiredUpdate":{"minimumVersion":"1.1","message":"Please update."}}}"#

    private func post(_ desk: Desk, _ body: String, as who: Desk.Who = .operator, headers: HTTPHeaders = [:]) -> HTTPResponse {
        desk.ask(.post, "/api/v1/import", body, as: who, headers: headers)
    }

    @Test func aFileIsTakenOverAsAChange() throws {
        let desk = try Desk().furnished()
        let trial = post(desk, body(good, #","dryRun":true"#))
        #expect(trial.json.names == ["plan", "refused"])
        #expect(trial.json.at("plan.diff.0.field") == "requiredUpdate.minimumVersion")
        #expect(desk.ledger.sequence == 5)

        let response = post(desk, body(good, #","revisions":{"ios":1},"reason":"takeover""#))
        #expect(response.status == 200)
        #expect(response.json.names == ["changed", "change", "plan", "refused"])
        #expect(response.json.at("change.kind") == "import")
        #expect(response.json.at("change.reason") == "takeover")
        #expect(response.json.at("refused") == .array([]))
        #expect(
            desk.poll("/feeds/shop/launchgate.json").text
                == #"{"ios":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update."}},"android":{}}"#
        )
        #expect(post(desk, body(good, #","revisions":{"ios":2}"#)).json["changed"] == .bool(false))
    }

    @Test func aPartThatCannotBePublishedIsRefusedByPathAndValue() throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        for rest in [#","dryRun":true"#, #","revisions":{"ios":1,"android":1}"#] {
            let response = post(desk, body(half, rest))
            #expect(response.summary == "422 invalid_import /document")
            #expect(response.json.at("refused")?.array?.count == 1)
            #expect(response.json.at("refused.0.path") == "android.requiredUpdate.minimumVersion")
            #expect(response.json.at("refused.0.value") == "1.1")
            #expect(response.json.at("refused.0.code") == "invalid_version")
            #expect(response.json.at("refused.0.detail")?.string?.isEmpty == false)
            #expect(try desk.state() == before)
        }
    }

    /// Whose names speak, so that it would become a feed of the app's own shape.
    @Test(arguments: ["", #","map":["$.apps[0].platforms.ios.gate.killSwitch.message=kill.message"]"#, #","format":"own""#])
    func anExportIsNoFileThatPhonesPoll(rest: String) throws {
        let desk = try Desk().furnished()
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":1}"#,
            #""set":{"killSwitch":{"message":"Back at nine."}},"confirm":"shop/ios","reason":"storage""#
        ).expect(200)
        let export = desk.ask(.get, "/api/v1/export", as: .operator).text
        let before = try desk.state()
        for trial in [#","dryRun":true"#, ""] {
            let response = post(desk, body(export, rest + trial), as: .admin)
            #expect(response.summary == "422 export_document /document")
            #expect(response.json.at("detail")?.string?.contains("gatectl apply") == true)
        }
        #expect(try desk.state() == before)
    }

    /// One of more members than other documents may have.
    @Test func aLargeExportIsKnownToo() throws {
        let desk = try Desk().furnished()
        let gate = #"{"killSwitch":{"message":"Back at nine.","retryInterval":15}}"#
        let apps = (0..<400).map { #"{"key":"app-\#($0)","name":"A","aliases":[],"platforms":{"ios":{"gate":\#(gate)}}}"# }
        let export = #"{"schema":"gatehouse/export/v1","apps":[\#(apps.joined(separator: ","))]}"#
        #expect(post(desk, body(export, #","dryRun":true"#), as: .admin).summary == "422 export_document /document")
    }

    @Test func withSkipInvalidTheRestIsTaken() throws {
        let desk = try Desk().furnished()
        let response = post(desk, body(half, #","skipInvalid":true,"revisions":{"ios":1,"android":1}"#))
        #expect(response.json["changed"] == .bool(true))
        #expect(response.json.at("refused.0.path") == "android.requiredUpdate.minimumVersion")
        #expect(response.json.at("change.targets")?.array?.count == 1)
        #expect(
            desk.poll("/feeds/shop/launchgate.json").text
                == #"{"ios":{"optionalUpdate":{"optionalVersion":"4.3.0","message":"4.3 is out."}},"android":{}}"#
        )
    }

    /// A lint refuses what the rule's own form allows; the rest can still be taken.
    @Test func whatALintRefusesIsLeftOutOrAccepted() throws {
        let desk = try Desk().furnished()
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["1.9.0","1.10.0"]}"#).expect(200)
        let file = #"{"ios":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"a"},"alert":{"message":"b","blocking":false}}}"#
        let refused = post(desk, body(file, #","revisions":{"ios":2}"#))
        #expect(refused.summary == "422 invalid_import /document")
        #expect(refused.json.at("refused.0.path") == "ios.requiredUpdate.minimumVersion")
        #expect(refused.json.at("refused.0.value") == "1.10.0")
        #expect(refused.json.at("refused.0.code") == "text_order")
        #expect(refused.json.at("refused.0.overridable") == .bool(true))
        #expect(refused.json["overridable"] == nil, "the file as a whole is nothing that accept could name")
        let skipped = post(desk, body(file, #","revisions":{"ios":2},"skipInvalid":true,"dryRun":true"#))
        #expect(skipped.json.at("plan.diff")?.array?.map { $0["field"]?.string } == ["alert.message", "alert.blocking"])
        let accepted = post(desk, body(file, #","revisions":{"ios":2},"accept":["text_order"]"#))
        #expect(accepted.json.at("change.reason") == "(accepted: text_order)")
        #expect(accepted.json.at("change.targets.0.after.requiredUpdate.minimumVersion") == "1.10.0")
    }

    /// LaunchGate never looks at an alert beside an update, so the one in the file blocks nobody until somebody says that it shall.
    @Test func anAlertThatNobodySeesIsLeftOutOrAccepted() throws {
        let desk = try Desk().furnished()
        let file =
            #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"a"},"alert":{"message":"b","blocking":true}}}"#
        let refused = post(desk, body(file, #","revisions":{"ios":1}"#))
        #expect(refused.summary == "422 invalid_import /document")
        #expect(refused.json.at("refused")?.array?.count == 1)
        #expect(refused.json.at("refused.0.path") == "ios.alert")
        #expect(refused.json.at("refused.0.code") == "hidden_in_file")
        #expect(refused.json.at("refused.0.overridable") == .bool(true))
        let skipped = post(desk, body(file, #","revisions":{"ios":1},"skipInvalid":true,"dryRun":true"#))
        #expect(
            skipped.json.at("plan.diff")?.array?.map { $0["field"]?.string } == ["requiredUpdate.minimumVersion", "requiredUpdate.message"]
        )
        let accepted = post(desk, body(file, #","revisions":{"ios":1},"accept":["hidden_in_file"]"#))
        #expect(accepted.json.at("change.reason") == "(accepted: hidden_in_file)")
        #expect(accepted.json.at("change.targets.0.after.alert.blocking") == .bool(true))
    }

    /// The example model drops a status without an interval, so this file blocks nobody until somebody says that it shall.
    @Test func aKillSwitchThatNobodySeesIsLeftOutOrAccepted() throws {
        let desk = try Desk().furnished()
        let file = #"{"apiInactive":true,"forceUpdate":false,"userMessage":"Down."}"#
        let skipped = post(desk, body(file, #","revisions":{"ios":1},"skipInvalid":true,"dryRun":true"#))
        #expect(skipped.json.at("refused")?.array?.map { $0["code"]?.string } == ["invalid_retry_interval", "hidden_in_file"])
        #expect(skipped.json.at("refused.1.path") == "apiInactive")
        #expect(skipped.json.at("plan.diff") == .array([]))
        let accepted = post(desk, body(file, #","revisions":{"ios":1},"skipInvalid":true,"accept":["hidden_in_file"]"#))
        #expect(accepted.json.at("change.targets.0.after.killSwitch.message") == "Down.")
    }

    /// 404, 428, 412 before what the file says, as for every change.
    @Test func revisionsComeBeforeTheFile() throws {
        let desk = try Desk().furnished()
        for document in [good, half] {
            #expect(post(desk, body(document)).summary == "428 revision_required /revisions/\(document == good ? "ios" : "android")")
            let stale = post(desk, body(document, #","revisions":{"ios":7,"android":1}"#))
            #expect(stale.summary == "412 stale_revision /revisions/ios")
            #expect(stale.json.at("current.revision") == .integer(1))
        }
        #expect(post(desk, body(good, #","revisions":{"ios":9},"dryRun":true"#)).summary == "412 stale_revision /revisions/ios")
        #expect(post(desk, body(good).replacing(#""app":"shop""#, with: #""app":"none""#)).summary == "404 app_not_found")
        #expect(post(desk, body(good, #","platform":"tv""#)).summary == "404 target_not_found /platform")
        #expect(post(desk, body(good, #","revisions":{"ios2":1}"#)).status == 404)
        #expect(desk.ledger.sequence == 5)
    }

    @Test func platformsThatTheFileLacksStay() throws {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"android","revision":1}"#, #""set":{"alert":{"message":"a","blocking":true}}"#).expect(
            200
        )
        try post(desk, body(good, #","revisions":{"ios":1}"#)).expect(200)
        #expect(desk.ask(.get, "/api/v1/targets/shop/android").json.at("gate.alert.message") == "a")
    }

    @Test func aBellerophonFileMeansIOSUnlessSaid() throws {
        let desk = try Desk().furnished()
        let file = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Down."}"#
        let ios = post(desk, body(file, #","revisions":{"ios":1}"#))
        #expect(ios.json.at("change.targets.0.platform") == "ios")
        let android = post(desk, body(file, #","platform":"android","format":"bellerophon","revisions":{"android":1}"#))
        #expect(android.json.at("change.targets.0.platform") == "android")
        #expect(
            desk.poll("/feeds/shop/android/bellerophon.json").text
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Down."}"#
        )
    }

    /// An interval of its own is a setting, which only an administrator may change.
    @Test func aFileThatBringsSettingsIsAnAdministrators() throws {
        let desk = try Desk().furnished()
        let file = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":""}"#
        #expect(post(desk, body(file, #","revisions":{"ios":1}"#)).summary == "403 forbidden")
        let response = post(desk, body(file, #","revisions":{"ios":1}"#), as: .admin)
        #expect(response.status == 200)
        #expect(
            desk.poll("/feeds/shop/ios/bellerophon.json").text
                == #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":""}"#
        )
    }

    @Test func anImportOfSeveralTargetsWantsItsPhrase() throws {
        let desk = try Desk().furnished()
        let file = #"{"ios":{"alert":{"message":"a","blocking":true}},"android":{"alert":{"message":"b","blocking":true}}}"#
        let refused = post(desk, body(file, #","revisions":{"ios":1,"android":1}"#))
        #expect(refused.summary == "422 confirmation_required /confirm")
        #expect(refused.json.at("plan.confirm") == "import 2 targets")
        #expect(post(desk, body(file, #","revisions":{"ios":1,"android":1},"confirm":"import 2 targets""#)).status == 200)
    }

    @Test func anImportIsRepeatedUnderItsKeyWhateverHappenedSince() throws {
        let desk = try Desk().furnished()
        let request = body(good, #","revisions":{"ios":1}"#)
        let first = post(desk, request, headers: ["Idempotency-Key": "k"])
        #expect(first.status == 200)
        try desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["10.0.0"]}"#).expect(200)
        let second = post(desk, request, headers: ["Idempotency-Key": "k"])
        #expect((second.status, second.body) == (first.status, first.body))
        #expect(desk.ledger.sequence == 7)
        try desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop"}"#).expect(200)
        let third = post(desk, request, headers: ["Idempotency-Key": "k"])
        #expect((third.status, third.body) == (first.status, first.body))
    }

    @Test(arguments: ["", "kill", "[]", "{}", #"{"a":1}"#, #"{"ios":{},"ios":{}}"#, "\u{FEFF}{}"]) func whatIsNoFileOfAnyLibraryIsRefused(
        document: String
    ) throws {
        let desk = try Desk().furnished()
        #expect(post(desk, body(document, #","dryRun":true"#)).summary == "422 invalid_document /document")
        #expect(desk.ledger.sequence == 5)
    }
}
