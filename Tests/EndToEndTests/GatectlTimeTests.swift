import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Kill switches that lift themselves, and the times that people type.
struct GatectlTimeTests {
    private func until(_ gatectl: Gatectl, _ text: String, zone: String) async throws -> String? {
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "--until", text, "--tz", zone, "-n", "--json")
        try #require(outcome.status == 0, "\(outcome)")
        return try outcome.json()["plan.diff"]?.array?.first { $0["field"]?.string == "killSwitch.until" }?["after"]?.string
    }

    @Test func aWallTimeIsThatOfItsZone() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await until(gatectl, "2037-07-01 09:00", zone: "Europe/Berlin") == "2037-07-01T07:00:00.000Z")
        #expect(try await until(gatectl, "2037-01-01 09:00", zone: "Europe/Berlin") == "2037-01-01T08:00:00.000Z")
        #expect(try await until(gatectl, "2037-07-01T09:00:00-05:00", zone: "Europe/Berlin") == "2037-07-01T14:00:00.000Z")
        let next = try #require(try await until(gatectl, "09:00", zone: "UTC"))
        let tomorrow = try #require(try await until(gatectl, "tomorrow 09:00", zone: "UTC"))
        let now = try await gatectl.server.client().status().serverTime
        let moments = try [next, tomorrow].map { try #require(Timestamp($0)) }
        #expect(moments[0] > now && moments[0] <= now.advanced(bySeconds: 86_400))
        #expect(moments[1] > now && moments[1] <= now.advanced(bySeconds: 2 * 86_400))
        #expect([next, tomorrow].allSatisfy { $0.hasSuffix("T09:00:00.000Z") })
    }

    /// Whoever types a wall time reads it back with its offset, in the zone that it was typed in, and in UTC.
    @Test func aWallTimeIsEchoedInFull() async throws {
        let gatectl = try await Gatectl.withShop()
        let kill = ["kill", "shop", "ios", "-m", "Back.", "--until", "2037-07-01 02:00", "-n", "--tz"]
        #expect(try await gatectl(kill + ["Europe/Berlin"]).out.contains("until 2037-07-01 00:00:00 UTC (02:00 +02:00), in "))
        let newYork = try await gatectl(kill + ["America/New_York"])
        #expect(newYork.out.contains("until 2037-07-01 06:00:00 UTC (02:00 -04:00), in "), "\(newYork)")
        #expect(try await gatectl(kill + ["America/New_York", "--utc"]).out.contains("until 2037-07-01 06:00:00 UTC, in "))
        for versions in [[], ["4.1.0"]] {
            let asked = try await gatectl(["simulate", "shop", "ios"] + versions + ["--at", "2037-07-01 01:00", "--tz", "Europe/Berlin"])
            #expect(asked.out.contains("at 2037-06-30 23:00:00 UTC (2037-07-01 01:00 +02:00)"), "\(asked)")
        }
    }

    @Test func aTimeThatIsSkippedDoubledOrPastIsRefused() async throws {
        let gatectl = try await Gatectl.withShop()
        // The clocks of the European Union go forward on the last Sunday of March, and back on that of October.
        let cases = [
            ("2037-03-29 02:30", "does not exist in Europe/Berlin"), ("2037-10-25 02:30", "comes twice in Europe/Berlin"),
            ("2020-01-01 09:00", "past"),
        ]
        for (text, words) in cases {
            let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "--until", text, "--tz", "Europe/Berlin", "-y")
            #expect(outcome.status == 8, "\(text): \(outcome)")
            #expect(outcome.err.contains(words), "\(text): \(outcome)")
        }
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "--until", "soon", "-y").status == 64)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "--until", "09:00", "--tz", "Mars/Base", "-y").status == 64)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "--until", "09:00", "--for", "1h", "-y").status == 64)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    /// A time that no form can show everywhere is refused before the server is asked; a slip of the finger once made a database unreadable.
    @Test func aTimeInAnotherAgeIsRefused() async throws {
        let gatectl = try await Gatectl.withShop()
        for text in ["9999-12-31 23:59", "9998-12-31 23:59", "1969-12-31 20:00", "9999-12-31T23:59:59-00:01", "0000-01-01 00:00"] {
            let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back.", "--until", text, "--tz", "America/New_York", "-y")
            #expect(outcome.status == 8, "\(text): \(outcome)")
            #expect(outcome.err.contains("1970 to 9998"), "\(text): \(outcome)")
            let window = try await gatectl("schedule", "add", "shop", "ios", "--from", text, "--tz", "America/New_York", "-y", "--", "open")
            #expect(window.status == 8, "\(text): \(window)")
        }
        #expect(try await gatectl("history", "--since", "9999-01-01T00:00:00Z").status == 64)
        #expect(try await gatectl("history", "--since", "1000000d").status == 0)
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    @Test func aKillForAWhileSaysWhenItEnds() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "--for", "2h", "-y")
        #expect(outcome.status == 0)
        #expect(outcome.err.contains(" UTC, in 2h\n"), "\(outcome)")
        let status = try await gatectl("status").out
        #expect(status.contains(" UTC (1h 59m)") || status.contains(" UTC (2h)"), "\(status)")
        #expect(try await gatectl("status", "shop", "ios", "-o", "plain").out.split(separator: "\t").count == 6)
    }

    @Test func aKillForAWhileEndsByItselfAndIsSeenToEnd() async throws {
        let gatectl = try await Gatectl.withShop()
        let watch = try gatectl.onTerminal("watch", "shop", "ios", with: ["NO_COLOR": "1"])
        try watch.expect("Ctrl-C ends")
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "--for", "2h", "-y").status == 0)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "--for", "2s").status == 0, "shorter is not more dangerous")
        try watch.expect("opened")
        try watch.expect("(expiry)")
        watch.type("\u{3}")
        #expect(try watch.finish() == 130)
        #expect(try await gatectl("status", "shop", "ios", "--json").json()["items.0.state"]?.string == "open")
    }

    /// Acknowledged is that it ends, too: a power cut between the promise and its moment loses neither and does nothing twice.
    @Test func aKillForAWhileEndsOnceThoughTheServerWasKilledMeanwhile() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "--for", "2h", "-y").status == 0)
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "--for", "1s").status == 0)
        await gatectl.server.kill()
        for _ in 1...2 {
            try await gatectl.server.start()
            let client = try gatectl.server.client()
            try await waitUntil("the kill has ended") { try await client.target("shop", "ios").target.gate.killSwitch == nil }
            #expect(try await client.changes([("source", "expiry")]).items.count == 1)
            #expect(try await gatectl.server.feedText("/feeds/shop/ios/bellerophon.json").contains(#""apiInactive":false"#))
            await gatectl.server.kill()
        }
    }

    @Test func theAuditIsListed() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("audit", "--json")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.json()["items"]?.array?.isEmpty == false)
        #expect(try await gatectl("audit", "--action", "token.create").out.contains("token.create"))
        #expect(try await gatectl("audit", "--actor", "nobody").out.contains("Nothing in the audit."))
    }
}
