import Testing

@testable import GateCrypto

@Suite struct Base64URLTests {
    /// RFC 4648 section 10 without padding, and bytes whose characters differ from plain base64.
    static let vectors: [(bytes: [UInt8], text: String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xFF, 0xBF], "-_-_"),
    ]

    @Test(arguments: vectors) func publishedVectors(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: ["Zg==", "Zg=", "+/+/", "Zm9v ", " Zm9v", "Zm9v\n", "Z", "Zh", "Zm9", "Zm.v", "Zm9vé"])
    func oneValueHasOneSpelling(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func aSecretOfThirtyTwoBytesHasFortyThreeCharacters() {
        #expect(RandomSource { [UInt8](repeating: 0xFF, count: $0) }.secret() == String(repeating: "_", count: 42) + "8")
    }
}
