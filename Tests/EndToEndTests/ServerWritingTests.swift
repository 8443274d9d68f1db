import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import Testing

/// Changes as clients see them: who wins, what is repeated, and when the feeds show it.
struct ServerWritingTests {
    @Test func ofTwoWritersWithTheSameRevisionOneWinsAndTheOtherIsShownTheState() async throws {
        let server = try await Server.withShop()
        let client = try server.client()
        var losses = 0
        for round in 1...10 {
            async let one = Self.outcome { try await client.kill("One \(round)", at: round) }
            async let other = Self.outcome { try await client.kill("Other \(round)", at: round) }
            let refusals = [await one, await other].compactMap { $0 }
            try #require(refusals.count == 1, "exactly one of the two loses")
            losses += refusals.count
            #expect(refusals[0].status == 412)
            #expect(refusals[0].problem?.current?.target.revision == round + 1)
            #expect(try await client.target("shop", "ios").target.revision == round + 1)
        }
        #expect(losses == 10)
    }

    private static func outcome(_ write: () async throws -> ChangeResultBody) async -> AdminClientError? {
        do {
            _ = try await write()
            return nil
        } catch { return error as? AdminClientError }
    }

    @Test func theSameIdempotencyKeyTwiceIsOneChangeAndTheSameAnswer() async throws {
        let server = try await Server.withShop()
        let client = try server.client(idempotencyKey: "one-key")
        let first = try await client.kill("Back.", at: 1)
        let again = try await client.kill("Back.", at: 1)
        #expect(first.json.text == again.json.text)
        #expect(try await client.target("shop", "ios").target.revision == 2)
        let refusal = await Self.outcome { try await client.kill("Another text.", at: 2) }
        #expect(refusal?.status == 422)
        #expect(refusal?.problem?.code == "idempotency_key_reused")
        #expect(try await client.target("shop", "ios").target.revision == 2)
    }

    @Test func afterTheAnswerNoFeedShowsAnOlderState() async throws {
        let server = try await Server.withShop()
        let client = try server.client()
        for revision in 1...40 {
            let text = revision.isMultiple(of: 2) ? nil : "Text \(revision)"
            _ = try await client.kill(text, at: revision)
            let feed = try await server.feedText("/feeds/shop/ios/bellerophon.json")
            #expect(feed == #"{"apiInactive":\#(text != nil),"forceUpdate":false,"retryInterval":15,"userMessage":"\#(text ?? "")"}"#)
        }
    }

    @Test func aProtectedEnvironmentRefusesAKillWithoutConfirmationWhoeverAsks() async throws {
        let server = try await Server.withShop(isProtected: true)
        let client = try server.client()
        let noReason = await Self.outcome { try await client.kill("Back.", at: 1) }
        #expect(noReason?.status == 422)
        #expect(noReason?.problem?.code == "reason_required")
        let noConfirmation = await Self.outcome { try await client.kill("Back.", at: 1, reason: "test") }
        #expect(noConfirmation?.status == 422)
        #expect(noConfirmation?.problem?.code == "confirmation_required")
        #expect(noConfirmation?.problem?.plan?.confirm == "shop/ios")
        #expect(try await client.target("shop", "ios").target.revision == 1)
        #expect(try await client.kill("Back.", at: 1, confirm: " Shop/IOS ", reason: "test").changed == true)
    }

    @Test func aChangeWithoutARevisionIsRefusedWith428() async throws {
        let server = try await Server.withShop()
        let client = try server.client()
        let edit = GateEdit([.killSwitch: ["message": .string("Back.")]])
        let refusal = await Self.outcome {
            try await client.commit(ChangeRequest(targets: [TargetRef(app: "shop", platform: "ios", revision: nil)], content: .set(edit)))
        }
        #expect(refusal?.status == 428)
    }

    @Test func withoutAProofOfWhoOneIsNothingChanges() async throws {
        let server = try await Server.withShop()
        let address = try #require(ServerAddress(server.admin))
        for token in [nil, BearerToken("gate_wrong"), BearerToken(String(server.token.dropLast()) + "x")] {
            let client = AdminClient(server: address, token: token)
            let refusal = await Self.outcome { try await client.kill("Back.", at: 1) }
            #expect(refusal?.status == 401)
        }
        #expect(try await server.client().target("shop", "ios").target.revision == 1)
    }
}
