import Foundation
import GateAPI
import GateJSON
import GateTesting
import Testing

/// `gatectl reach`: how far a change has come, and which versions poll.
struct GatectlReachTests {
    @Test func theVersionsThatPollAreShownAndProposedAsReleases() async throws {
        let gatectl = try await Gatectl.withShop()
        let nobody = try await gatectl("reach", "shop", "ios", "--versions")
        #expect(nobody.status == 0, "\(nobody)")
        #expect(nobody.out.contains("no poll of the last hour named its version"))
        for (version, times) in [("4.0.0", 3), ("4.1.0", 1)] {
            for _ in 0..<times { _ = try await gatectl.server.feedText("/feeds/shop/ios/bellerophon.json?version=\(version)&os=17.2") }
        }
        let shown = try await gatectl("reach", "shop", "ios", "--versions")
        let lines = shown.out.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("VERSION"), "\(shown)")
        #expect(lines[1].contains("4.0.0") && lines[1].contains("75 %"), "\(shown)")
        #expect(lines[2].contains("4.1.0") && lines[2].contains("25 %"), "\(shown)")
        #expect(shown.err.contains("gatectl apps set shop --platform ios --add-release 4.0.0 --add-release 4.1.0"), "\(shown)")
        let document = try #require(
            try JSONReader.read(Array((await gatectl("reach", "shop", "ios", "--versions", "--json")).out.utf8)).object
        )
        #expect(document["polls"]?.integer == 4)
        #expect(document["items"]?.array?.count == 2)
        #expect(document["since"]?.string != nil)
        let refused = try await gatectl("reach", "shop", "all", "--versions")
        #expect(refused.err.contains("--versions shows one target"), "\(refused)")
        let plain = try await gatectl("reach", "shop", "ios")
        #expect(plain.out.hasPrefix("shop/ios: "), "\(plain)")
    }
}
