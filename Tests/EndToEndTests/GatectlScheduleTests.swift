import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Windows from the command line, over a real server. Point 21: the past is refused; point 22: times are echoed in full.
struct GatectlScheduleTests {
    private static let times = ["--from", "2030-03-30 08:30", "--until", "2030-03-30 09:00", "--tz", "Europe/Berlin"]

    private func add(_ gatectl: Gatectl, _ options: [String] = ["-y"], _ action: [String] = ["kill", "-m", "We open at nine."]) async throws
        -> Outcome
    {
        try await gatectl(["schedule", "add", "shop", "ios"] + Self.times + options + ["--"] + action)
    }

    @Test func aWindowIsMadeListedShownAndCancelled() async throws {
        let gatectl = try await Gatectl.withShop()
        let made = try await add(gatectl)
        #expect(made.status == 0, "\(made)")
        #expect(made.out.contains("2030-03-30 08:30 Europe/Berlin (+01:00) = 2030-03-30 07:30:00 UTC"), "\(made)")
        #expect(made.out.contains("2030-03-30 09:00 Europe/Berlin (+01:00) = 2030-03-30 08:00:00 UTC"), "\(made)")

        let list = try await gatectl("schedule", "list", "--json").json()
        #expect(list["items.0.id"]?.integer == 1)
        #expect(list["items.0.start.at"] == .string("2030-03-30T07:30:00.000Z"))
        #expect(list["items.0.targets.0.app"] == .string("shop"))
        #expect(try await gatectl("schedule").out.contains("kill “We open at nine.”"))
        #expect(try await gatectl("schedule", "list", "-o", "plain").out.hasPrefix("1\tpending\t2030-03-30T07:30:00.000Z\tshop/ios\t"))
        #expect(try await gatectl("schedule", "show", "1").out.contains("made by"))

        let cancelled = try await gatectl("schedule", "cancel", "1", "-r", "off", "--json").json()
        #expect(cancelled["window.state"] == .string("cancelled"))
        #expect(try await gatectl("schedule", "list").out == "No windows wait or run.\n")
        #expect(try await gatectl("schedule", "list", "--all").out.contains("CANCELLED"))
    }

