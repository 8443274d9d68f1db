import Foundation
import GateAdminClient
import GateJSON
import GateModel
import Testing

/// What gatectl advises is right: a command that it prints can be run, a typo is known, a complaint is one.
struct GatectlAdviceTests {
    /// The command of a refusal, run by a shell as it was printed.
    private func runPrinted(_ refused: Outcome, _ gatectl: Gatectl) async throws -> Outcome {
        let line = try #require(refused.err.split(separator: "\n").first { $0.contains("run: gatectl ") }, "\(refused)")
        let command = try #require(line.range(of: "gatectl ")).lowerBound
        let folder = (Programs.gatectl as NSString).deletingLastPathComponent
        return try await run(
            "/bin/sh",
            ["-c", String(line[command...])],
            environment: gatectl.environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }
        )
    }

    @Test func aPrintedCommandCanBeRun() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let refused = try await gatectl(
            "schedule",
            "add",
            "shop",
            "ios",
            "--from",
            "2030-03-30T08:30:00Z",
            "-r",
            "x",
            "--",
            "kill",
            "-m",
            "It's closed."
        )
        #expect(refused.status == 3, "\(refused)")
        #expect(try await runPrinted(refused, gatectl).status == 0)
        #expect(try await gatectl("schedule", "list", "--json").json()["items.0.set.killSwitch.message"] == .string("It's closed."))
    }

    @Test func whatAnAddressOfTheAPIWantsGoesIntoItsBody() async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl("api", "DELETE", "/apps/shop")
        #expect(refused.status == 3 && !refused.err.contains("--confirm"), "\(refused)")
        let body = #"{"confirm":"delete shop"}"#
        #expect(refused.err.contains(body), "\(refused)")
        #expect(try await gatectl(["api", "DELETE", "/apps/shop", "-f", "-"], input: body).status == 0)
    }

    @Test(arguments: [
        (["schedule", "cancle", "3"], "schedule cancel"), (["apps", "lst"], "apps list"), (["tokens", "revok", "x"], "tokens revoke"),
        (["users", "ad", "x"], "users add"), (["context", "us", "x"], "context use"), (["auth", "stats"], "auth status"),
    ])
    func aTypoInTheSecondWordIsKnown(arguments: [String], meant: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl(arguments)
        #expect(refused.status == 64 && refused.err.contains("Did you mean \(meant)?"), "\(refused)")
        #expect(try await gatectl(arguments + ["--json"]).errorJSON()["code"] == .string("unknown_command"))
    }

    /// Where the word may be left out, what is wrong with the rest is said, though the app is called nearly as a command.
    @Test func aFaultyOptionOfADefaultCommandIsNamed() async throws {
        let gatectl = try await Gatectl.withShop()
        for words in [["rehearse", "shop", "ios"], ["rehearse", "start", "shop", "ios"]] {
            let refused = try await gatectl(words + ["--for", "30"])
            #expect(refused.status == 64 && refused.err.contains("'30' is invalid for '--for <for>'"), "\(refused)")
        }
        #expect(try await gatectl("rehearse", "lst", "--watch").err.contains("Did you mean rehearse list?"))
    }

    /// An app that is called nearly as a command is an app.
    @Test func anAppIsNotTakenForATypo() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("schedule", "list", "shop").out == "No windows wait or run.\n")
        let missing = try await gatectl("schedule", "list", "shpo")
        #expect(missing.status == 6 && missing.err.contains("Did you mean shop?"), "\(missing)")
    }

    @Test(arguments: [
        ["kill", "shop", "ios"], ["suggest", "shop", "ios", "1.0"], ["kill", "shop", "ios,android", "-m", "x", "--if-revision", "3"],
        ["schedule", "add", "shop", "ios", "--from", "xx", "--", "kill", "-m", "x"],
    ])
    func aComplaintIsOneDocument(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let own = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let refused = try await gatectl(arguments[..<own] + ["--json"] + arguments[own...])
        #expect(refused.status == 64 && refused.out.isEmpty)
        #expect(refused.err.split(separator: "\n").count == 1, "\(refused)")
        #expect(try refused.errorJSON()["message"]?.string?.isEmpty == false)
    }

    @Test func ofASkippedHourTheNearestTimesAreNamed() async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl("kill", "shop", "ios", "-m", "x", "--until", "2030-03-31 02:30", "--tz", "Europe/Berlin")
        #expect(refused.status == 8, "\(refused)")
        #expect(refused.err.contains("2030-03-31T00:59:00.000Z or 2030-03-31T01:00:00.000Z"), "\(refused)")
    }

    @Test(arguments: ["30m", "+30m"])
    func aSpanWhereATimeBelongsIsAskedForAsOne(span: String) async throws {
        let gatectl = try await Gatectl.withShop()
        for until in [["--until", span], ["--until=" + span]] {
            let refused = try await gatectl(["kill", "shop", "ios", "-m", "x"] + until + ["-y"])
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.err.contains("  run: gatectl kill shop ios -m x -y --for 30m\n"), "\(refused)")
        }
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func whatIsUndoneByARollbackIsAGateAndNoSetting() async throws {
        let gatectl = try await Gatectl.withShop()
        let settings = try await gatectl("apps", "set", "shop", "--platform", "ios", "--add-release", "9.0.0")
        #expect(settings.status == 0 && !settings.err.contains("Undo:"), "\(settings)")
        let killed = try await gatectl("kill", "shop", "ios", "-m", "x", "-y")
        #expect(killed.err.contains("Undo:   gatectl rollback shop ios --to 2"), "\(killed)")
        #expect(try await gatectl("diff", "shop", "ios", "1", "2").out == "shop/ios: the gates of revision 1 and revision 2 are the same\n")
    }

    @Test func aTrialOfATableIsATableAndAsksOnlyForWhatIsMissing() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let rows = try await gatectl("kill", "shop", "ios", "-m", "x", "-n", "-o", "plain").out.split(separator: "\n")
        #expect(
            !rows.isEmpty
                && rows.allSatisfy {
                    $0.hasPrefix("shop/ios\tkillSwitch") && $0.split(separator: "\t", omittingEmptySubsequences: false).count == 4
                },
            "\(rows)"
        )
        let said = try await gatectl("kill", "shop", "ios", "-m", "x", "-n", "-r", "INC-1").out
        #expect(said.hasSuffix("to do it: --confirm shop/ios\n"), "\(said)")
    }

    /// Any command takes the option: scripts put it into all of them.
    @Test(arguments: [["status"], ["apps", "list"], ["feed", "shop", "ios"], ["schedule", "list"], ["history"]])
    func everyCommandCanBeToldNotToAsk(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl(arguments + ["--no-input"]).status == 0)
    }

    @Test func statusTellsWhatAWindowWillDo() async throws {
        let gatectl = try await Gatectl.withShop()
        for (platform, action) in [("ios", ["kill", "-m", "Sale."]), ("android", ["alert", "-m", "Sale."])] {
            let made = try await gatectl(
                ["schedule", "add", "shop", platform, "--from", "2030-03-30T08:30:00Z", "--until", "2030-03-30T09:00:00Z", "-y", "--"]
                    + action
            )
            #expect(made.status == 0, "\(made)")
        }
        let status = try await gatectl("status")
        #expect(status.out.contains("block 2030-03-30 08:30 UTC"), "\(status)")
        #expect(status.out.contains("alert 2030-03-30 08:30 UTC"), "\(status)")
        let items = try await gatectl("status", "shop", "ios", "--json").json()
        #expect(items["items.0.next.at"] == .string("2030-03-30T08:30:00.000Z") && items["items.0.next.window"]?.integer == 1)

        // It runs, and says when people get in again; what was planned for another time is told as such.
        let ran = try await gatectl("schedule", "run", "1", "-y")
        #expect(ran.out.contains("from   now; it was planned for 2030-03-30 08:30 UTC"), "\(ran)")
        #expect(try await gatectl("status", "shop", "ios").out.contains("opens 2030-03-30 09:00 UTC"))
        let ended = try await gatectl("schedule", "end", "1", "-n")
        #expect(ended.out.contains("until  now; it was planned for 2030-03-30 09:00 UTC, then opens"), "\(ended)")

        // Made for what is not there any more.
        #expect(try await gatectl("alert", "shop", "android", "-m", "Other.", "-y").status == 0)
        #expect(try await gatectl("status", "shop", "android").out.contains(", will fail"))
        #expect(try await gatectl("status", "shop", "android", "--json").json()["items.0.next.willFail"] == .bool(true))
        // The schedule says so too, and what to do.
        #expect(try await gatectl("schedule", "list").out.contains(", will fail"))
        let waiting = try await gatectl("schedule", "list", "--json").json()["items"]?.array ?? []
        #expect(waiting.filter { $0.object?["willFail"] == .bool(true) }.map { $0.object?["id"]?.integer } == [2], "\(waiting)")
        #expect(try await gatectl("schedule", "show", "2").out.contains("gatectl schedule cancel 2"))
        #expect(try await gatectl("schedule", "show", "2", "--json").json()["willFail"] == .bool(true))
    }
}
