import Testing

@testable import GateCrypto

@Suite struct SHA256DigestTests {
    /// NIST's examples for FIPS 180-4, and the digest of nothing.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ])
    func publishedVectors(text: String, hexadecimal: String) {
        #expect(SHA256Digest(of: text).hexadecimal == hexadecimal)
    }

    @Test func aMillionTimesA() {
        let digest = SHA256Digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func hexadecimalReadsBothCasesAndNothingElse() {
        let digest = SHA256Digest(of: "abc")
        #expect(SHA256Digest(hexadecimal: digest.hexadecimal) == digest)
        #expect(SHA256Digest(hexadecimal: digest.hexadecimal.uppercased()) == digest)
        for text in [
            "", "ba78", digest.hexadecimal + "00", String(digest.hexadecimal.dropLast()), String(digest.hexadecimal.dropLast()) + "g",
            "é" + digest.hexadecimal.dropFirst(2),
        ] {
            #expect(SHA256Digest(hexadecimal: text) == nil, "\(text)")
        }
    }

    @Test func onlyThirtyTwoBytesAreADigest() {
        #expect(SHA256Digest(bytes: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(SHA256Digest(bytes: [UInt8](repeating: 1, count: 33)) == nil)
        #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: 32)) == .zero)
    }

    @Test func digestsDifferWhenAnyBitDoes() {
        let digest = SHA256Digest(of: "abc")
        for index in 0..<32 {
            var bytes = digest.bytes
            bytes[index] ^= 1
            #expect(SHA256Digest(bytes: bytes) != digest)
        }
    }
}
