import Foundation
import GateCrypto
import GateFeeds
import GateTesting
import Testing

/// The test vectors of the documentation, read from where others read them.
@Suite struct SignatureVectorTests {
    @Test func documentedVectors() throws {
        let text = try String(
            contentsOfFile: ProjectFiles.root + "/Sources/GateService/Documentation.docc/SignedFeeds.md",
            encoding: .utf8
        )
        func cell(_ name: String) throws -> String {
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| \(name) | `") })
            return try #require(row.split(separator: "`").dropFirst().first.map(String.init))
        }
        let key = try #require(SigningKey(cell("seed")))
        #expect(key.verifyingKey.text == (try cell("public key")))
        #expect(key.verifyingKey.id == (try cell("key id")))
        let block = try #require(text.components(separatedBy: "```\n").dropFirst().first)
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        for index in stride(from: 0, to: lines.count, by: 2) {
            let document = Array(lines[index].utf8)
            let signature = try #require(FeedSignature(lines[index + 1]))
            #expect(signature.keyID == key.verifyingKey.id)
            #expect(signature.bytes == key.sign(document))
            #expect(key.verifyingKey.verify(signature.bytes, over: document))
        }
    }
}
