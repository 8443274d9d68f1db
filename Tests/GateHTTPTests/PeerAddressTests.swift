import GateHTTP
import Testing

struct PeerAddressTests {
    static let table: [(text: String, customary: String, isLoopback: Bool)] = [
        ("127.0.0.1", "127.0.0.1", true),
        ("127.255.0.9", "127.255.0.9", true),
        ("128.0.0.1", "128.0.0.1", false),
        ("0.0.0.0", "0.0.0.0", false),
        ("::1", "::1", true),
        ("::", "::", false),
        ("2001:DB8::0:7", "2001:db8::7", false),
        ("::ffff:127.0.0.1", "127.0.0.1", true),
        ("::ffff:192.0.2.7", "192.0.2.7", false),
        ("fe80::1", "fe80::1", false),
    ]

    @Test(arguments: table)
    func anAddressIsReadAndWritten(_ row: (text: String, customary: String, isLoopback: Bool)) throws {
        let address = try #require(PeerAddress(text: row.text))
        #expect(address.text == row.customary)
        #expect(address.isLoopback == row.isLoopback)
        #expect(PeerAddress(bytes: address.bytes) == address)
    }

    @Test(arguments: ["", "localhost", "127.1", "127.0.0.1:80", "[::1]", "1.2.3.4.5", "::1%lo", " 127.0.0.1", "256.0.0.1"])
    func whatIsNoAddressIsNone(_ text: String) {
        #expect(PeerAddress(text: text) == nil)
    }
}
