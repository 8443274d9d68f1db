import GateCrypto
import Testing

struct Base32Tests {
    /// RFC 4648 section 10, without the padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
        ("12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
    ])
    func theTextIsThatOfTheStandard(bytes: String, text: String) {
        #expect(Base32.encode(Array(bytes.utf8)) == text)
    }

    @Test func everyBitCounts() {
        #expect(Base32.encode([0xff, 0xff, 0xff, 0xff, 0xff]) == "77777777")
        #expect(
            Base32.encode([
                0, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf, 0x84, 0x65, 0x3a, 0x56, 0xd7, 0xc6, 0x75, 0xbe, 0x77, 0xdf,
            ]) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
        )
    }
}
