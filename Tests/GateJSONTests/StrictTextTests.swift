import GateJSON
import Testing

/// Text is read whole or not at all, in whatever collection its bytes lie.
@Suite struct StrictTextTests {
    /// RFC 3629 section 4: what is UTF-8, and what only looks like it.
    static let cases: [(bytes: [UInt8], text: String?)] = [
        ([], ""), (Array("Back at nine".utf8), "Back at nine"), (Array("Zurück um neun 🕘".utf8), "Zurück um neun 🕘"),
        // A replacement character that somebody wrote is no fault.
        ([0xEF, 0xBF, 0xBD], "\u{FFFD}"), ([0x00], "\u{0}"),
        ([0xFF], nil), ([0x41, 0xC3], nil), ([0xC0, 0x80], nil), ([0xED, 0xA0, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], nil),
    ]

    @Test(arguments: cases)
    func bytesAreReadWholeOrNotAtAll(bytes: [UInt8], text: String?) {
        #expect(String(strictly: bytes) == text)
        #expect(String(strictly: ([0xEF] + bytes).dropFirst()) == text)
        // Which does not lie side by side in memory.
        #expect(String(strictly: bytes.lazy.map { $0 }) == text)
    }

    /// Not a case of the table: a test's name has its case written out.
    @Test(arguments: [0, 50_000, 99_999]) func oneByteAmongManyIsSeen(place: Int) {
        var bytes = [UInt8](repeating: 0x41, count: 100_000)
        #expect(String(strictly: bytes)?.utf8.count == 100_000)
        bytes[place] = 0x80
        #expect(String(strictly: bytes) == nil)
    }
}
