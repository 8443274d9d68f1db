import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// `kill --wait`: how far a change has come among those who poll.
struct GatectlWaitTests {
    /// Something that polls a feed for as long as it lives, as phones do.
    private final class Phone: Sendable {
        private let task: Task<Void, Never>

        /// - Parameter tells: whether it says what it had, as a client with a cache does.
        init(_ server: Server, _ path: String = "/feeds/shop/ios/bellerophon.json", tells: Bool) {
            let address = server.feeds
            task = Task {
                var tag: String?
                while !Task.isCancelled {
                    // A poll that fails is what phones have every day; the next one comes.
                    let header = tells ? tag.map { ["-H", "If-None-Match: \($0)"] } ?? [] : []
                    let outcome = try? await run(
                        "/usr/bin/curl",
                        ["-s", "-D", "-", "-o", "/dev/null"] + header + [address + path],
                        environment: [:]
                    )
                    for line in (outcome?.out ?? "").split(separator: "\r\n") where line.lowercased().hasPrefix("etag: ") {
                        tag = String(line.dropFirst(6))
                    }
                }
            }
        }

        deinit { task.cancel() }
    }

    @Test(arguments: [true, false])
    func aKillWaitsUntilTheShareOfThePollsCarriesIt(tells: Bool) async throws {
        let gatectl = try await Gatectl.withShop()
        let phone = Phone(gatectl.server, tells: tells)
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "50%", "--wait-limit", "3m")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.out.contains("■ BLOCKED  shop/ios  revision 2"))
        #expect(outcome.out.contains("revision 2;") && outcome.out.contains("have fetched it"), "\(outcome)")
        let again = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "50%", "--json").json()
        #expect(again["changed"] == .bool(false))
        #expect(again["wait.reached"] == .bool(true))
        #expect((again["wait.targets.0.carriedPercent"]?.integer ?? 0) >= 50)
        withExtendedLifetime(phone) {}
    }

    /// Whoever lifts a block wants to know as much when phones are let in, and so does a pipeline.
    @Test func openRollbackAndApplyWaitToo() async throws {
        let gatectl = try await Gatectl.withShop()
        let phone = Phone(gatectl.server, tells: true)
        let file = try await gatectl("export").out
        for command in [
            ["kill", "shop", "ios", "-m", "Back.", "-y"], ["open", "shop", "ios", "-y"], ["rollback", "shop", "ios", "--last", "-y"],
        ] {
            let outcome = try await gatectl(command + ["--wait", "60%", "--json"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try outcome.json()["wait.reached"] == .bool(true))
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "gates-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // the machine empties the folder too
        try file.write(toFile: path, atomically: true, encoding: .utf8)
        let applied = try await gatectl("apply", "-f", path, "-y", "--wait", "60%", "--json")
        #expect(applied.status == 0, "\(applied)")
        #expect(try applied.json()["wait.targets.0.target"] == .string("shop/ios"))
        withExtendedLifetime(phone) {}
    }

    /// Polls from before the change are not held against it: one phone that has it is all of them, within seconds.
    @Test func aPhoneThatWasToldCountsAsOneThatHasIt() async throws {
        let gatectl = try await Gatectl.withShop()
        let phone = Phone(gatectl.server, tells: true)
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "100%", "--wait-limit", "50s", "--json")
        #expect(outcome.status == 0, "\(outcome)")
        withExtendedLifetime(phone) {}
    }

    @Test func aShareThatIsNotReachedInTimeExitsWith1AndTheChangeIsMade() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "95%", "--wait-limit", "1s")
        #expect(outcome.status == 1)
        #expect(outcome.out.hasPrefix("■ BLOCKED  shop/ios  revision 2"))
        #expect(
            outcome.err.contains("not reached: 95%") && outcome.err.contains("The change is made; shop/ios: nobody has polled"),
            "\(outcome)"
        )
        let document = try await gatectl("kill", "shop", "android", "-m", "Back.", "-y", "--wait", "95%", "--wait-limit", "1s", "--json")
        #expect(document.status == 1)
        #expect(try document.json()["changed"] == .bool(true))
        #expect(try document.json()["wait.reached"] == .bool(false))
        #expect(document.err == "")
        #expect(try await gatectl.revision("shop/ios") == 2)
    }

    @Test func aRevisionThatIsReplacedIsWaitedForNoLonger() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "95%", with: ["NO_COLOR": "1"])
        try terminal.expect("nobody has polled")
        #expect(try await gatectl("open", "shop", "ios").status == 0)
        try terminal.expect("shop/ios is at revision 3 now")
        #expect(try terminal.finish() == 1)
    }

    @Test func controlCWhileWaitingSaysThatTheChangeIsMade() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "95%", with: ["NO_COLOR": "1"])
        try terminal.expect("nobody has polled")
        terminal.type("\u{3}")
        try terminal.expect("interrupted: the change is made")
        #expect(try terminal.finish() == 130)
    }

    @Test func thePlanAndTheStatusSayHowManyPoll() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(!(try await gatectl("kill", "shop", "ios", "-m", "Back.", "-n").out.contains("polled")))
        let phone = Phone(gatectl.server, tells: true)
        var plan = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-n")
        // A warning may say "polled" before there is a minute to tell of.
        for _ in 1...200 where !plan.out.contains("times within the last minute here") {
            plan = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-n")
        }
        #expect(plan.out.contains("times within the last minute here"), "\(plan)")
        let status = try await gatectl("status", "shop", "ios")
        #expect(status.err.contains("of the last minute's") && status.err.contains("revision 1;"), "\(status)")
        #expect(try await gatectl("status", "shop", "ios", "--json").json()["items.0.reach.pollsPerMinute"]?.integer ?? 0 > 0)
        withExtendedLifetime(phone) {}
    }

    /// A plan speaks of the option only where the command has it.
    @Test func onlyACommandThatCanWaitSaysSo() async throws {
        let gatectl = try await Gatectl.withShop()
        let phone = Phone(gatectl.server, tells: true)
        let kill = ["kill", "shop", "ios", "-m", "Back.", "-n"]
        var plan = try await gatectl(kill)
        for _ in 1...200 where !plan.out.contains("times within the last minute here") { plan = try await gatectl(kill) }
        #expect(plan.out.contains("--wait 95% waits for them"), "\(plan)")
        for words in [
            ["alert", "shop", "ios", "-m", "Back.", "--blocking", "-n"],
            ["schedule", "add", "shop", "ios", "--from", "tomorrow 09:00", "-n", "--", "kill", "-m", "Back."],
        ] {
            plan = try await gatectl(words)
            #expect(plan.out.contains("within the last minute here") && !plan.out.contains("--wait"), "\(plan)")
        }
        // Whoever waits already need not be told how.
        plan = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "1%")
        #expect(plan.err.contains("within the last minute here") && !plan.err.contains("--wait"), "\(plan)")
        withExtendedLifetime(phone) {}
    }

    /// Point 46: nobody's own reading counts as a phone's poll.
    @Test func readingAFeedAtTheAdminListenerIsNoPoll() async throws {
        let gatectl = try await Gatectl.withShop()
        let client = try gatectl.server.client()
        for _ in 1...5 {
            #expect(try await client.raw("/feeds/shop/ios/bellerophon.json").status == 200)
            #expect(try await gatectl("feed", "shop", "ios").status == 0)
            #expect(try await gatectl("doctor").status == 0)
        }
        _ = try await gatectl.server.feed("/feeds/shop/android/bellerophon.json")
        // The counters are read once a second, all at once.
        try await waitUntil("the poll of android is counted") { try await client.target("shop", "android").reach != nil }
        #expect(try await client.target("shop", "ios").reach == nil)
    }

    @Test func aWaitWithoutSenseIsWrongUsage() async throws {
        let gatectl = try await Gatectl.withShop()
        for arguments in [["--wait", "95"], ["--wait", "0%"], ["--wait", "101%"], ["--wait-limit", "5m"], ["--wait", "95%", "-n"]] {
            #expect(try await gatectl(["kill", "shop", "ios", "-m", "x", "-y"] + arguments).status == 64, "\(arguments)")
        }
        #expect(try await gatectl.revision("shop/ios") == 1)
    }
}
