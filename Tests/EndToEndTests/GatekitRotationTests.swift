import Foundation
import GateAdminClient
import GateCrypto
import GateJSON
import GateTesting
import Testing

/// A phone that pins two keys beside a server whose keys are changed: nothing is refused in between, and a key that is not pinned is.
@Suite(.timeLimit(.minutes(2))) struct GatekitRotationTests {
    private func keys(_ server: Server, _ words: String...) async throws -> Outcome {
        let outcome = try await run(Programs.gatehouse, ["keys"] + words + ["--data", server.data], environment: Server.environment)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome
    }

    private func add(_ server: Server) async throws -> (id: String, text: String) {
        let match = try #require(
            try await keys(server, "add").out.firstMatch(of: /Key ([0-9a-f]{16}) [^\n]+\nPublic key: ([A-Za-z0-9_-]{43})\n/)
        )
        return (String(match.1), String(match.2))
    }

    /// Waits until the feed is signed with the key.
    private func wait(for id: String, _ server: Server) async throws {
        let gate = "/feeds/shop/ios/gate.json"
        try await waitUntil("the feed is signed with \(id)") {
            try await server.feed(gate).headers.first { $0.name == "gatehouse-signature" }?.value.prefix(16) == id.prefix(16)
        }
    }

    @Test func keysAreChangedUnderAPhoneThatKnowsThem() async throws {
        let server = try await Server.withShop()
        let first = try await add(server)
        try await wait(for: first.id, server)
        let second = try await add(server)
        let phone = try DemoPhone([
            "--feed", server.feeds + "/feeds/shop/ios/gate.json", "--version", "4.1", "--minimum-spacing", "0s", "--key", first.text,
            "--key", second.text,
        ])
        #expect(try await phone.line(1)["decision"]?.string == "open")

        let client = try server.client()
        _ = try await client.kill("Signed by the first", at: 1)
        try phone.tell("foreground")
        #expect(try await phone.line(2)["message"]?.string == "Signed by the first")
        _ = try await keys(server, "activate", second.id)
        try await wait(for: second.id, server)
        // What activating has done already, as whoever goes through the list does it; and a key that is given up before it was used.
        _ = try await keys(server, "retire", first.id)
        _ = try await keys(server, "retire", try await add(server).id)
        _ = try await client.kill("Signed by the second", at: 2)
        try phone.tell("check")
        #expect(try await phone.line(3)["message"]?.string == "Signed by the second")
        _ = try await client.kill(nil, at: 3)
        try phone.tell("check")
        #expect(try await phone.line(4)["decision"]?.string == "open")
        #expect(phone.lines.allSatisfy { $0["event"]?.string == "state" })

        // One that it does not know.
        let third = try await add(server)
        _ = try await keys(server, "activate", third.id)
        try await wait(for: third.id, server)
        _ = try await client.kill("Signed by the third", at: 4)
        try phone.tell("foreground")
        #expect(try await phone.line(5)["stale"] == .bool(true))
        let refusal = try await phone.line(6)
        #expect(refusal["code"]?.string == "signature")
        #expect(refusal["keeps"]?.string == "open")
    }
}
