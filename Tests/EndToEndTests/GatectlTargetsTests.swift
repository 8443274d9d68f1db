import GateAdminClient
import GateJSON
import GateModel
import Testing

/// Which targets a command is about: each name that was typed, or what was meant by it.
struct GatectlTargetsTests {
    /// Half of what was asked for must not be done, and said to be all of it.
    @Test func aMistypedPlatformBesideAllBlocksNobody() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "add", "bank", "ios").status == 0)
        let before = try await gatectl.sequence()
        for platforms in ["ios,andriod", "andriod"] {
            let refused = try await gatectl("kill", "all", platforms, "-m", "x", "-y", "--confirm", "kill 2 targets")
            #expect(refused.status == 6, "\(refused)")
            #expect(refused.err.contains("no app has a platform andriod. Did you mean android?"), "\(refused)")
        }
        #expect(try await gatectl.sequence() == before)
        // One app need not have every platform that is named.
        #expect(try await gatectl("kill", "all", "ios,android", "-m", "x", "--confirm", "kill 3 targets").status == 0)
    }

    @Test func allIsAllWhereSeveralMayBeNamedAndNoPlatformElsewhere() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("kill", "shop", "ios,all", "-m", "x", "-n").out == gatectl("kill", "shop", "all", "-m", "x", "-n").out)
        for arguments in [["rollback", "shop", "all", "--last"], ["feed", "shop", "all"], ["simulate", "shop", "all"]] {
            let refused = try await gatectl(arguments)
            #expect(refused.status == 6, "\(arguments) \(refused)")
            #expect(refused.err.contains("all is no platform here; name one: android, ios"), "\(arguments) \(refused)")
        }
        #expect(try await gatectl("history", "shop", "all").out == gatectl("history", "shop").out)
        #expect(try await gatectl("history", "all").out == gatectl("history").out)
        #expect(try await gatectl("status", "all", "all", "-o", "plain").out == gatectl("status", "-o", "plain").out)
        #expect(try await gatectl("status", "all", "-o", "plain").out == gatectl("status", "-o", "plain").out)
        let both = try await gatectl("history", "shop", "ios,android", "-o", "plain").out.split(separator: "\n")
        #expect(both.count == 2 && both.contains { $0.contains("\tshop/android\t") }, "\(both)")
    }

    /// A quiet app and a mistyped one must not look alike, whatever else is asked for.
    @Test(arguments: [
        ["shpo", "--since", "24h"], ["shop", "ois", "--since", "24h"], ["shop", "ois", "--actor", "ci"], ["shop", "ios,ois"],
    ])
    func theHistoryOfAMistypedNameIsNotFound(arguments: [String]) async throws {
        let outcome = try await Gatectl.withShop()(["history"] + arguments)
        #expect(outcome.status == 6 && outcome.out.isEmpty && outcome.err.contains("Did you mean"), "\(outcome)")
    }

    /// What a script's unset variable leaves: a word that is there, and empty.
    @Test(arguments: [
        ["apps", "remove", ""], ["apps", "set", "", "--name", "x"], ["feeds", "list", ""], ["feeds", "show", "shop", ""],
        ["feeds", "set", "shop", "", "-f", "-"], ["feeds", "remove", "shop", ""], ["rehearse", "show", ""], ["rehearse", "end", ""],
        ["rehearse", "end", "", "-n"], ["rehearse", "change", "", "-f", "-"], ["tokens", "revoke", "", "-y"],
        ["users", "remove", "", "-y"],
        ["kill", "", "ios", "-m", "x", "-y"], ["kill", "shop", "", "-m", "x", "-y"], ["export", ""],
    ])
    func anEmptyNameIsNotFound(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let outcome = try await gatectl(arguments + ["--json"], input: "{}")
        #expect(outcome.status == 6, "\(outcome)")
        // `not_found`, or which list it is not in: `user_not_found`.
        #expect(try outcome.errorJSON()["code"]?.string?.hasSuffix("not_found") == true, "\(outcome)")
        #expect(!outcome.err.contains("another version"), "the server knows the address, and was not asked")
        #expect(try await gatectl.sequence() == before)
    }

    @Test func whatIsGoneHasAHistory() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "remove", "shop", "--confirm", "delete shop").status == 0)
        #expect(try await gatectl("history", "shop", "ios", "--actor", "nobody").out == "No changes.\n")
        #expect(try await gatectl("history", "shop", "--actor", "nobody").status == 0)
        #expect(try await gatectl("history", "shop", "ios").out.contains("deleted"))
    }

    /// Whoever watches several targets, or an app whose address is moved, sees it.
    @Test(
        arguments: [
            (["watch", "shop", "all"], ["alert", "shop", "ios", "-m", "x"], "shop/ios  2  alert"),
            (["watch", "shop", "ios,android"], ["alert", "shop", "android", "-m", "x"], "shop/android  2  alert"),
            (["watch", "all"], ["alert", "shop", "ios", "-m", "x"], "shop/ios  2  alert"),
            (["watch", "shop"], ["apps", "set", "shop", "--alias", "/status=ios/bellerophon"], "shop  –  settings"),
            (["history", "shop", "ios,android", "--follow"], ["alert", "shop", "android", "-m", "x"], "shop/android  2  alert"),
        ] as [([String], [String], String)]
    )
    func aChangeIsShownToWhoWatchesItsTarget(watching: [String], change: [String], words: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal(watching, with: ["NO_COLOR": "1"])
        // What a watch begins with: from there on each change is shown.
        try terminal.expect(watching[0] == "watch" ? "Ctrl-C ends" : "created the platform")
        #expect(try await gatectl(change).status == 0)
        try terminal.expect(words)
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }

    /// Where nothing is redrawn the lines of what was asked for are appended.
    @Test func statusOnWatchAppendsWhatIsAskedFor() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal(["status", "shop", "ios,android", "--watch"], with: ["NO_COLOR": "1"])
        try terminal.expect("shop/ios")
        #expect(try await gatectl("alert", "shop", "ios", "-m", "x").status == 0)
        try terminal.expect("shop/ios  2  alert")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }
}
