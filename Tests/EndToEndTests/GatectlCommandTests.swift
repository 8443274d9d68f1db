import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// The commands beside kill and open, and what they do to the gate.
struct GatectlCommandTests {
    private func gate(_ gatectl: Gatectl, _ platform: String = "ios") async throws -> String {
        try await gatectl.server.client().target("shop", platform).target.gate.json.text
    }

    @Test func requireSetsRaisesAndClearsTheMinimumVersion() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("require", "shop", "ios", "4.1.0", "-m", "Please update.", "-y").status == 0)
        #expect(try await gate(gatectl) == #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Please update."}}"#)
        #expect(try await gatectl("require", "shop", "ios", "4.2.0", "-y").status == 0, "the message stays")
        #expect(try await gate(gatectl) == #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update."}}"#)
        #expect(try await gatectl("require", "shop", "ios", "--clear").status == 0)
        #expect(try await gate(gatectl) == "{}")
        #expect(try await gatectl("require", "shop", "ios", "4.2.0", "-y").status == 64, "there is no message to keep")
    }

    /// A template is text of somebody else: shown on a terminal it must not erase what stands there, and in a pipe it is what it is.
    @Test func aFeedsControlCharactersReachAPipeAndNoTerminal() async throws {
        let gatectl = try await Gatectl.withShop()
        let template = "{\"note\":\"one\u{9B}2J\u{202E}two\"}\n"
        let file = gatectl.home.path + "/template.json"
        try Data(template.utf8).write(to: URL(filePath: file))
        let set = try await gatectl("feeds", "set", "shop", "status", "--platform", "ios", "-f", file, "-y")
        try #require(set.status == 0, "\(set)")
        #expect(try await gatectl("feeds", "show", "shop", "status").out == template)
        for words in [
            ["feeds", "show", "shop", "status"], ["feeds", "show", "shop", "status", "--json"],
            ["api", "GET", "/apps/shop/own-feeds/status"],
        ] {
            let terminal = try gatectl.onTerminal(words)
            #expect(try terminal.finish() == 0)
            #expect(terminal.transcript.contains("one?2J?two"), "\(words): \(terminal.transcript.debugDescription)")
            #expect(!terminal.transcript.unicodeScalars.contains("\u{9B}"), "\(words)")
        }
    }

    @Test func requireKeepsTheVersionsThatAreBlockedSingly() async throws {
        let gatectl = try await Gatectl.withShop()
        let client = try gatectl.server.client()
        let edit = try GateEdit(json: [
            "requiredUpdate": [
                "minimumVersion": .string("4.1.0"), "blockedVersions": .array([.string("4.3.1")]), "message": .string("Update."),
            ]
        ])
        _ = try await client.commit(.init(targets: [.init(app: "shop", platform: "ios", revision: 1)], content: .set(edit)))
        #expect(try await gatectl("require", "shop", "ios", "4.2.0", "-y").status == 0)
        #expect(
            try await gate(gatectl) == #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"Update."}}"#
        )
    }

    @Test func suggestAlertAndForceSetAndClearTheirRules() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("suggest", "shop", "android", "43", "-m", "New.").status == 0)
        #expect(try await gatectl("alert", "shop", "android", "-m", "Slow today.").status == 0)
        #expect(
            try await gate(gatectl, "android")
                == #"{"optionalUpdate":{"optionalVersion":"43","message":"New."},"alert":{"message":"Slow today.","blocking":false}}"#
        )
        #expect(try await gatectl("alert", "shop", "android", "-m", "Down.", "--blocking").status == 3)
        #expect(try await gatectl("alert", "shop", "android", "-m", "Down.", "--blocking", "-y").status == 0)
        #expect(try await gatectl("force", "shop", "android", "--on", "--store-checked", "-y").status == 0)
        #expect(try await gatectl("status", "shop", "android", "--json").json()["items.0.state"]?.string == "blocked")
        #expect(try await gatectl("open", "shop", "android", "--all-gates").status == 0)
        #expect(
            try await gate(gatectl, "android") == #"{"optionalUpdate":{"optionalVersion":"43","message":"New."}}"#,
            "what keeps nobody out stays"
        )
        #expect(try await gatectl("suggest", "shop", "android", "--clear").status == 0)
        #expect(try await gate(gatectl, "android") == "{}")
    }

    @Test func aMessageComesFromAFileOrStandardInput() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("message.txt", "From a file.\n")
        #expect(try await gatectl("alert", "shop", "ios", "-m", "@" + file).status == 0)
        #expect(try await gate(gatectl).contains(#""message":"From a file.""#))
        #expect(try await gatectl("alert", "shop", "ios", "-m", "-", input: "From a pipe.").status == 0)
        #expect(try await gate(gatectl).contains(#""message":"From a pipe.""#))
    }

    @Test func rollbackWritesTheOldGateAsANewRevision() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("alert", "shop", "ios", "-m", "One.")
        _ = try await gatectl("alert", "shop", "ios", "-m", "Two.")
        #expect(try await gatectl("rollback", "shop", "ios", "--last", "-r", "undo").status == 0)
        #expect(try await gate(gatectl).contains("One."))
        #expect(try await gatectl.revision("shop/ios") == 4)
        #expect(try await gatectl("rollback", "shop", "ios", "--to", "3").status == 0)
        #expect(try await gate(gatectl).contains("Two."))
        #expect(try await gatectl("rollback", "shop", "android", "--last").status == 8, "there is nothing before the first")
    }

    @Test func rollingBackIntoAKillIsAsDangerousAsTheKill() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        _ = try await gatectl("open", "shop", "ios")
        #expect(try await gatectl("rollback", "shop", "ios", "--last").status == 3)
        #expect(try await gatectl("rollback", "shop", "ios", "--last", "-y").status == 0)
    }

    /// Settings are no gate: to step back over one of their changes must not leave an app blocked.
    @Test func rollingBackTheLastChangePassesOverSettings() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        for release in ["9.0.0", "9.1.0"] {
            #expect(try await gatectl("apps", "set", "shop", "--platform", "ios", "--add-release", release).status == 0)
        }
        let outcome = try await gatectl("rollback", "shop", "ios", "--last", "-y")
        #expect(outcome.status == 0 && outcome.out.hasPrefix("○ OPEN  shop/ios  revision 5"), "\(outcome)")
        #expect(outcome.err.contains("The gate was last changed by revision 2, which is undone;"), "\(outcome)")
        #expect(try await gate(gatectl) == "{}")
        // The other way round it is as dangerous as any kill.
        #expect(try await gatectl("rollback", "shop", "ios", "--last", "-n", "--json").json()["plan.tier"] == .integer(2))
        #expect(try await gatectl("apps", "set", "shop", "--platform", "android", "--add-release", "9").status == 0)
        let refused = try await gatectl("rollback", "shop", "android", "--last", "--json")
        #expect(refused.status == 8, "\(refused)")
        #expect(try refused.errorJSON()["code"] == .string("nothing_before"))
    }

    /// One target is rolled back at a time, so the others that were shut with it are named.
    @Test func aChangeOfSeveralTargetsIsUndoneOnEach() async throws {
        let gatectl = try await Gatectl.withShop()
        let killed = try await gatectl("kill", "shop", "all", "-m", "Back.", "--confirm", "kill 2 targets")
        for platform in ["ios", "android"] {
            #expect(killed.err.contains("  Undo:   gatectl rollback shop \(platform) --to 1 -r REASON --if-revision 2\n"), "\(killed)")
        }
        let first = try await gatectl("rollback", "shop", "ios", "--last", "-y")
        #expect(first.err.contains("touched other targets too") && !first.err.contains("next: gatectl rollback shop ios"), "\(first)")
        #expect(first.err.contains("  next: gatectl rollback shop android --to 1\n"), "\(first)")
        let second = try await gatectl("rollback", "shop", "android", "--last", "-y")
        #expect(second.status == 0 && !second.err.contains("next:"), "\(second)")
        #expect(try await gatectl("status", "--exit-code").status == 0)
    }

    /// Neither a block nor a way out of it may be a secret of whoever opened the app.
    @Test func anOpeningSaysWhatStillKeepsPeopleOut() async throws {
        let gatectl = try await Gatectl.withShop()
        let said = "shop/ios is still blocked by forced update: gatectl open shop ios --all-gates\n"
        #expect(try await gatectl("force", "shop", "ios", "--on", "--store-checked", "-y").status == 0)
        for options in [[], ["-q"], ["-n"]] {
            let outcome = try await gatectl(["open", "shop", "ios"] + options)
            #expect(outcome.status == 0 && outcome.err.hasSuffix(said), "\(outcome)")
        }
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y").status == 0)
        #expect(try await gatectl("open", "shop", "ios", "-q").err == said)
        #expect(try await gatectl("open", "shop", "ios", "--json").err.isEmpty)
        let opened = try await gatectl("open", "shop", "ios", "--all-gates", "-q")
        #expect(opened.status == 0 && opened.err.isEmpty, "\(opened)")
    }

    @Test func diffComparesRevisionsAndFiles() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("alert", "shop", "ios", "-m", "One.")
        let document = try await gatectl("diff", "shop", "ios", "1", "2", "--json").json()
        #expect(document["different"] == .bool(true))
        #expect(document["items.0.field"]?.string == "alert.message")
        let same = try gatectl.home.file("same.json", #"{"alert":{"blocking":false,"message":"One."}}"#)
        #expect(try await gatectl("diff", "shop", "ios", "-f", same).status == 0)
        let other = try gatectl.home.file("other.json", "{}")
        #expect(try await gatectl("diff", "shop", "ios", "-f", other).status == 10)
        let broken = try gatectl.home.file("broken.json", #"{"alert":{"message":"One."}}"#)
        let refused = try await gatectl("diff", "shop", "ios", "-f", broken)
        #expect(refused.status == 8)
        #expect(refused.err.contains("/alert/blocking"))
    }

    /// Such a block has lifted itself; a job that compares a file with the server every night must not find it for ever.
    @Test func aBlockOfAFileThatEndedIsNoDifferenceAsItIsNoneToApply() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Soon.", "--for", "1h", "-y")
        let export = try await gatectl("export").out
        _ = try await gatectl("open", "shop", "ios", "-y")
        let until = try #require(export.firstMatch(of: /"until"\s*:\s*"([^"]+)"/)).1
        let past = try gatectl.home.file("past.json", export.replacing(until, with: "2026-01-01T00:00:00.000Z"))
        let outcome = try await gatectl("diff", "-f", past)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.err.contains("the file's kill switch of shop/ios ended at 2026-01-01 00:00"), "\(outcome)")
        #expect(try await gatectl("diff", "-f", past, "--json").json()["different"] == .bool(false))
        let applied = try await gatectl("apply", "-f", past, "-y", "--json")
        #expect(applied.status == 0 && applied.out.contains(#""changed":false"#), "\(applied)")
        // One that has not ended is a difference.
        #expect(try await gatectl("diff", "-f", try gatectl.home.file("ahead.json", export)).status == 10)
    }

    @Test func feedPrintsTheExactBytesThatAPhoneGets() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("kill", "shop", "ios", "-m", "Zurück um 9.", "-y")
        for (format, path) in [
            ("launchgate", "/feeds/shop/launchgate.json"), ("bellerophon", "/feeds/shop/ios/bellerophon.json"),
            ("combined", "/feeds/shop/ios/combined.json"),
            ("prince-of-versions", "/feeds/shop/prince-of-versions.json"), ("gate", "/feeds/shop/ios/gate.json"),
        ] {
            let outcome = try await gatectl("feed", "shop", "ios", "--format", format, with: ["GATECTL_TOKEN": ""])
            #expect(outcome.status == 0)
            #expect(try await outcome.out == gatectl.server.feedText(path), "\(format)")
        }
        let headers = try await gatectl("feed", "shop", "ios", "--format", "bellerophon", "-i")
        #expect(headers.out.hasPrefix("HTTP 200\n"))
        #expect(headers.out.contains("\ncache-control: public, max-age=0, s-maxage=2, stale-if-error=86400\n"))
        #expect(headers.out.contains("\netag: \""))
    }

    @Test func anAppIsAddedOnceAndGetsPlatformsLater() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl.sequence()
        let again = try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android", "--json")
        #expect(again.status == 0)
        #expect(try again.json()["changed"] == .bool(false))
        #expect(try await gatectl.sequence() == before)
        let more = try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android,macos", "--json")
        #expect(try more.json()["added"] == .array([.string("shop/macos")]))
        // As it is typed in a hurry.
        let music = try await gatectl("apps", "add", "my-music", "ios", "android", "--json")
        #expect(try music.json()["app.name"] == .string("My music"), "\(music)")
        #expect(try music.json()["added"]?.array?.count == 2)
        #expect(
            try await gatectl("apps", "add", "shop", "ios", "--platform", "tv", "--platform", "watch,web", "--json").json()["added"]
                == .array([.string("shop/tv"), .string("shop/watch"), .string("shop/web")])
        )
    }

    @Test func settingsAliasesAndNamesAreChanged() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "set", "shop", "--name", "Shop & More").status == 0)
        #expect(try await gatectl("apps", "set", "shop", "--alias", "/a.json=launchgate", "--alias", "/b=ios/bellerophon").status == 0)
        #expect(try await gatectl("apps", "set", "shop", "--remove-alias", "/a.json").status == 0)
        #expect(
            try await gatectl(
                "apps",
                "set",
                "shop",
                "--platform",
                "ios",
                "--add-release",
                "4.1.0",
                "--add-release",
                "4.2.0",
                "--retry",
                "30s"
            ).status == 0
        )
        #expect(try await gatectl("apps", "set", "shop", "--platform", "ios", "--add-release", "4.2.0").out.contains("no change"))
        // As --add-release is given again, so may be the whole list.
        let listed = try await gatectl("apps", "set", "shop", "--platform", "ios", "--releases", "4.1.0", "--releases", "4.2.0")
        #expect(listed.out.contains("no change"), "\(listed)")
        let app = try await gatectl("apps", "list", "--json").json()
        #expect(app["items.0.name"]?.string == "Shop & More")
        #expect(app["items.0.aliases"]?.text == #"[{"path":"/b","feed":"bellerophon.json","platform":"ios"}]"#)
        #expect(app["items.0.platforms.ios.releases"]?.text == #"["4.1.0","4.2.0"]"#)
        #expect(app["items.0.platforms.ios.defaultRetryInterval"]?.integer == 30)
    }

    /// The endpoint of settings answers with the target alone, but whoever reads the result must learn of the warnings too.
    @Test func settingsThatAreWrittenTellTheWarningsOfTheirPlan() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("force", "shop", "ios", "--on", "--store-checked", "-y").status == 0)
        let words = ["apps", "set", "shop", "--platform", "ios", "--retry", "30s", "-y", "--json"]
        let planned = try await gatectl(words + ["--dry-run"]).json()["plan.warnings"]
        #expect(planned?.array?.isEmpty == false, "\(String(describing: planned))")
        #expect(try await gatectl(words).json()["warnings"] == planned)
    }

    @Test func watchAndFollowShowEachChangeAsALine() async throws {
        let gatectl = try await Gatectl.withShop()
        let watch = try gatectl.onTerminal("watch", "shop", "ios", "--json")
        let follow = try gatectl.onTerminal("history", "shop", "--follow", "--limit", "1", "--json")
        try follow.expect(#""kind":"create""#)
        // Nothing says when a silent watch has begun, so it is asked until it shows something.
        try await gatectl.untilShown(by: watch) { number in
            _ = try await gatectl("alert", "shop", "android", "-m", "Elsewhere \(number).")
            _ = try await gatectl("alert", "shop", "ios", "-m", "Number \(number).")
        }
        try follow.expect("Number ")
        watch.type("\u{3}")
        follow.type("\u{3}")
        #expect(try watch.finish() == 130)
        #expect(try follow.finish() == 130)
        #expect(!watch.transcript.contains("Elsewhere"))
        for line in watch.transcript.split(whereSeparator: \.isNewline) where line.hasPrefix("{") {
            #expect(try JSONReader.read(String(line))["kind"]?.string == "set")
        }
    }

    @Test func statusOnWatchNeverShowsOldDataAsCurrent() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("status", "--watch")
        try terminal.expect("OPEN")
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y").status == 0)
        try terminal.expect("BLOCKED")
        let address = String(gatectl.server.admin.dropFirst("http://".count))
        await gatectl.server.stop()
        try terminal.expect("NOT LIVE")
        try await gatectl.server.start(admin: address)
        try terminal.expect("BLOCKED")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }

    @Test func doctorTellsWhatIsWrong() async throws {
        let gatectl = try await Gatectl.withShop()
        let good = try await gatectl("doctor", "--json")
        #expect(good.status == 0)
        #expect(try good.json()["ok"] == .bool(true))
        let bad = try await gatectl("doctor", with: ["GATECTL_TOKEN": "gate_wrong"])
        #expect(bad.status == 4)
        #expect(bad.out.contains("FAIL"))
        #expect(try await gatectl("doctor", with: ["GATECTL_SERVER": "http://127.0.0.1:1"]).status == 7)
    }
}

extension Gatectl {
    /// Makes changes until a watcher shows one.
    fileprivate func untilShown(by terminal: Terminal, _ change: (Int) async throws -> Void) async throws {
        for number in 1...20 {
            try await change(number)
            if try terminal.shows("Number ", within: 1_500) { return }
        }
        throw HarnessError("nothing was shown: \(terminal.transcript)")
    }
}
