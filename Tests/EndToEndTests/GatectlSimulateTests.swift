import GateJSON
import GateModel
import GateTesting
import Testing

/// What phones show, asked from the command line, over a real server.
struct GatectlSimulateTests {
    @Test func everyLibraryOfThePlatformIsToldOf() async throws {
        let gatectl = try await Gatectl.withShop()
        let killed = try await gatectl("kill", "shop", "ios", "-m", "Back at 09:30.", "-y")
        #expect(killed.status == 0, "\(killed)")
        let shown = try await gatectl("simulate", "shop", "ios", "--version", "4.1.0")
        #expect(
            shown.out == """
                shop/ios version 4.1.0, revision 2
                ■ BLOCKED  Bellerophon
                  Users see: “Back at 09:30.”
                  Shows the block: forced update is off. The phone asks again every 15 s.
                ■ BLOCKED  LaunchGate
                  Users see: “Back at 09:30.”
                  Shows the block as an alert that cannot be dismissed. It stays up after you open, until the app is restarted.
                ○ OPEN  Prince of Versions
                  Shows nothing: version 4.1.0 gets in.
                  Not shown: killSwitch. Prince of Versions has no word for the kill switch.

                """
        )
        let one = try await gatectl("simulate", "shop", "ios", "--version", "4.1.0", "--client", "launchgate", "--json").json()
        #expect(one["items.0.outcome"] == .string("blocked"))
        #expect(one["items.0.clients.0"] == .string("bellerophon"))
        #expect(one["items"]?.array?.count == 1)
        #expect(
            try await gatectl("simulate", "shop", "ios", "--version", "4.1.0", "--client", "launchgate", "-o", "plain").out
                == "launchgate\tblocked\tkillSwitch\tBack at 09:30.\t\n"
        )
    }

    @Test func aFileATimeAndAPhoneThatHasSeenItAreLookedAtAndNothingIsChanged() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let file = try gatectl.home.file("gate.json", #"{"alert":{"message":"Slow today.","blocking":false}}"#)
        let question = ["simulate", "shop", "android", "--version", "41", "--client", "gandalf", "-f", file]
        let fresh = try await gatectl(question)
        #expect(fresh.out.contains("◆ NOTICE  Gandalf\n  Users see: “Slow today.”  [OK]"), "\(fresh)")
        #expect(try await gatectl(question + ["--seen"]).out.contains("Not shown: alert. This phone has shown it before."))
        let added = try await gatectl(
            "schedule",
            "add",
            "shop",
            "android",
            "--from",
            "2030-03-30 08:30",
            "--until",
            "2030-03-30 09:00",
            "--tz",
            "Europe/Berlin",
            "-y",
            "--",
            "kill",
            "-m",
            "Sale."
        )
        #expect(added.status == 0, "\(added)")
        for (time, outcome) in [("2030-03-30 08:29", "open"), ("2030-03-30 08:30", "blocked"), ("2030-03-30 09:00", "open")] {
            let then = try await gatectl("simulate", "shop", "android", "--version", "41", "--at", time, "--tz", "Europe/Berlin", "--json")
                .json()
            #expect(then["items.0.outcome"] == .string(outcome), "\(time)")
        }
        #expect(try await gatectl.sequence() == before)
        #expect(try await gatectl.revision("shop/android") == 1)
    }

    @Test(arguments: [
        (["--version", "4.1.0", "--client", "gandalf"], 8), (["--version", "4.1.0", "--at", "2020-01-01T00:00:00Z"], 8),
        (["--version", "a b"], 8), (["--at", "2020-01-01T00:00:00Z"], 8), (["--revision", "7"], 6), (["4.1.0", "a b"], 8),
        (["--at", "yesterday 14:03"], 8), (["--at", "last summer 14:03"], 64), (["4.1.0", "--version", "4.2.0"], 64),
        (["--revision", "1", "-f", "gate.json"], 64),
        (["--version", "4.1.0", "--client", "safari"], 64), (["--version", "4.1.0", "--tz", "Mars/Base"], 64),
        (["--version", "4.1.0", "-f", "nothere.json"], 8),
    ])
    func whatCannotBeIsRefused(options: [String], status: Int) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl(["simulate", "shop", "ios"] + options)
        #expect(Int(outcome.status) == status, "\(outcome)")
    }

    /// What an on-call engineer reads of a minimum version that LaunchGate's order of texts misreads.
    @Test func theOrderOfTextsIsExplainedWithItsCure() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "set", "shop", "--platform", "ios", "--releases", "1.9,1.10").status == 0)
        let required = ["require", "shop", "ios", "1.10", "-m", "Please update.", "--accept", "text_order", "-r", "REL-42", "-y"]
        #expect(try await gatectl(required).status == 0)
        func golden(_ name: String, _ arguments: String...) async throws {
            let outcome = try await gatectl(arguments)
            let text =
                "$ gatectl \(arguments.joined(separator: " "))\n\(outcome.out)--- standard error\n\(outcome.err)--- exit \(outcome.status)\n"
            try expectGolden(name, text, server: gatectl.server)
        }
        try await golden("simulate-one", "simulate", "shop", "ios", "--version", "1.9")
        try await golden("simulate", "simulate", "shop", "ios")
        try await golden("simulate-targeted", "simulate", "shop", "ios", "1.9", "1.10", "--targeted")
        try await golden("simulate-plain", "simulate", "shop", "ios", "1.9", "1.10", "-o", "plain")
        try await golden("simulate-revision", "simulate", "shop", "ios", "1.9", "--revision", "3", "--client", "launchgate", "--utc")
        let json = try await gatectl("simulate", "shop", "ios", "1.9", "1.10", "--json").json()
        #expect(json["schema"] == .string("gatectl/v1"))
        #expect(json["cells.0.static.outcome"] == .string("open"))
        #expect(json["cells.0.targeted.outcome"] == .string("updateRequired"))
    }

    @Test func whatPhonesSawAtAPastMomentIsAnswered() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123", "-y").status == 0)
        let killed = try await gatectl("history", "shop", "ios", "--limit", "1", "--json").json()["items.0.at"]?.string ?? ""
        #expect(try await gatectl("open", "shop", "ios", "-y").status == 0)
        let then = try await gatectl("simulate", "shop", "ios", "4.1.0", "4.2.0", "--at", killed, "--client", "launchgate")
        #expect(then.status == 0, "\(then)")
        #expect(then.out.contains("revision 2, change 4: killed, by"), "\(then)")
        #expect(then.out.contains("(INC-123)"), "\(then)")
        #expect(then.out.contains("4.1.0    ■ BLOCKED  ■ BLOCKED"), "\(then)")
        #expect(then.out.contains("All as meant."))
        let one = try await gatectl("simulate", "shop/ios", "4.1.0", "--at", killed, "--json").json()
        #expect(one["moment"] == .string("past"))
        #expect(one["change.reason"] == .string("INC-123"))
        #expect(try await gatectl("apps", "remove", "shop", "--confirm", "delete shop").status == 0)
        let gone = try await gatectl("simulate", "shop", "ios", "4.1.0", "--at", killed)
        #expect(gone.status == 0 && gone.out.contains("BLOCKED"), "\(gone)")
        let typo = try await gatectl("simulate", "shpo", "ios", "--at", killed)
        #expect(typo.status == 6, "\(typo)")
    }
}
