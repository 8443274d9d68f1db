import Foundation
import GateAPI
import GateAdminClient
import GateFeeds
import GateJSON
import GateTesting
import Testing

/// `gatectl rehearse`: a gate on a real phone, which here is the model of each library.
struct GatectlRehearseTests {
    private static let gate = #"{"killSwitch":{"message":"Back at nine.","retryInterval":30}}"#

    /// The paths of a rehearsal's feeds, by their words.
    private func feeds(_ outcome: Outcome) throws -> (id: String, paths: [String: String]) {
        let rehearsal = try #require(try outcome.json()["rehearsal"]?.object, "\(outcome)")
        let paths = try #require(rehearsal["feeds"]?.object).members.compactMap { name, path in path.string.map { (name, $0) } }
        return (try #require(rehearsal["id"]?.string), Dictionary(uniqueKeysWithValues: paths))
    }

    @Test func phonesPollItWhileTheLiveFeedStaysAsItIs() async throws {
        let gatectl = try await Gatectl.withShop()
        let server = gatectl.server
        let live = try await server.feedText("/feeds/shop/ios/combined.json")
        let begun = try await gatectl("rehearse", "shop", "ios", "-f", "-", "--for", "30m", "--json", input: Self.gate)
        let (id, paths) = try feeds(begun)
        func bytes(_ name: String) async throws -> [UInt8] { Array(try await server.feedText(try #require(paths[name])).utf8) }

        #expect(BellerophonClient.decide(try await bytes("bellerophon")) == .killed(text: "Back at nine.", retryInterval: 30))
        #expect(
            LaunchGateClient.decide(try await bytes("launchgate"), installed: "4.1.0") == .alert(message: "Back at nine.", blocking: true)
        )
        #expect(try await server.feedText("/feeds/shop/ios/combined.json") == live)

        let other = #"{"requiredUpdate":{"minimumVersion":"5.0.0","message":"Please update."}}"#
        let altered = try await gatectl("rehearse", "change", id, "-f", "-", input: other)
        #expect(altered.status == 0, "\(altered)")
        #expect(BellerophonClient.decide(try await bytes("bellerophon")) == .proceed)
        #expect(
            LaunchGateClient.decide(try await bytes("launchgate"), installed: "4.1.0")
                == .requiredUpdate(version: "5.0.0", message: "Please update.")
        )

        let shown = try await gatectl("rehearse", "show", id)
        #expect(shown.out.contains("Polls: 4"), "\(shown)")
        #expect(shown.out.contains("ios/bellerophon.json  no version"), "\(shown)")
        let listed = try await gatectl("rehearse", "list")
        #expect(listed.out.contains(id) && listed.out.contains("shop/ios"), "\(listed)")

        #expect(try await gatectl("rehearse", "end", id).out == "Ended rehearsal \(id)\n")
        let gone = try await server.feed(try #require(paths["bellerophon"]))
        #expect(gone.status == 404)
        #expect(try await server.feedText("/feeds/shop/ios/combined.json") == live)
        #expect(try await server.client().target("shop", "ios").reach?.replaced ?? 0 == 0)
        #expect(try await gatectl("rehearse", "show", id).status == 6)
        #expect(try await gatectl("rehearse", "list").out.contains("There is no rehearsal."))
        let secret = try #require(paths["gate"]?.split(separator: "/").dropFirst().first)
        #expect(try !server.log.contains(secret))
    }

    /// Typed as somebody in a hurry does: with no gate it is the one in force, and addresses come one to a line.
    @Test func withoutAGateItIsTheOneInForce() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl.server.client().kill("Back at ten.", at: 1)
        let begun = try await gatectl("rehearse", "shop", "ios", "-o", "plain")
        #expect(begun.status == 0, "\(begun)")
        let lines = begun.out.split(separator: "\n").map { $0.split(separator: "\t") }
        let address = try #require(lines.first { $0[0] == "bellerophon" }?.last.flatMap { URL(string: String($0)) })
        #expect(address.absoluteString.hasPrefix(gatectl.server.feeds + "/rehearsals/"), "\(begun)")
        #expect(try await gatectl.server.feedText(address.path).contains("Back at ten."))
    }

    @Test(arguments: [
        (["rehearse", "shop", "ios", "--for", "2d"], 8, "1m to 24h"), (["rehearse", "shop", "nowhere"], 6, "nowhere"),
        (["rehearse", "change", "12345678"], 64, "Say what to change"), (["rehearse", "end", "12345678"], 6, "rehearsal"),
    ])
    func whatCannotBeIsSaid(words: [String], status: Int, said: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let refused = try await gatectl(words)
        #expect(refused.status == Int32(status) && refused.err.contains(said), "\(refused)")
    }
}
