import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// A phone with GateKit beside the real server: it is shut out, reads the text in its language, and is let in again.
@Suite(.timeLimit(.minutes(2))) struct GatekitDemoTests {
    private func set(_ server: Server, _ rules: [Rule: JSONObject], clearing cleared: Rule? = nil, at revision: Int) async throws {
        var edits: [Rule: JSONValue?] = rules.mapValues(JSONValue.object)
        if let cleared { edits.updateValue(nil, forKey: cleared) }
        let edit = GateEdit(edits)
        let target = TargetRef(app: "shop", platform: "ios", revision: revision)
        _ = try await server.client().commit(
            ChangeRequest(targets: [target], content: .set(edit), terms: WriteTerms(reason: "test", confirm: "shop/ios"))
        )
    }

    @Test(arguments: [FeedName.gate, .bellerophon, .launchgate, .combined]) func aPhoneIsShutOutAndLetInAgain(feed: FeedName) async throws {
        let server = try await Server.withShop()
        let path = feed.path(for: TargetKey(app: try #require(AppKey("shop")), platform: .ios))
        let phone = try DemoPhone([
            "--feed", server.feeds + path, "--version", "4.1", "--locale", "de-AT", "--minimum-spacing", "0s",
        ])
        let first = try await phone.line(1)
        #expect(first.names == ["event", "decision", "message", "retryInterval", "storeURL", "sequence", "stale", "suppressed"])
        #expect(first["decision"]?.string == "open")
        #expect(first["stale"] == .bool(false))
        #expect((first["sequence"]?.integer != nil) == (feed == .gate))

        let message: JSONValue = ["default": .string("Closed"), "de": .string("Zu")]
        try await set(server, [.killSwitch: ["message": message, "retryInterval": .integer(5)]], at: 1)
        try phone.tell("foreground")
        let killed = try await phone.line(2)
        #expect(killed["decision"]?.string == "blocked")
        // In its language wherever the address says for which platform it asks: launchgate.json is for two here.
        #expect(killed["message"]?.string == (feed == .launchgate ? "Closed" : "Zu"))

        // From here on it asks by itself.
        try await set(server, [:], clearing: .killSwitch, at: 2)
        #expect(try await phone.line(3)["decision"]?.string == "open")
        #expect(phone.lines.count == 3)
    }

    @Test func whatIsPutAwayStaysSoAfterARestart() async throws {
        let server = try await Server.withShop()
        let memory = server.folder.path + "/phone.json"
        try await set(
            server,
            [
                .optionalUpdate: ["optionalVersion": .string("4.3.0"), "message": .string("4.3 is out.")],
                .alert: ["message": .string("Slow today."), "blocking": .bool(false)],
            ],
            at: 1
        )
        let arguments = ["--feed", server.feeds + "/feeds/shop/ios/gate.json", "--version", "4.1", "--memory", memory]
        let phone = try DemoPhone(arguments)
        #expect(try await phone.line(1)["decision"]?.string == "optional")
        #expect(try await phone.line(1)["suppressed"]?.array == [["rule": .string("alert"), "reason": .string("masked")]])
        try phone.tell("acknowledge")
        #expect(try await phone.line(2)["decision"]?.string == "alert")
        try phone.tell("later")
        #expect(try await phone.line(3)["decision"]?.string == "open")

        // Started anew while the server is away: what is known still holds, and is said to be old.
        await server.kill()
        let once = try await run(Programs.gatekitDemo, arguments + ["--once", "--timeout", "2s"], environment: Server.environment)
        #expect(once.status == 1)
        let lines = try once.out.split(separator: "\n").map { try #require(JSONReader.read(String($0)).object) }
        #expect(lines.last?["event"]?.string == "error")
        #expect(lines.last?["code"]?.string == "transport")
        #expect(lines.last?["keeps"]?.string == "alert")
        #expect(lines.first?["stale"] == .bool(true))
    }

    @Test func oneCheckEndsWithItsStatus() async throws {
        let server = try await Server.withShop()
        let feed = server.feeds + "/feeds/shop/ios/gate.json"
        let good = try await run(Programs.gatekitDemo, ["--feed", feed, "--version", "4.1", "--once"], environment: Server.environment)
        #expect(good.status == 0)
        #expect(good.out.split(separator: "\n").count == 1)
        // What cannot be remembered is said, and takes nothing from what the check brought.
        let forgetful = try await run(
            Programs.gatekitDemo,
            ["--feed", feed, "--version", "4.1", "--once", "--memory", server.folder.path + "/none/m.json"],
            environment: Server.environment
        )
        #expect(forgetful.status == 0)
        let lines = forgetful.out.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""event":"state","decision":"open""#) == true)
        #expect(lines.last?.contains(#""code":"memory","keeps":"open""#) == true)
        let missing = server.feeds + "/feeds/none/ios/gate.json"
        let bad = try await run(Programs.gatekitDemo, ["--feed", missing, "--version", "4.1", "--once"], environment: Server.environment)
        #expect(bad.status == 1)
        #expect(bad.out.contains(#""code":"status","keeps":"open""#))
        for arguments in [["--feed", "x"], ["--feed", feed, "--key", "x"], ["--feed", feed, "--timeout", "soon"], []] {
            let outcome = try await run(Programs.gatekitDemo, arguments, environment: Server.environment)
            #expect(outcome.status == 64, "\(arguments)")
        }
    }
}
