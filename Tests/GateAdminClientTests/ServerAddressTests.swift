import GateAdminClient
import Testing

/// Which texts are addresses of a server, and to which of them a token may be sent.
struct ServerAddressTests {
    @Test(arguments: [
        ("https://gate.example.com", "https://gate.example.com"), (" https://gate.example.com/ \n", "https://gate.example.com"),
        ("https://gate.example.com/gates//", "https://gate.example.com/gates"),
        ("HTTPS://Gate.example.com:8443", "HTTPS://Gate.example.com:8443"),
        ("http://[::1]:8080", "http://[::1]:8080"), ("http://localhost:8080/", "http://localhost:8080"),
    ])
    func anAddressIsKeptWithoutASlashAtItsEnd(text: String, kept: String) throws {
        #expect(ServerAddress(text)?.text == kept)
    }

    @Test(arguments: [
        "", "gate.example.com", "gate.example.com:8080", "//gate.example.com", "https://", "https:///path", "ftp://gate.example.com",
        "file:///etc/passwd",
        "https://user@gate.example.com", "https://user:secret@gate.example.com", "https://:secret@gate.example.com",
        "https://gate.example.com?", "https://gate.example.com/#",
        "https://gate.example.com/?a=b", "https://gate example.com", "https://gate.example.com:99999", "https://gate.example.com:port",
        "https://gate.example.com\r\nX: y", "https://[::1", "https://gate.example.com\\@evil.example",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test(arguments: [
        ("https://gate.example.com/gates/one", "https://gate.example.com"), ("http://[::1]:8080/api/v1/", "http://[::1]:8080"),
        ("https://gate.example.com", nil), ("https://gate.example.com/", nil),
    ])
    func anAddressWithAPathHasOneWithout(text: String, root: String?) throws {
        #expect(try #require(ServerAddress(text)).withoutPath?.text == root)
    }

    @Test(arguments: [
        ("gate.example.com", "https://gate.example.com"), ("gate.example.com:8443/", "https://gate.example.com:8443"),
        ("localhost:8080", "http://localhost:8080"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("ftp://gate.example.com", nil), ("user@gate.example.com", nil), ("", nil),
        ("a b", nil),
    ])
    func whatMayHaveBeenMeantIsProposed(text: String, meant: String?) {
        #expect(ServerAddress.meant(by: text)?.text == meant)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8081", 8080, "http://127.0.0.1:8080"), ("https://[::1]:8081", 8080, "https://[::1]:8080"),
        ("https://gate.example.com", 8080, "https://gate.example.com"), ("http://10.0.0.1:8081", nil, "http://10.0.0.1:8081"),
    ])
    func feedsAreOnThePortThatTheServerNames(text: String, port: Int?, feeds: String) throws {
        #expect(try #require(ServerAddress(text)).feeds(onPort: port) == feeds)
    }

    /// The host that is looked at is the one that libcurl would ask: written in whatever way, 127.0.0.1 is this machine, and a name that
    /// only begins like it is not.
    @Test(arguments: [
        ("https://gate.example.com", true), ("http://gate.example.com", false), ("http://127.0.0.1:8080", true),
        ("http://127.8.9.10", true),
        ("http://localhost", true), ("http://LOCALHOST:1", true), ("http://[::1]:8080", true), ("http://127.1", true),
        ("http://2130706433", true),
        ("http://0x7f.1", true), ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
        ("http://128.0.0.1", false),
        ("http://127.example.com", false), ("http://127.0.0.example", false), ("http://127.0.0.1.2", false), ("http://127.0.0.0x1g", false),
        ("http://[::2]", false), ("http://192.168.0.1", false), ("http://0.0.0.0", false),
    ])
    func aTokenGoesOverTLSOrStaysOnTheMachine(text: String, isConfidential: Bool) throws {
        #expect(try #require(ServerAddress(text)).isConfidential == isConfidential)
    }

    @Test func aTokenIsPrintableAndNeverPrinted() throws {
        for text in ["", " ", "gate_a b", "gate_ä", "gate_a\r\nX: y", "gate_\u{0}"] {
            #expect(BearerToken(text) == nil, "\(text.debugDescription)")
        }
        let token = try #require(BearerToken(" gate_abc_secret\n"))
        #expect(token.textForSafekeeping == "gate_abc_secret")
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(describing: token), String(reflecting: token), dumped] {
            #expect(!text.contains("secret"), "\(text)")
        }
    }
}
