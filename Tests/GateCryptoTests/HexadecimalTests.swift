import GateCrypto
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteIsWrittenInTwoDigitsAndReadAgain() {
        for byte in UInt8.min...UInt8.max {
            let text = Hexadecimal.encode([byte])
            #expect(text.utf8.count == 2)
            #expect(UInt8(text, radix: 16) == byte)
            #expect(text == text.lowercased())
            #expect(Hexadecimal.decode(text) == [byte])
        }
        #expect(Hexadecimal.encode([]).isEmpty)
    }

    /// FIPS 180-4's digest of `abc`, whole and in part.
    @Test(arguments: [(0, ""), (3, "ba7816"), (16, "ba7816bf8f01cfea414140de5dae2223"), (99, SHA256Digest(of: "abc").hexadecimal)])
    func aDigestIsToldByItsFirstBytes(count: Int, text: String) {
        #expect(SHA256Digest(of: "abc").hexadecimal(ofFirst: count) == text)
    }
}