    /// A script writes only what it has read.
    @Test func ifRevisionHoldsForAWindowToo() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await add(gatectl).status == 0)
        let revision = try await gatectl("schedule", "show", "1", "--json").json()["window.revision"]?.integer
        let edit = ["schedule", "edit", "1", "--until", "2030-03-30 10:00", "-y", "--if-revision"]
        #expect(try await gatectl(edit + [String(try #require(revision))]).status == 0)
        let run = ["schedule", "run", "1"]
        for words in [edit, run + ["-y", "--if-revision"], run + ["-n", "--if-revision"], ["schedule", "cancel", "1", "--if-revision"]] {
            let stale = try await gatectl(words + ["1"])
            #expect(stale.status == 5 && stale.err.contains("you saw revision 1, it has 2 now"), "\(words): \(stale)")
        }
        #expect(try await gatectl("schedule", "run", "1", "-y", "--if-revision", "2").status == 0)
        #expect(try await gatectl("schedule", "end", "1", "-y", "--if-revision", "2").status == 5)
        #expect(try await gatectl("schedule", "end", "1", "-y", "--if-revision", "3").status == 0)
    }

    /// The same for two people in two zones.
    @Test(arguments: ["Asia/Tokyo", "America/Los_Angeles"]) func aWindowReadsTheSameWhereverItIsRead(zone: String) async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        let here = try await gatectl("schedule", "show", "1")
        let there = try await gatectl(["schedule", "show", "1"], with: ["TZ": zone])
        #expect(here.out == there.out)
    }

    @Test(arguments: [
        (["--from", "2020-01-01T00:00:00Z"], "past_time"), (["--from", "2020-01-01 09:00"], "past_time"),
        (["--from", "2030-03-30 08:30", "--until", "2030-03-30 08:30"], "invalid_window"),
        (["--from", "2030-03-31 02:30", "--tz", "Europe/Berlin"], "no_such_time"),
        (["--from", "2030-10-27 02:30", "--tz", "Europe/Berlin"], "ambiguous_time"),
    ])
    func timesThatCannotBeAreRefused(times: [String], code: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl(["schedule", "add", "shop", "ios"] + times + ["-y", "--json", "--", "kill", "-m", "m"])
        #expect(outcome.status == 8, "\(outcome)")
        #expect(try outcome.errorJSON()["code"] == .string(code))
        #expect(try await gatectl("schedule", "list", "--json").json()["items"]?.array?.isEmpty == true)
    }

    @Test func inAProtectedEnvironmentTheTypedConfirmationIsAskedForWhenItIsMade() async throws {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        #expect(try await add(gatectl, ["-y"]).status == 3)
        #expect(try await add(gatectl, ["-y", "-r", "Sale"]).status == 3)
        let dry = try await add(gatectl, ["-n", "--json"]).json()
        #expect(dry["plan.confirm"] == .string("shop/ios"))
        #expect(try await gatectl("schedule", "list", "--json").json()["items"]?.array?.isEmpty == true)
        #expect(try await add(gatectl, ["-r", "Sale", "--confirm", "shop/ios"]).status == 0)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func aWindowIsRunAtOnceAndOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        let run = try await gatectl("schedule", "run", "1", "-y", "--json")
        #expect(run.status == 0, "\(run)")
        #expect(try run.json()["window.state"] == .string("running"))
        #expect(try await gatectl("status", "--exit-code").status == 10)
        #expect(try await gatectl("schedule", "run", "1", "-y").status == 8)
    }

    @Test(arguments: [
        ["open"], ["require", "4.2.0", "-m", "Update."], ["suggest", "4.3.0", "-m", "4.3 is out."], ["alert", "-m", "Slow."],
        ["force", "--on", "--store-checked"],
    ])
    func everyCommandThatSetsRulesCanBeScheduled(action: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl(
            ["schedule", "add", "shop", "ios", "--from", "2030-03-30T07:00:00Z", "-y", "--json", "--"] + action
        )
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test(arguments: [
        [], ["kil", "-m", "m"], ["kill"], ["kill", "-m", "m", "--for", "30m"], ["kill", "-m", "m", "--dry-run"], ["status"],
    ])
    func whatIsNoSuchCommandIsWrongUsage(action: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await add(gatectl, ["-y"], action).status == 64)
        #expect(try await gatectl("schedule", "show", "9").status == 6)
    }

    /// The server does it by itself, and again after it was killed.
    @Test func theServerCarriesWindowsOutOverAKill() async throws {
        let gatectl = try await Gatectl.withShop()
        let format = { (seconds: Double) in Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 + seconds) * 1_000)).description }
        let made = try await gatectl(
            "schedule",
            "add",
            "shop",
            "ios",
            "--from",
            format(10),
            "-y",
            "--json",
            "--",
            "kill",
            "-m",
            "We open at nine."
        )
        #expect(made.status == 0, "\(made)")
        await gatectl.server.kill()
        try await gatectl.server.start()
        let client = try gatectl.server.client()
        try await waitUntil("the server has begun the window") { try await client.window(1).state != .pending }
        #expect(try await client.window(1).state == .done)
        #expect(try await client.changes([("source", "schedule")]).items.count == 1)
        #expect(try await gatectl.server.feedText("/feeds/shop/ios/bellerophon.json").contains(#""apiInactive":true"#))
    }

    /// "tomorrow" is counted from now for the end as for the start; a bare time of day is the first one after the start.
    @Test(arguments: [
        ("tomorrow 09:00", "tomorrow 10:00", "1 hour"), ("tomorrow 22:00", "06:00", "8 hours"),
        ("2030-03-29 09:00", "2030-03-30 10:30", "1 day 1 hour 30 minutes"),
    ])
    func bothEndsAreCountedFromNowAndTheLengthIsSaid(from: String, until: String, length: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let plan = try await gatectl(
            "schedule",
            "add",
            "shop",
            "ios",
            "--from",
            from,
            "--until",
            until,
            "--tz",
            "UTC",
            "-n",
            "--",
            "kill",
            "-m",
            "Sale."
        )
        #expect(plan.status == 0, "\(plan)")
        #expect(plan.out.contains("lasts  \(length)\n"), "\(plan)")
    }

    /// More than a night is more often a wrong date than meant; a script is not asked.
    @Test func aLongWindowIsAskedAbout() async throws {
        let gatectl = try await Gatectl.withShop()
        let words = [
            "schedule", "add", "shop", "ios", "--from", "2030-03-29 09:00", "--until", "2030-03-29 21:01", "--tz", "UTC", "--", "kill",
            "-m", "Sale.",
        ]
        let asked = try Terminal(Programs.gatectl, words, environment: gatectl.environment)
        try asked.expect("This lasts 12 hours 1 minute. Go on? [y/N] ")
        asked.type("n\n")
        #expect(try asked.finish() == 2)
        #expect(try await gatectl("schedule", "list", "--json").json()["items"]?.array?.isEmpty == true)
    }

    // MARK: A window is moved, ended, made lasting

    @Test func aWindowThatWaitsIsMoved() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        let moved = try await gatectl("schedule", "edit", "1", "--until", "2030-03-30 10:00", "--tz", "Europe/Berlin", "-y")
        #expect(moved.status == 0, "\(moved)")
        #expect(moved.out.contains("2030-03-30 10:00 Europe/Berlin (+01:00)"), "\(moved)")
        let list = try await gatectl("schedule", "list", "--json").json()
        #expect(list["items"]?.array?.count == 1)
        #expect(list["items.0.start.at"] == .string("2030-03-30T07:30:00.000Z"))
        #expect(list["items.0.set.killSwitch.message"] == .string("We open at nine."))
        #expect(try await gatectl("schedule", "show", "1").out.contains("edited by"))
    }

    /// Only the built program shows it: a process with all of Foundation knows zones that gatectl has to read itself.
    @Test(arguments: ["Europe/Berlin", "UTC"]) func aWindowThatWasRunAndEndedEarlySaysWhenItReallyDidSo(zone: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let times = ["--from", "2030-03-30 08:30", "--until", "2030-03-30 09:00", "--tz", zone]
        _ = try await gatectl(["schedule", "add", "shop", "ios"] + times + ["-y", "--", "kill", "-m", "Sale."])
        _ = try await gatectl("schedule", "run", "1", "-y")
        let running = try await gatectl("schedule", "show", "1").out
        #expect(running.contains(/from .* · \d+s ago/), "\(running)")
        #expect(running.contains(", then opens"), "\(running)")
        #expect(try await gatectl("schedule", "list").out.contains("2030-03-30 08:30") == false)
        _ = try await gatectl("schedule", "end", "1", "-y")
        let ended = try await gatectl("schedule", "show", "1").out
        #expect(ended.contains(/until .* · \d+s ago\n/), "\(ended)")
        #expect(ended.contains("lasted less than a minute"), "\(ended)")
    }

    @Test func aRunningWindowIsExtendedAndThenEnded() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        _ = try await gatectl("schedule", "run", "1", "-y")
        #expect(try await gatectl("schedule", "edit", "1", "--from", "2030-03-30 08:00", "-y").status == 8)
        let extended = try await gatectl("schedule", "edit", "1", "--until", "2030-03-30T12:00:00Z", "-y", "--json")
        #expect(extended.status == 0, "\(extended)")
        #expect(try extended.json()["window.end.at"] == .string("2030-03-30T12:00:00.000Z"))
        let ended = try await gatectl("schedule", "end", "1", "-y")
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.out.contains("OPEN"), "\(ended)")
        #expect(try await gatectl("status", "--exit-code").status == 0)
        #expect(try await gatectl("schedule", "end", "1", "-y").status == 8)
    }

    @Test func aRunningWindowBecomesALastingBlock() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        _ = try await gatectl("schedule", "run", "1", "-y")
        let kept = try await gatectl("schedule", "edit", "1", "--no-end", "-y", "--json").json()
        #expect(kept["window.state"] == .string("done"))
        #expect(try await gatectl("status", "--exit-code").status == 10)
    }

    /// Nobody is left behind a block by calling off what would have opened it.
    @Test func cancellingARunningWindowIsAsked() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        _ = try await gatectl("schedule", "run", "1", "-y")
        let refused = try await gatectl("schedule", "cancel", "1")
        #expect(refused.status == 3, "\(refused)")
        #expect(refused.err.contains("gatectl schedule end 1"), "\(refused)")
        let asked = try Terminal(Programs.gatectl, ["schedule", "cancel", "1"], environment: gatectl.environment)
        try asked.expect("Cancel window 1? [y/N] ")
        asked.type("n\n")
        #expect(try asked.finish() == 2)
        #expect(try await gatectl("schedule", "list", "--json").json()["items.0.state"] == .string("running"))
        #expect(try await gatectl("schedule", "cancel", "1", "-y").status == 0)
    }

    /// Whoever puts it off by an hour looks at its own times.
    @Test func anEditIsInTheZoneOfTheWindow() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await add(gatectl)
        let tokyo = ["TZ": "Asia/Tokyo"]
        let moved = try await gatectl(["schedule", "edit", "1", "--until", "2030-03-30 10:00", "-y", "--json"], with: tokyo)
        #expect(try moved.json()["window.end.at"] == .string("2030-03-30T09:00:00.000Z"), "\(moved)")
        #expect(try moved.json()["window.end.zone"] == .string("Europe/Berlin"))
        let named = try await gatectl(["schedule", "edit", "1", "--until", "2030-03-30 18:00", "--tz", "Asia/Tokyo", "-y", "--json"])
        #expect(try named.json()["window.end.at"] == .string("2030-03-30T09:00:00.000Z"), "\(named)")
    }

    @Test(arguments: [[], ["--until", "10:00", "--no-end"]]) func anEditSaysWhatIsToBeDifferent(options: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl(["schedule", "edit", "1"] + options).status == 64)
    }
}
