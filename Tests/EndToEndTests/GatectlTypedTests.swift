import GateJSON
import GateTesting
import Testing

/// What people type in a hurry is taken as they mean it, or answered with what to type.
@Suite struct GatectlTypedTests {
    /// Each line does what the usual one does.
    @Test func theSameInOtherWords() async throws {
        let gatectl = try await Gatectl.withShop()
        let usual: [[String]: [[String]]] = [
            ["status", "--json"]: [["--json", "status"], ["-o", "json", "status"], ["--timeout", "5s", "--json", "status"]],
            ["status", "shop", "ios", "-o", "plain"]: [["status", "shop/ios", "-o", "plain"], ["-o", "plain", "status", "shop/ios"]],
            ["history", "shop", "ios", "-o", "plain"]: [
                ["history", "shop/ios", "-o", "plain"], ["history", "--utc", "shop/ios", "-o", "plain"],
            ],
            ["kill", "shop", "ios", "-m", "a/b", "-n"]: [
                ["kill", "shop/ios", "-m", "a/b", "-n"], ["kill", "-m", "a/b", "-n", "shop/ios"], ["-n", "kill", "shop/ios", "-m", "a/b"],
                ["-m", "a/b", "-n", "kill", "shop", "ios"], ["kill", "-qn", "shop/ios", "-m", "a/b"],
            ],
            ["help", "break-glass"]: [["help", "-q", "break-glass"]],
            ["rollback", "shop", "ios", "--to", "1", "-n"]: [["rollback", "shop/ios", "--to", "1", "-n"]],
            ["schedule", "add", "shop", "ios", "--from", "2030-01-01 09:00", "--tz", "UTC", "-n", "-o", "plain", "--", "kill", "-m", "x"]: [
                ["schedule", "add", "shop/ios", "--from", "2030-01-01 09:00", "--tz", "UTC", "-n", "-o", "plain", "--", "kill", "-m", "x"]
            ],
        ]
        for (words, others) in usual {
            let wanted = try await gatectl(words)
            #expect(wanted.status == 0, "\(words) \(wanted)")
            for other in others {
                let outcome = try await gatectl(other)
                #expect(outcome.status == 0, "\(other) \(outcome)")
                // A status tells the time.
                if !words.contains("--json") { #expect(outcome.out == wanted.out, "\(other)") }
            }
        }
    }

    /// What was typed first by somebody who had only read the help.
    @Test func whatIsTypedAtFirstIsTakenOrAnsweredWithWhatIsMeant() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("simulate", "shop", "ios", "4.1").out == gatectl("simulate", "shop/ios", "--version", "4.1").out)
        #expect(try await gatectl("simulate", "shop", "ios", "4.1").status == 0)
        #expect(try await gatectl("simulate", "shop/ios").out == gatectl("simulate", "shop", "ios").out)
        #expect(try await gatectl("simulate", "shop", "ios").status == 0)
        #expect(try await gatectl("simulate", "--targeted", "shop/ios", "4.1").status == 0)
        #expect(try await gatectl("simulate", "shop", "ios", "4.1", "--version", "4.2").status == 64)

        let named = try await gatectl("apps", "add", "blog", "Blog", "ios")
        #expect(named.status == 8 && named.err.contains("--name Blog"), "\(named)")
        let added = try await gatectl("apps", "add", "blog", "ios")
        #expect(added.err.contains("Feed:   \(gatectl.server.feeds)/feeds/blog/launchgate.json"), "phones poll the feeds' port: \(added)")

        let file = try gatectl.home.file("status.json", #"{"apiInactive":false,"forceUpdate":false}"#)
        let imported = try await gatectl("import", "blog", "-f", file, "-n")
        #expect(imported.status == 0 && imported.err.contains("Read as a file of Bellerophon, for ios"), "\(imported)")

        for (typed, meant) in [("gate.example.com", "https://gate.example.com"), ("localhost:8081", "http://localhost:8081")] {
            let outcome = try await gatectl("context", "add", "prod", "--server", typed)
            #expect(outcome.status == 64 && outcome.err.contains("Did you mean \(meant)?"), "\(outcome)")
            #expect(try await gatectl("status", with: ["GATECTL_SERVER": typed]).err.contains("Did you mean \(meant)?"))
        }
    }

    /// Nobody who raises a minimum version is to be told the version of gatectl, and think that it is done.
    @Test(arguments: ["--version", "--min"]) func aMinimumVersionIsNoOption(option: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl("require", "shop", "ios", option, "4.2.0", "-m", "Update.", "-y")
        #expect(refused.status == 64 && refused.out.isEmpty, "\(refused)")
        #expect(refused.err.contains("gatectl require shop ios 4.2.0 -m Update. -y\n"), "\(refused)")
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "-y", "--version").status == 64)
        #expect(try await gatectl.revision("shop/ios") == 1)
        #expect(try await gatectl("--json", "help", "break-glass").json()["help"]?.string?.contains("gatectl render") == true)
    }

    @Test func aFeedIsReadByTheTargetsName() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("feed", "shop/ios").out == gatectl("feed", "shop", "ios").out)
    }

    @Test func allAppsAreBlockedByOnePhrase() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        #expect(try await gatectl("kill", "all", "all", "-m", "Back.").status == 3)
        #expect(try await gatectl("kill", "all", "ios", "-m", "Back.", "--confirm", "kill 2 targets").status == 0)
        #expect(try await gatectl("kill", "all", "all", "-m", "Back.", "--confirm", "kill 1 targets", "-y").status == 0)
        let rows = try await gatectl("status", "-o", "plain").out.split(separator: "\n")
        #expect(rows.count == 3 && rows.allSatisfy { $0.hasPrefix("blocked\t") }, "\(rows)")
        #expect(try await gatectl("open", "all", "web", "-y").status == 6)
    }

    @Test(arguments: [
        (["kill", "--json", "shop"], "<platform>"), (["--json", "kill", "shop"], "<platform>"),
        (["kill", "shop", "ios", "--msg", "x", "--json"], "--message"),
        (["-o", "json", "kil"], "kill"), (["status", "--bogus", "-o", "json"], "--bogus"),
        (["kill", "--output=json", "shop"], "<platform>"),
    ])
    func complaintsAboutUsageAreJSONWhereThatIsAsked(_ words: [String], part: String) async throws {
        let outcome = try await Gatectl.withShop()(words)
        #expect(outcome.status == 64)
        let error = try outcome.errorJSON()
        #expect(error["exit"]?.integer == 64)
        #expect(error["message"]?.string?.contains(part) == true, "\(outcome)")
    }

    @Test(arguments: [("--msg", "--message"), ("--why", "--reason"), ("--dry", "--dry-run")]) func otherNamesOfOptionsAreKnown(
        typed: String,
        meant: String
    ) async throws {
        let outcome = try await Gatectl.withShop()("kill", "shop", "ios", typed, "x")
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("Did you mean \(meant)?"), "\(outcome)")
    }
}
