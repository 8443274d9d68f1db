import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

/// Taking over the file that an app polls.
struct GatectlImportTests {
    /// The shape of the cross-platform file that LaunchGate's own documentation shows: its Android version is dotted.
    private static let crossPlatform = """
        {"ios": {"requiredUpdate": {"minimumVersion": "1.1", "message": "An update is required."}},
         "android": {"requiredUpdate": {"minimumVersion": "1.1", "message": "An update is required."}}}
        """

    @Test func whatCannotBePublishedIsRefusedByPathValueAndReason() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let outcome = try await gatectl("import", "shop", "-f", "-", "-y", input: Self.crossPlatform)
        #expect(outcome.status == 8)
        #expect(outcome.err.contains(#"refused: android.requiredUpdate.minimumVersion = "1.1": "#), "\(outcome)")
        #expect(outcome.err.contains("invalid_version"))
        #expect(try await gatectl.sequence() == before)
        let document = try await gatectl("import", "shop", "-f", "-", "-y", "--json", input: Self.crossPlatform).errorJSON()
        #expect(document["refused.0.path"]?.string == "android.requiredUpdate.minimumVersion")
        #expect(document["refused.0.value"]?.string == "1.1")
    }

    @Test func theRestIsTakenWhenAsked() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("import", "shop", "-f", "-", "-y", "--skip-invalid", "--json", input: Self.crossPlatform)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.json()["refused.0.path"]?.string == "android.requiredUpdate.minimumVersion")
        #expect(try outcome.json()["target"]?.string == "shop/ios")
        #expect(
            try await gatectl.server.feedText("/feeds/shop/launchgate.json")
                == #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"An update is required."}},"android":{}}"#
        )
    }

    @Test func aNullMessageOfABellerophonFileIsPublishedAsAnEmptyOne() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = #"{"apiInactive": false, "forceUpdate": false, "retryInterval": 30, "userMessage": null}"#
        let outcome = try await gatectl("import", "shop", "-f", "-", "-y", input: file)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await gatectl.server.feedText("/feeds/shop/ios/bellerophon.json").contains(#""userMessage":"""#))
    }

    @Test func aPersonSeesThePlanAndIsAsked() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("config.json", #"{"ios":{"alert":{"message":"Hello.","blocking":false}}}"#)
        let terminal = try gatectl.onTerminal("import", "shop", "-f", file, with: ["NO_COLOR": "1"])
        try terminal.expect("○ OPEN → ◆ NOTICE")
        try terminal.expect(#"+ alert.message: "Hello.""#)
        try terminal.expect("Import into shop/ios? [y/N] ")
        terminal.type("y\n")
        try terminal.expect("◆ NOTICE  shop/ios  revision 2")
        #expect(try terminal.finish() == 0)
    }

    @Test func withoutATerminalAndAYesNothingIsWritten() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("import", "shop", "-f", "-", input: #"{"ios":{"alert":{"message":"Hello.","blocking":false}}}"#)
        #expect(outcome.status == 3)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func whatIsNoFileOfAClientIsRefused() async throws {
        let gatectl = try await Gatectl.withShop()
        for text in ["", "[]", "<html>", #"{"a":1}"#, #"{"ios":{},"ios":{}}"#] {
            let outcome = try await gatectl("import", "shop", "-f", "-", "-y", input: text)
            #expect(outcome.status == 8, "\(text): \(outcome)")
        }
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func theSameFileTwiceChangesOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = #"{"ios":{"optionalUpdate":{"optionalVersion":"4.3.0","message":"New."}}}"#
        #expect(try await gatectl("import", "shop", "-f", "-", "-y", input: file).status == 0)
        let again = try await gatectl("import", "shop", "-f", "-", "-y", "--json", input: file)
        #expect(try again.json()["changed"] == .bool(false))
        #expect(try await gatectl("import", "shop", "-f", "-", "-y", input: file).out == "no change\n")
        #expect(try await gatectl.revision("shop/ios") == 2)
    }
}
