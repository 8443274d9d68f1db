import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Who must confirm what, on a terminal and without one.
struct GatectlConfirmationTests {
    @Test func aKillShowsContextServerAndProtectionBeforeItAsks() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123", with: ["NO_COLOR": "1"])
        try terminal.expect("Context production · \(gatectl.server.admin) · PROTECTED")
        try terminal.expect("○ OPEN → ■ BLOCKED")
        try terminal.expect("Users see: “Back at 09:30.”")
        try terminal.expect("Type shop/ios to confirm: ")
        terminal.type(" SHOP/IOS \n")
        try terminal.expect("■ BLOCKED  shop/ios  revision 2")
        #expect(try terminal.finish() == 0)
        let history = try await gatectl("history", "--json", "--limit", "1").json()
        #expect(history["items.0.reason"]?.string == "INC-123")
    }

    /// Letting people in asks for nothing, but a block that ends sooner may be somebody else's: whoever is at the terminal sees that first.
    @Test func anEndForABlockThatHadNoneIsAskedAboutOnATerminal() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let words = ["kill", "shop", "ios", "-m", "Back.", "-r", "INC-1"]
        #expect(try await gatectl(words + ["--confirm", "shop/ios"]).status == 0)
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "--for", "30m", with: ["NO_COLOR": "1"])
        try terminal.expect("is blocked since")
        try terminal.expect("? [y/N] ")
        terminal.type("n\n")
        #expect(try terminal.finish() == 2)
        #expect(try await gatectl.revision("shop/ios") == 2)
        // Nobody can be asked, and nobody is shut out by it.
        let script = try await gatectl(words + ["--for", "30m"])
        #expect(script.status == 0, "\(script)")
        #expect(script.err.contains("is blocked since"), "\(script)")
        // Its own undo does not undo what came after it.
        let alert = try await gatectl("alert", "shop", "ios", "-m", "Slow.")
        #expect(alert.err.contains("--if-revision 4"), "\(alert)")
        #expect(try await gatectl(words + ["--confirm", "shop/ios"]).status == 0)
        #expect(try await gatectl("rollback", "shop", "ios", "--to", "3", "--if-revision", "4").status == 5)
        #expect(try await gatectl.revision("shop/ios") == 5)
    }

    @Test func aWronglyTypedTargetSendsNothing() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "-r", "test", with: ["NO_COLOR": "1"])
        try terminal.expect("Type shop/ios to confirm: ")
        terminal.type("shop/android\n")
        #expect(try terminal.finish() == 2)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func aMissingReasonIsAskedFor() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", with: ["NO_COLOR": "1"])
        try terminal.expect("Reason: ")
        terminal.type("INC-7\n")
        try terminal.expect("to confirm: ")
        terminal.type("shop/ios\n")
        #expect(try terminal.finish() == 0)
        #expect(try await gatectl("history", "--json", "--limit", "1").json()["items.0.reason"]?.string == "INC-7")
    }

    @Test func protectedWithoutATerminalSendsNothingAndPrintsTheCommand() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-r", "test", "-y")
        #expect(outcome.status == 3)
        #expect(outcome.err.contains("run: gatectl kill shop ios -m Back. -r test -y --confirm shop/ios\n"))
        #expect(try await gatectl.revision("shop/ios") == 1)
        let bare = try await gatectl("kill", "shop", "ios", "-m", "Back.")
        #expect(bare.err.contains("run: gatectl kill shop ios -m Back. -r REASON --confirm shop/ios\n"), "\(bare)")
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-r", "test", "--confirm", "shop/android").status == 3)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "--confirm", "shop/ios").status == 3, "without a reason")
        #expect(try await gatectl.revision("shop/ios") == 1)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-r", "test", "--confirm", "Shop/iOS").status == 0)
    }

    /// Whoever is asked has seen where, and what becomes of it, even with -q.
    @Test func aRemovalShowsWhereAndWhatBeforeItAsks() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let trial = try await gatectl("apps", "remove", "shop", "-n")
        #expect(trial.out.hasSuffix("Tier 3; to do it: --confirm 'delete shop' -r REASON\n"), "\(trial)")
        let terminal = try gatectl.onTerminal("apps", "remove", "shop", "-q", "-r", "retired", with: ["NO_COLOR": "1"])
        try terminal.expect("PROTECTED")
        try terminal.expect("- shop/ios   now ○ OPEN")
        try terminal.expect("warning: ")
        try terminal.expect("Type delete shop to confirm: ")
        terminal.type("delete shop\n")
        try terminal.expect("Removed shop")
        #expect(try terminal.finish() == 0)
    }

    /// A trial says what the change would ask for, and what it would warn of.
    @Test func aTrialOfAnAppsAliasesTellsWarningsAndConfirmation() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        #expect(try await gatectl("apps", "set", "shop", "--alias", "/status=ios/bellerophon").status == 0)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "-r", "x", "--confirm", "shop/ios").status == 0)
        let removal = ["apps", "set", "shop", "--remove-alias", "/status"]
        let trial = try await gatectl(removal + ["-n"])
        #expect(trial.status == 0 && trial.out.contains("[alias_removed]"), "\(trial)")
        #expect(trial.out.hasSuffix("Dry run: nothing was written. Tier 2; to do it: --confirm shop/ios -r REASON\n"), "\(trial)")
        let document = try await gatectl(removal + ["-n", "--json"]).json()
        #expect(document["plan.confirm"] == .string("shop/ios") && document["warnings.0.code"] == .string("alias_removed"))
        #expect(try await gatectl(removal).status == 3)
        let made = try await gatectl(removal + ["--confirm", "shop/ios", "-r", "x"])
        #expect(made.status == 0 && made.err.contains("[alias_removed]"), "\(made)")
    }

    /// Between the plan that was shown and its confirmation somebody else adds an alias: phones on it must not be let in.
    @Test func anAliasThatSomebodyElseAddedAfterThePlanIsNotRemoved() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        #expect(try await gatectl("apps", "set", "shop", "--alias", "/status=ios/bellerophon").status == 0)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "-r", "x", "--confirm", "shop/ios").status == 0)
        let removal = ["apps", "set", "shop", "--remove-alias", "/status", "-r", "x"]
        let terminal = try gatectl.onTerminal(removal, with: ["NO_COLOR": "1"])
        try terminal.expect("Type shop/ios to confirm: ")
        #expect(try await gatectl("apps", "set", "shop", "--alias", "/new.json=launchgate").status == 0)
        terminal.type("shop/ios\n")
        try terminal.expect("shop was changed meanwhile: its aliases are not what you saw")
        try terminal.expect("gatectl history shop")
        #expect(try terminal.finish() == 5)
        #expect(try await gatectl("apps", "list").out.contains("/new.json"))
        #expect(try await gatectl(removal + ["--confirm", "shop/ios"]).status == 0)
        let left = try await gatectl("apps", "list").out
        #expect(left.contains("/new.json") && !left.contains("/status"), "\(left)")
    }

    @Test func noInputNeverAsksOnATerminal() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "--no-input").finish() == 3)
        #expect(try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", with: ["GATECTL_NO_INPUT": "1"]).finish() == 3)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func severalTargetsAtOnceWantThePhraseEverywhere() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let refused = try await gatectl("kill", "shop", "all", "-m", "Back.", "-y")
        #expect(refused.status == 3)
        #expect(refused.err.contains("--confirm 'kill 2 targets'"))
        #expect(try await gatectl("kill", "shop", "ios,android", "-m", "Back.", "--confirm", "kill 3 targets").status == 3)
        #expect(try await gatectl.sequence() == before)
        #expect(try await gatectl("kill", "shop", "all", "-m", "Back.", "--confirm", "kill 2 targets").status == 0)
        #expect(try await gatectl.sequence() == before + 1, "one change for both")
        #expect(try await gatectl("open", "shop", "all").status == 0, "letting people in is never hard")
    }

    @Test func gettingUsersBackInTakesNoConfirmationWhereProtected() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-r", "test", "--confirm", "shop/ios").status == 0)
        #expect(try await gatectl("open", "shop", "ios").status == 0)
    }

    /// Somebody else has blocked one of the two meanwhile; whoever confirmed both has confirmed the other. Nobody confirmed what they did
    /// not name.
    @Test(arguments: [false, true]) func whoConfirmedBothHasConfirmedTheOneThatIsLeft(isProtected: Bool) async throws {
        let gatectl = try await Gatectl.withShop(isProtected: isProtected)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-r", "test", "--confirm", "shop/ios").status == 0)
        let words = ["kill", "shop", "all", "-m", "Back.", "-r", "test", "--confirm"]
        for phrase in ["banana 2 targets", "open 2 targets", "kill 3 targets", "shop/ios"] {
            #expect(try await gatectl(words + [phrase]).status == 3, "\(phrase)")
        }
        #expect(try await gatectl(words + ["kill 2 targets", "-n"]).out.hasSuffix("Tier 2.\n"))
        #expect(try await gatectl(words + ["kill 2 targets"]).status == 0)
    }

    @Test func aDryRunAsksForWhatTheCommandAsksFor() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = #"{"ios":{"alert":{"message":"Hello.","blocking":false}}}"#
        #expect(try await gatectl(["import", "shop", "-f", "-", "-n"], input: file).out.hasSuffix("to do it: -y\n"))
        #expect(try await gatectl(["import", "shop", "-f", "-"], input: file).status == 3)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-n").out.hasSuffix("to do it: -y\n"))
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "--confirm", "shop/ios", "-n").out.hasSuffix("Tier 2.\n"))
    }

    @Test func unprotectedAnExactConfirmIsAsGoodAsYes() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "--confirm", "shop/ios").status == 0)
    }

    @Test func removingAnAppWantsItsPhrase() async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl("apps", "remove", "shop", "-y")
        #expect(refused.status == 3)
        #expect(refused.err.contains("--confirm 'delete shop'"))
        #expect(try await gatectl("apps", "remove", "shop", "--confirm", "delete shop", "-r", "retired").status == 0)
        #expect(try await gatectl("apps", "list", "--json").json()["items"] == .array([]))
        #expect(try await gatectl.server.feed("/feeds/shop/launchgate.json").status == 404)
    }

    /// `--dry-run` of every write leaves revision and history as they are.
    @Test func aDryRunWritesNothingAndPrintsThePlan() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        #expect(try await gatectl("kill", "shop", "android", "-m", "Down.", "-r", "test", "--confirm", "shop/android").status == 0)
        let times = ["--from", "2030-03-30 08:30", "--until", "2030-03-30 09:00", "--tz", "UTC"]
        for start in ["2030-05-01 07:30", "2030-05-01 06:30"] {
            let made = try await gatectl([
                "schedule", "add", "shop", "ios", "--from", start, "--until", "2030-05-01 08:30", "--tz", "UTC", "-r", "test", "--confirm",
                "shop/ios", "--", "kill", "-m", "Sale.",
            ])
            #expect(made.status == 0, "\(made)")
        }
        #expect(try await gatectl("schedule", "run", "2", "-r", "test", "--confirm", "shop/ios").status == 0)
        let before = (try await gatectl.sequence(), try await gatectl("status", "--json").json()["items"])
        let windows = try await gatectl("schedule", "list", "--all", "-o", "plain").out
        let file = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":"Down."}"#
        let gates = try gatectl.home.file(
            "gates.json",
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"The Shop","platforms":{"ios":{"gate":{"killSwitch":{"message":"Down."}}}}}]}"#
        )
        let cases = [
            ["kill", "shop", "ios", "-m", "Back."], ["kill", "shop", "all", "-m", "Back."], ["open", "shop", "android"],
            ["open", "shop", "android", "--all-gates"],
            ["require", "shop", "ios", "4.2.0", "-m", "Update."], ["require", "shop", "android", "--clear"],
            ["suggest", "shop", "ios", "4.3.0", "-m", "New."],
            ["suggest", "shop", "ios", "--clear"], ["alert", "shop", "ios", "-m", "Slow.", "--blocking"],
            ["alert", "shop", "ios", "--clear"],
            ["force", "shop", "ios", "--on", "--store-checked"], ["force", "shop", "ios", "--off"],
            ["rollback", "shop", "android", "--last"],
            ["rollback", "shop", "android", "--to", "1"], ["apps", "add", "bank", "--name", "Bank", "--platforms", "ios"],
            ["apps", "set", "shop", "--name", "Shop 2"], ["apps", "set", "shop", "--alias", "/c.json=launchgate"],
            ["apps", "set", "shop", "--platform", "ios", "--add-release", "4.2.0"], ["apps", "remove", "shop"],
            ["apps", "remove", "shop", "android"],
            ["import", "shop", "-f", "-"], ["apply", "-f", gates], ["apply", "-f", gates, "--prune"],
            ["schedule", "edit", "1", "--until", "2030-05-01 10:00", "--tz", "UTC"], ["schedule", "edit", "2", "--no-end"],
            ["schedule", "end", "2"],
            ["schedule", "run", "1"], ["schedule", "cancel", "1"], ["schedule", "cancel", "2"],
        ]
        for arguments in cases {
            let words = try await gatectl(arguments + ["--dry-run"], input: file)
            #expect(words.status == 0, "\(arguments): \(words)")
            #expect(words.out.contains("Dry run: "), "\(arguments): \(words)")
            let document = try await gatectl(arguments + ["-n", "--json"], input: file)
            #expect(document.status == 0, "\(arguments): \(document)")
            #expect(try document.json()["dryRun"] == .bool(true), "\(arguments)")
        }
        let window = try await gatectl(["schedule", "add", "shop", "android"] + times + ["-n", "--", "kill", "-m", "Sale."])
        #expect(window.status == 0 && window.out.contains("Dry run: "), "\(window)")
        #expect(try await gatectl("schedule", "list", "--all", "-o", "plain").out == windows)
        #expect(try await gatectl.sequence() == before.0)
        #expect(try await gatectl("status", "--json").json()["items"] == before.1)
    }
}
