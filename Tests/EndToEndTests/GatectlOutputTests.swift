import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

/// What is printed, where, and in which form.
struct GatectlOutputTests {
    @Test func theSamplesAreAsTheyAreKept() async throws {
        let gatectl = try await Gatectl.withShop()
        let server = gatectl.server
        func golden(_ name: String, _ arguments: String...) async throws {
            let outcome = try await gatectl(arguments)
            let text =
                "$ gatectl \(arguments.joined(separator: " "))\n\(outcome.out)--- standard error\n\(outcome.err)--- exit \(outcome.status)\n"
            try expectGolden(name, text, server: server)
        }
        try await golden("apps-list", "apps", "list")
        try await golden("require", "require", "shop", "ios", "4.2.0", "-m", "Please update.", "-r", "REL-42", "-y")
        try await golden("kill-all-asks", "kill", "shop", "all", "-m", "Later.", "-y")
        try await golden("kill-asks", "kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123")
        try await golden("kill-dry-run", "kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123", "--retry", "30s", "--dry-run")
        try await golden("kill", "kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123", "--retry", "30s", "-y")
        try await golden("kill-again", "kill", "shop", "ios", "-m", "Back at 09:30.", "-r", "INC-123", "--retry", "30s", "-y")
        try await golden("kill-json", "kill", "shop", "android", "-m", "Back at 09:30.", "-r", "INC-123", "-y", "--json")
        try await golden("status", "status")
        try await golden("status-wide", "status", "-o", "wide")
        try await golden("status-plain", "status", "-o", "plain")
        try await golden("history", "history")
        try await golden("history-plain", "history", "shop", "ios", "-o", "plain")
        try await golden("diff", "diff", "shop", "ios", "1", "3")
        try await golden("open", "open", "shop", "ios", "-r", "INC-123")
        try await golden("rollback", "rollback", "shop", "ios", "--last", "-y", "-q")
        try await golden("stale", "kill", "shop", "ios", "-m", "x", "-y", "--if-revision", "1")
        try await golden("refused", "require", "shop", "android", "1.1", "-m", "Update.", "-y")
        try await golden("refused-json", "require", "shop", "android", "1.1", "-m", "Update.", "-y", "--json")
        try await golden("unknown-app", "kill", "shpo", "ios", "-m", "x")
        try await golden("doctor", "doctor")
        try await golden("export", "export")
        let gates =
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"news","name":"News","platforms":{"ios":{"gate":{"killSwitch":{"message":"Soon."}}}}}]}"#
        _ = try gatectl.home.file("gates.json", gates)
        try await golden("apply-dry-run", "apply", "-f", "gates.json", "--prune", "--dry-run")
        try await golden("apply", "apply", "-f", "gates.json", "-r", "INC-124", "-y")
        try await golden("apply-again", "apply", "-f", "gates.json", "-r", "INC-124", "-y")
        try await golden("diff-file", "diff", "-f", "gates.json")
        let template = """
            {
              "maintenance": {"$eval": "blocked"},
              "text": {"$if": "kill", "then": {"$eval": "kill.message"}, "else": ""}
            }

            """
        _ = try gatectl.home.file("template.json", template)
        _ = try gatectl.home.file("other.json", #"{"maintenance": {"$eval": "!blocked"}, "text": ""}"#)
        _ = try gatectl.home.file("wrong.json", #"{"text": {"$eval": "message"}}"#)
        try await golden("feeds-set-dry-run", "feeds", "set", "news", "status", "-f", "template.json", "--platform", "ios", "--dry-run")
        try await golden("feeds-set", "feeds", "set", "news", "status", "-f", "template.json", "--platform", "ios")
        try await golden("feeds-set-other", "feeds", "set", "news", "status", "-f", "other.json", "--platform", "ios", "--dry-run")
        try await golden("feeds-set-refused", "feeds", "set", "news", "text", "-f", "wrong.json", "--platform", "ios")
        try await golden("feeds-list", "feeds", "list")
        try await golden("feeds-show", "feeds", "show", "news", "status")
        try await golden("feeds-show-document", "feeds", "show", "news", "status", "--document")
        try await golden("feeds-rm-dry-run", "feeds", "rm", "news", "status", "--dry-run")
        try await golden("feeds-rm", "feeds", "rm", "news", "status", "--confirm", "delete news/own/status")
    }

    @Test func withJSONEveryAnswerIsOneDocumentAlsoWhenThereIsNothing() async throws {
        let server = try await Server.start()
        let gatectl = try Gatectl(server)
        let empty = [["status"], ["history"], ["apps", "list"], ["context", "list"]]
        for arguments in empty {
            let document = try await gatectl(arguments + ["--json"]).json()
            #expect(document["schema"]?.string == "gatectl/v1", "\(arguments)")
            #expect(document["items"] == .array([]), "\(arguments)")
        }
        for arguments in [
            ["version"], ["doctor"], ["auth", "status"], ["apps", "add", "shop", "--name", "Shop", "--platforms", "ios"],
            ["feed", "shop", "ios"], [],
        ] {
            #expect(try await gatectl(arguments + ["--json"]).json()["schema"]?.string == "gatectl/v1", "\(arguments)")
        }
    }

    @Test func aFailureWithJSONIsOneObjectOnStandardErrorAlone() async throws {
        let gatectl = try await Gatectl.withShop()
        let cases: [([String], Int, String)] = [
            (["status", "nope"], 6, "not_found"), (["kill", "shop", "ios", "-m", "x"], 3, "confirmation_required"),
            (["xyzzy"], 64, "unknown_command"),
            (["require", "shop", "ios", "x", "-m", "x", "-y"], 8, "invalid_version"),
            (["status", "--context", "nope"], 6, "unknown_context"),
        ]
        for (arguments, exit, code) in cases {
            let error = try await gatectl(arguments + ["--json"]).errorJSON()
            #expect(error["exit"]?.integer == exit, "\(arguments)")
            #expect(error["code"]?.string == code, "\(arguments)")
        }
    }

    @Test func oneTargetsFactsStandAtTheTopOfAWritesDocument() async throws {
        let gatectl = try await Gatectl.withShop()
        let document = try await gatectl("kill", "shop", "ios", "-m", "Back.", "--retry", "30s", "-y", "--json").json()
        #expect(document["context"]?.string == "development")
        #expect(document["target"]?.string == "shop/ios")
        #expect(document["changed"] == .bool(true))
        #expect(document["revision"]?.integer == 2)
        #expect(document["previous"]?.integer == 1)
        #expect(document["state"]?.string == "blocked")
        #expect(document["gate"]?.text == #"{"killSwitch":{"message":"Back.","retryInterval":30}}"#)
        #expect(document["warnings"]?.array != nil)
        #expect(document["requestId"]?.string?.isEmpty == false)
    }

    /// A script reads the targets of a plan as it reads those of the change.
    @Test func aDryRunNamesItsTargetsAsTheChangeDoes() async throws {
        let gatectl = try await Gatectl.withShop()
        for platforms in ["ios", "ios,android"] {
            let kill = ["kill", "shop", platforms, "-m", "Back \(platforms).", "--json"]
            let planned = try await gatectl(kill + ["--dry-run"]).json()
            let phrase = planned["plan.confirm"]?.string
            let made = try await gatectl(kill + (phrase.map { ["--confirm", $0] } ?? ["-y"])).json()
            #expect(planned["target"] == made["target"])
            for name in ["target", "changed", "previous"] {
                let (before, after) = (planned["targets"]?.array ?? [], made["targets"]?.array ?? [])
                #expect(!before.isEmpty && before.map { $0[name] } == after.map { $0[name] }, "\(name): \(planned) \(made)")
            }
        }
    }

    @Test func thereIsNoEscapeByteWhereThereMustBeNone() async throws {
        let gatectl = try await Gatectl.withShop()
        let piped = try await gatectl("status")
        #expect(!(piped.out + piped.err).contains("\u{1B}"))
        for environment in [
            ["NO_COLOR": "1"], ["TERM": "dumb"], ["NO_COLOR": "1", "FORCE_COLOR": "1"], ["TERM": "dumb", "FORCE_COLOR": "1"],
        ] {
            let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "x", "-n", with: environment)
            #expect(try terminal.finish() == 0)
            #expect(!terminal.transcript.contains("\u{1B}"), "\(environment)")
        }
        let switched = try gatectl.onTerminal("status", "--no-color")
        #expect(try switched.finish() == 0)
        #expect(!switched.transcript.contains("\u{1B}"))
    }

    @Test func aTerminalGetsColourAndAnEmptyNO_COLORCountsAsUnset() async throws {
        let gatectl = try await Gatectl.withShop()
        for environment in [[:], ["NO_COLOR": ""]] {
            let terminal = try gatectl.onTerminal("status", with: environment)
            #expect(try terminal.finish() == 0)
            #expect(terminal.transcript.contains("\u{1B}[32m○ OPEN"), "\(environment)")
        }
        #expect(try await gatectl("status", with: ["FORCE_COLOR": "1"]).out.contains("\u{1B}[32m"))
    }

    @Test func whereTheLocaleIsNotUTF8TheSignsAreASCII() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        for environment in [["LANG": "C"], ["LC_ALL": "POSIX"], ["LANG": "", "LC_CTYPE": "en_US.ISO-8859-1"]] {
            let outcome = try await gatectl("status", with: environment)
            #expect(outcome.out.contains("# BLOCKED"), "\(environment)")
            #expect((outcome.out + outcome.err).utf8.allSatisfy { $0 < 0x80 }, "\(environment)")
        }
    }

    /// What people wrote is data: with another sign in its place a value would no longer be JSON.
    @Test func whatProgramsReadIsTheSameInEveryLocale() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Say “hi” – or …", "-y")
        let ascii = ["LC_ALL": "C"]
        for words in [["diff", "shop", "ios", "1", "2"], ["status"], ["history"]] {
            let here = try await gatectl(words + ["-o", "plain"])
            #expect(try await gatectl(words + ["-o", "plain"], with: ascii).out == here.out, "\(words)")
        }
        #expect(try await gatectl("diff", "shop", "ios", "1", "2", "-o", "plain", with: ascii).out.contains("Say “hi” – or …"))
        let refused = try await gatectl("status", "“x”", "--json", with: ascii)
        #expect(try refused.errorJSON()["message"]?.string?.contains("“x”") == true, "\(refused)")
    }

    @Test func aTableFitsTheTerminal() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("require", "shop", "ios", "4.2.0", "-m", "Update.", "-y")
        _ = try await gatectl(
            "kill",
            "shop",
            "ios",
            "-m",
            "Back.",
            "-y",
            "-r",
            "A reason that is far too long for a narrow terminal, but is kept whole"
        )
        let terminal = try Terminal(Programs.gatectl, ["history", "--no-color"], environment: gatectl.environment, columns: 90)
        #expect(try terminal.finish() == 0)
        let lines = terminal.transcript.split(whereSeparator: \.isNewline)
        #expect(lines.count > 3)
        #expect(lines.allSatisfy { $0.count <= 90 }, "\(terminal.transcript)")
        // However narrow it is, it says who.
        let narrow = try Terminal(Programs.gatectl, ["history", "--no-color"], environment: gatectl.environment, columns: 60)
        #expect(try narrow.finish() == 0)
        let rows = narrow.transcript.split(whereSeparator: \.isNewline)
        #expect(rows.count > 3 && rows.allSatisfy { $0.count <= 60 }, "\(narrow.transcript)")
        #expect(rows.dropFirst().allSatisfy { $0.contains("(gatectl)") || $0.contains("(api)") }, "\(narrow.transcript)")
        #expect(try await gatectl("history", "-o", "wide").out.contains("but is kept whole"))
    }

    @Test func textOfOthersCannotSteerTheTerminal() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("alert", "shop", "ios", "-m", "One\nTwo", "-r", "\u{1B}[31mred\u{7}")
        if outcome.status == 0 {
            let history = try await gatectl("history", "-o", "wide").out
            #expect(!history.contains("\u{1B}") && !history.contains("\u{7}"))
        }
        #expect(try await gatectl("status", "nope\u{1B}[31m").err.contains("\u{1B}") == false)
        let wide = try await gatectl("status", "-o", "wide").out
        #expect(wide.split(separator: "\n").count == 3, "a message of two lines stays on its row")
    }

    /// Closed, its number would be the next connection's, and the answer would go to the server.
    @Test(arguments: [
        ["status"], ["export"], ["export", "--json"], ["status", "--exit-code"], ["kill", "shop", "ios", "-m", "x", "-y"], ["help"],
        ["completion", "bash"],
    ])
    func anAnswerWithoutAnyOutputIsAFailure(arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        for how in Deafness.allCases where !how.isOfReader {
            let outcome = try await gatectl.unheard(how, arguments)
            #expect(outcome.status == 1, "\(how) \(outcome)")
            #expect(outcome.err.contains("the answer could not be written to standard output"), "\(how) \(outcome)")
        }
        // Without standard error nobody can be told, and the exit code still counts.
        let silent = ["-c", #""$0" "$@" 2>&-"#, Programs.gatectl] + arguments
        #expect(try await run("/bin/sh", silent, environment: gatectl.environment, in: gatectl.home.path).status == 0)
    }

    /// Whoever reads only the beginning has it, and a change is made whoever reads of it.
    @Test(arguments: Deafness.allCases.filter(\.isOfReader)) func aReaderThatHasEnoughIsNoFailure(how: Deafness) async throws {
        let gatectl = try await Gatectl.withShop()
        for arguments in [["export"], ["history"], ["help"], ["completion", "bash"], ["kill", "shop", "ios", "-m", "Back.", "-y"]] {
            let outcome = try await gatectl.unheard(how, arguments)
            #expect(outcome.status == 0, "\(arguments) \(outcome)")
        }
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    /// A command that follows what happens would ask the server for ever, for nobody.
    @Test(arguments: Deafness.allCases, [["history", "--follow"], ["status", "--watch"]])
    func whatIsFollowedEndsWithItsReader(how: Deafness, arguments: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl.unheard(how, arguments)
        #expect(outcome.status == (how.isOfReader ? 0 : 1), "\(outcome)")
    }

    @Test func quietLeavesOnlyTheAnswer() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "-q")
        #expect(outcome.err == "")
        #expect(outcome.out.hasPrefix("■ BLOCKED  shop/ios  revision 2"))
    }
}
