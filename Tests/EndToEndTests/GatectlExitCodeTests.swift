import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Each exit code, by the real program against the real server. 1, 7 and 130 are with the outcomes that they tell.
struct GatectlExitCodeTests {
    @Test func aChangeAndTheSameChangeAgainBothExitWith0() async throws {
        let gatectl = try await Gatectl.withShop()
        let first = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json")
        #expect(first.status == 0)
        #expect(try first.json()["changed"] == .bool(true))
        let again = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--json")
        #expect(again.status == 0)
        #expect(try again.json()["changed"] == .bool(false))
        #expect(try again.json()["revision"]?.integer == 2)
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    @Test func noAtThePromptExitsWith2() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.")
        try terminal.expect("Block shop/ios? [y/N]")
        terminal.type("n\n")
        #expect(try terminal.finish() == 2)
        #expect(terminal.transcript.contains("nothing was changed"))
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func theEndOfTheInputAtThePromptIsANo() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.")
        try terminal.expect("[y/N]")
        terminal.type("\u{4}")
        #expect(try terminal.finish() == 2)
    }

    @Test func aMissingConfirmationExitsWith3AndShowsTheCommand() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back soon.")
        #expect(outcome.status == 3)
        #expect(outcome.err.contains("run: gatectl kill shop ios -m 'Back soon.' -y\n"))
        #expect(outcome.out == "")
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func aWrongTokenAndNoTokenExitWith4() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("status", with: ["GATECTL_TOKEN": "gate_wrong"]).status == 4)
        let none = try await gatectl("status", with: ["GATECTL_TOKEN": ""])
        #expect(none.status == 4)
        #expect(none.err.contains("no token is set for \(gatectl.server.admin) (server from GATECTL_SERVER)"))
        #expect(try await gatectl("status", with: ["GATECTL_SERVER": ""]).status == 4)
    }

    @Test func anotherRevisionExitsWith5AndSaysWhoWasFaster() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("alert", "shop", "ios", "-m", "One.").status == 0)
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--if-revision", "1")
        #expect(outcome.status == 5)
        #expect(outcome.err.contains("shop/ios changed while you were working (you saw revision 1, now 2, by ci "))
        #expect(outcome.err.contains("now: gatectl diff shop ios 1 2"))
        #expect(try await gatectl.revision("shop/ios") == 2)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--if-revision", "2").status == 0)
    }

    @Test func whatIsNotThereExitsWith6AndIsSuggested() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let cases: [(arguments: [String], words: String)] = [
            (["kill", "shpo", "ios", "-m", "x", "-y"], "Did you mean shop?"),
            (["kill", "shop", "ois", "-m", "x", "-y"], "Did you mean ios?"),
            (["open", "shop", "ios,windows"], "shop has no platform windows"),
            (["status", "shpo"], "Did you mean shop?"),
            (["history", "shpo"], "Did you mean shop?"),
            (["feed", "shop", "watchos"], "it has: android, ios"),
            (["rollback", "shop", "ios", "--to", "9", "-y"], "revision 9"),
            (["diff", "shop", "ios", "9"], "no revision 9"),
            (["apps", "remove", "shpo"], "Did you mean shop?"),
            (["apps", "set", "shop", "--remove-alias", "/x.json"], "no alias at /x.json"),
            (["status", "--context", "prod"], "there is no context prod"),
        ]
        for (arguments, words) in cases {
            let outcome = try await gatectl(arguments)
            #expect(outcome.status == 6, "\(arguments): \(outcome)")
            #expect(outcome.err.contains(words), "\(arguments): \(outcome)")
        }
        #expect(try await gatectl.sequence() == before)
    }

    @Test func refusedInputExitsWith8AndChangesNothing() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let cases = [
            ["require", "shop", "ios", "4.x", "-m", "Update.", "-y"],
            ["require", "shop", "android", "1.1", "-m", "Update.", "-y"],
            ["kill", "shop", "ios", "-m", "", "-y"],
            ["kill", "shop", "ios", "-m", "x", "--retry", "2s", "-y"],
            ["kill", "shop", "ios", "-m", "@/no/such/file", "-y"],
            ["import", "shop", "-f", "/no/such/file", "-y"], ["apply", "-f", "/no/such/file", "-y"], ["validate", "-f", "/no/such/file"],
            ["apps", "add", "shop", "--name", "Other"],
            ["apps", "add", "Shop!", "--name", "Shop"],
            ["apps", "add", "bank", "--name", "Bank", "--platforms", "ios2"],
            ["apps", "set", "shop", "--platform", "ios", "--store-url", "http://example.com"],
        ]
        for arguments in cases {
            let outcome = try await gatectl(arguments)
            #expect(outcome.status == 8, "\(arguments): \(outcome)")
            #expect(outcome.err.hasPrefix("error: ") || outcome.err.contains("\nerror: "), "\(arguments): \(outcome)")
        }
        #expect(try await gatectl.sequence() == before)
    }

    @Test func differencesAndABlockedTargetExitWith10() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("status", "--exit-code").status == 0)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y").status == 0)
        #expect(try await gatectl("status", "--exit-code").status == 10)
        #expect(try await gatectl("status", "shop", "android", "--exit-code").status == 0)
        #expect(try await gatectl("diff", "shop", "ios", "1").status == 10)
        #expect(try await gatectl("diff", "shop", "ios", "2").status == 0)
    }

    /// An older database in the place of the real one serves old gates: that a file says the same is no good news.
    @Test func noDifferenceToADegradedServerExitsWith1() async throws {
        let gatectl = try await Gatectl.withShop()
        let server = gatectl.server
        _ = await server.stop()
        let (database, old) = (server.data + "/gatehouse.sqlite", gatectl.home.path + "/old.sqlite")
        try FileManager.default.copyItem(atPath: database, toPath: old)
        try await server.start()
        _ = try await server.client().kill("Back.", at: 1)
        _ = await server.stop()
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.copyItem(atPath: old, toPath: database)
        try await server.start()
        #expect(try await server.checked().state == .degraded)
        let address = ["GATECTL_SERVER": server.admin]
        let file = try gatectl.home.file("gates.json", try await gatectl("export", with: address).out)

        for words in [["diff", "-f", file], ["diff", "shop", "ios", "1"]] {
            let diff = try await gatectl(words, with: address)
            #expect(diff.status == 1, "\(diff)")
            #expect(diff.out.contains("the same"), "\(diff)")
            #expect(diff.err.contains("warning: the server is degraded: ") && diff.err.contains("that proves nothing"), "\(diff)")
            let json = try await gatectl(words + ["--json"], with: address)
            #expect(json.status == 1 && json.err == "", "\(json)")
            #expect(try json.json()["different"]?.bool == false)
            #expect(try json.json()["health.state"]?.string == "degraded")
        }
        for words in [
            ["apps", "add", "bank", "ios"], ["apps", "set", "shop", "--name", "Bazaar"], ["tokens", "add", "ci"],
            ["users", "remove", "admin"], ["schedule", "add", "shop", "ios", "--from", "2030-01-01T09:00:00Z", "--", "kill", "-m", "x"],
        ] {
            var words = words
            words.insert("-n", at: words.firstIndex(of: "--") ?? words.endIndex)
            let dry = try await gatectl(words, with: address)
            #expect(dry.err.contains("warning: the server is degraded: "), "\(words): \(dry)")
        }
    }

    @Test func wrongUsageExitsWith64() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let cases = [
            ["kill", "shop"], ["kill", "shop", "ios"], ["kil", "shop", "ios", "-m", "x"], ["status", "--watch", "--exit-code"],
            ["rollback", "shop", "ios"],
            ["rollback", "shop", "ios", "--last", "--to", "3"], ["force", "shop", "ios", "--on", "-m", "x"], ["force", "shop", "ios"],
            ["require", "shop", "ios"], ["alert", "shop", "ios", "--clear", "-m", "x"], ["status", "--json", "-o", "table"],
            ["history", "--limit", "0"],
            ["history", "--since", "yesterday"], ["status", "--timeout", "10"], ["kill", "shop", "ios", "-m", "x", "--token", "gate_x"],
            ["apps", "set", "shop"], ["open", "shop", "all", "--if-revision", "3"],
            ["apply"], ["apply", "-f", "x", "--if-revision", "3"], ["diff"], ["diff", "shop"], ["help", "nothing"],
        ]
        for arguments in cases {
            let outcome = try await gatectl(arguments)
            #expect(outcome.status == 64, "\(arguments): \(outcome)")
            #expect(outcome.out == "", "\(arguments): \(outcome)")
        }
        #expect(try await gatectl.sequence() == before)
    }
}
