import GateHTTP
import Testing

@testable import GateServer

/// R60: a name that somebody else has made point to this server is not the server's.
@Suite struct OwnHostsTests {
    /// What every listener takes, and what none does.
    private static let always: [(String, Bool)] = [
        ("localhost", true), ("localhost:8080", true), ("LocalHost:1", true), ("localhost.", true), ("localhost.:8080", true),
        ("localhost:", true),
        ("127.0.0.1", true), ("127.0.0.1:8080", true), ("127.8.9.10", true), ("[::1]", true), ("[::1]:8080", true),
        ("[0:0:0:0:0:0:0:1]", true),
        ("[::ffff:127.0.0.1]:80", true), ("[::1%25lo]:8080", true),
        ("evil.example", false), ("evil.example:8080", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false),
        ("127.0.0.1.nip.io", false),
        ("evil-localhost", false), ("localhost..", false), (".localhost", false), ("app.localhost", false), ("localhost:80:80", false),
        ("localhost:x", false),
        ("localhost:80x", false), ("localhost:-1", false), ("user@localhost", false), ("user:80@localhost", false),
        ("localhost@evil.example", false), ("evil.example#localhost", false),
        ("localhost/", false), ("", false), (":", false), (":8080", false), (".", false), ("[]", false), ("[", false), ("[::1", false),
        ("::1", false), ("[::1]x", false),
        ("[::1]:8080x", false), ("[localhost]", false), ("[127.0.0.1]", false), ("[::1%25lo].evil.example", false), ("2130706433", false),
        ("0x7f000001", false), ("0177.0.0.1", false),
        ("127.1", false), ("127.0.0.1:8080, evil.example", false), ("ｌocalhost", false), ("localhost\u{0}", false), (" localhost", false),
    ]

    @Test(arguments: always) func loopbackNamesAreAlwaysTheServersOwnAndOthersNever(field: String, isOwn: Bool) {
        for address in ["127.0.0.1", "::1", "192.168.1.5", "0.0.0.0", "::"] {
            for origins in [[], ["https://gate.example.com"]] {
                #expect(OwnHosts(listening: address, origins: origins).accepts(field) == isOwn, "\(field) at \(address)")
            }
        }
    }

    /// Load balancers ask by names that nobody tells the server.
    @Test(arguments: [
        ("/healthz/live", true), ("/healthz/ready", true), ("/healthz", false), ("/healthz/", false), ("/healthz/live/", false),
        ("/healthz/../metrics", false), ("//healthz/live", false),
        ("/healthz/live%2f", false), ("http://evil.example/healthz/live", false), ("/", false), ("/metrics", false),
        ("/openapi.json", false), ("/api/v1/status", false),
        ("/feeds/shop/launchgate.json", false), ("*", false),
    ])
    func onlyHealthIsToldToWhoeverAsksByAnyName(target: String, isTold: Bool) {
        let hosts = OwnHosts(listening: "127.0.0.1", origins: [])
        #expect(hosts.accepts("evil.example", target: target) == isTold)
        #expect(hosts.accepts("localhost", target: target))
    }

    @Test(arguments: [
        // The address that it listens on, and no other.
        ("192.168.1.5", "192.168.1.5:8080", true), ("192.168.1.5", "192.168.1.6:8080", false),
        ("192.168.1.5", "[::ffff:192.168.1.5]", true), ("192.168.1.5", "0.0.0.0", false),
        ("2001:db8::7", "[2001:DB8:0::7]:8080", true), ("2001:db8::7", "[2001:db8::8]:8080", false),
        ("fe80::1", "[fe80::1%25eth0]:8080", true),
        ("127.0.0.1", "192.168.1.5", false), ("127.0.0.1", "0.0.0.0:8080", false), ("::1", "[::]", false),
        // All addresses: any in digits, which no name server can make another's.
        ("0.0.0.0", "192.168.1.5:8080", true), ("0.0.0.0", "203.0.113.9", true), ("0.0.0.0", "0.0.0.0:8080", true),
        ("::", "[2001:db8::7]", true), ("::", "192.168.1.5", true),
        ("0.0.0.0", "192.168.1.5.evil.example", false), ("0.0.0.0", "gate.example.com", false),
    ])
    func anAddressIsOwnWhereTheServerListensOnIt(listening: String, field: String, isOwn: Bool) {
        #expect(OwnHosts(listening: listening, origins: []).accepts(field) == isOwn)
    }

    @Test(arguments: [
        ("https://gate.example.com", "gate.example.com", true), ("https://gate.example.com", "GATE.Example.COM:443", true),
        ("https://gate.example.com", "gate.example.com.", true),
        ("https://gate.example.com:8443", "gate.example.com:8443", true), ("https://gate.example.com:8443", "gate.example.com", true),
        ("https://Gate.Example.com", "gate.example.com", true), ("https://gate.example.com", "example.com", false),
        ("https://gate.example.com", "a.gate.example.com", false),
        ("https://gate.example.com", "gate.example.com.evil.example", false), ("https://gate.example.com", "gatexexample.com", false),
        ("https://203.0.113.9", "203.0.113.9:443", true), ("https://203.0.113.9", "203.0.113.8", false),
        ("http://[2001:db8::7]:8080", "[2001:db8::7]:8080", true),
        ("http://[2001:db8::7]:8080", "[2001:db8::8]:8080", false),
    ])
    func theOriginsHostIsOwnWhateverItsPort(origin: String, field: String, isOwn: Bool) {
        #expect(OwnHosts(listening: "127.0.0.1", origins: ["https://other.example.com", origin]).accepts(field) == isOwn)
    }
}
