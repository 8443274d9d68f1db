import CurlHTTP
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import Synchronization
import Testing

/// What stands between gatectl and a server, told apart: names, ports, certificates, protocols, proxies.
@Suite(.timeLimit(.minutes(2)))
struct GatectlConnectionTests {
    /// What a failure with `--json` says: its exit, and what stood in the way.
    private func cause(_ gatectl: Gatectl, _ address: String, with more: [String: String] = [:]) async throws -> String? {
        let outcome = try await gatectl(
            ["apps", "list", "--json", "--timeout", "3s"],
            with: more.merging(["GATECTL_SERVER": address]) { $1 }
        )
        #expect(outcome.status == 7, "\(address) \(more): \(outcome)")
        let error = try outcome.errorJSON()
        #expect(error["code"]?.string == "unreachable" || error["code"]?.string == "no_answer", "\(address) \(more): \(outcome)")
        #expect(error["outcomeUnknown"] == nil)
        return error["cause"]?.string
    }

    private static func port(_ address: String) -> Substring { address.split(separator: ":").last ?? "" }

    @Test(.enabled(if: Authority.isAvailable)) func certificatesAreBelievedOrToldWhyNot() async throws {
        let authority = try await Authority()
        let server = try await Server.start(options: authority.options(for: "IP:127.0.0.1"))
        let gatectl = try Gatectl(server)
        let trust = ["SSL_CERT_FILE": authority.file]
        #expect(server.admin.hasPrefix("https://"))
        let outcome = try await gatectl("apps", "list", with: trust)
        #expect(outcome.status == 0, "\(outcome)")

        // gatectl's own variable goes before everybody's, and a context remembers its own file.
        #expect(try await gatectl("apps", "list", with: ["GATECTL_CA_FILE": authority.file, "SSL_CERT_FILE": "/no/such/file"]).status == 0)
        let added = try await gatectl("context", "add", "own", "--server", server.admin, "--ca", authority.file)
        #expect(added.status == 0, "\(added)")
        let own = try await gatectl("apps", "list", "--context", "own", with: ["GATECTL_SERVER": ""])
        #expect(own.status == 0, "\(own)")
        // Signing in trusts what the context was just told to trust, by its name, as is printed, and by its address.
        #expect(added.err.contains("next: gatectl auth login --with-token --context own < token-file\n"), "\(added)")
        for choice in [["--context", "own"], ["--server", server.admin]] {
            let unset = ["GATECTL_SERVER": "", "GATECTL_TOKEN": ""]
            let signedIn = try await gatectl(["auth", "login", "--with-token"] + choice, input: server.token + "\n", with: unset)
            #expect(signedIn.status == 0, "\(choice): \(signedIn)")
        }
        #expect(try await gatectl("context", "add", "none", "--server", server.admin, "--ca", "/no/such/file").status == 8)

        #expect(try await cause(gatectl, server.admin) == "certificate_unknown")
        #expect(try await cause(gatectl, server.admin, with: ["SSL_CERT_FILE": "/no/such/file"]) == "trust_file")
        #expect(try await cause(gatectl, "https://localhost:\(Self.port(server.admin))", with: trust) == "certificate_of_another_host")
        // A listener with TLS closes the connection of whoever speaks plain http.
        #expect(try await cause(gatectl, "http://127.0.0.1:\(Self.port(server.admin))") == "hung_up")
        let words = try await gatectl("status", "--timeout", "1s", with: ["GATECTL_SERVER": "http://127.0.0.1:\(Self.port(server.admin))"])
        #expect(words.err.contains("is it https://, or another port?"), "\(words)")

        let expired = try await Server.start(options: authority.options(for: "IP:127.0.0.1", days: -1))
        #expect(try await cause(gatectl, expired.admin, with: trust) == "certificate_expired")
    }

    @Test func aNameAPortAndAProtocolThatAreWrongAreToldApart() async throws {
        let gatectl = try await Gatectl.withShop()
        let ssh = try StubServer { _, _ in .bytes("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n") }
        let cases = [
            ("http://127.0.0.1:1", "refused", "nothing listens there"), ("https://gate.invalid", "unknown_host", "no host of that name"),
            ("https://127.0.0.1:\(Self.port(gatectl.server.admin))", "not_tls", "does not speak TLS"),
            (ssh.address, "not_http", "does not speak HTTP"),
        ]
        for (address, wanted, words) in cases {
            #expect(try await cause(gatectl, address) == wanted)
            let outcome = try await gatectl("status", "--timeout", "1s", with: ["GATECTL_SERVER": address])
            #expect(outcome.err.contains(words) && outcome.err.contains("\n  next: "), "\(outcome)")
        }
    }

    /// The port of the feeds answers, and has no API: nothing that was named is missing for that.
    @Test func thePortOfTheFeedsIsTold() async throws {
        let gatectl = try await Gatectl.withShop()
        for words in [["status"], ["kill", "shop", "ios", "-m", "Back.", "-y"]] {
            let outcome = try await gatectl(words, with: ["GATECTL_SERVER": gatectl.server.feeds])
            #expect(outcome.status == 7, "\(outcome)")
            #expect(outcome.err.contains("is it the port of the feeds?"), "\(outcome)")
        }
        #expect(try await gatectl.revision("shop/ios") == 1)
    }

    /// The address of the API, or of a page, was taken for the server's: no app is missing for that.
    @Test func aPathThatIsNotTheServersIsTold() async throws {
        let gatectl = try await Gatectl.withShop()
        let server = gatectl.server.admin
        for path in ["/api/v1", "/gates"] {
            let wrong = ["GATECTL_SERVER": server + path + "/"]
            let said = "the server's address \(server)\(path) has the path \(path), and no API is below it. Is it \(server)?"
            for words in [["status"], ["apps", "list"], ["kill", "shop", "ios", "-m", "Back.", "-y"], ["history", "shop"], ["export"]] {
                let outcome = try await gatectl(words, with: wrong)
                #expect(outcome.status == 7 && outcome.err.contains(said), "\(outcome)")
            }
            let doctor = try await gatectl("doctor", with: wrong)
            #expect(doctor.status == 7 && doctor.out.contains(said), "\(doctor)")
            let error = try await gatectl("status", "--json", with: wrong).errorJSON()
            #expect(error["code"] == .string("wrong_path") && error["outcomeUnknown"] == nil, "\(error)")
        }
        #expect(try await gatectl.revision("shop/ios") == 1)
        let gone = try await gatectl("apps", "list", with: ["GATECTL_SERVER": server + "/"])
        #expect(gone.status == 0, "\(gone)")
    }

    @Test func aTokenThatIsNotTakenIsToldByWhatIsKnownOfIt() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("auth", "status", with: ["GATECTL_TOKEN": "gate_k7Fq2Zx1_0123456789"])
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.err.contains("does not take the token k7Fq2Zx1 (from GATECTL_TOKEN)"), "\(outcome)")
        #expect(!outcome.err.contains("0123456789"))
    }

    /// Nobody but gatectl can say it by then: the server tells nothing of a token to whoever comes with it.
    @Test func aStoredTokenThatWasRevokedIsToldByNameOwnerAndEnd() async throws {
        var gatectl = try await Gatectl.withShop()
        let token = try await AdminClient(server: try #require(ServerAddress(gatectl.server.admin)), token: nil, source: "api").makeToken(
            for: SessionRequest(username: "admin", password: "violet-harbour-41-lantern"),
            named: "laptop"
        ).token
        let operating = gatectl
        gatectl.environment["GATECTL_TOKEN"] = nil
        #expect(try await gatectl("auth", "login", "--with-token", input: token.textForSafekeeping + "\n").status == 0)
        #expect(try await operating("tokens", "revoke", try #require(token.id), "-y").status == 0)
        let outcome = try await gatectl("auth", "status", "--utc")
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.err.contains("credentials.json, laptop of admin, valid until 20"), "\(outcome)")
        #expect(!outcome.err.contains(token.textForSafekeeping))
    }

    @Test func doctorWarnsBeforeATokenEnds() async throws {
        let gatectl = try await Gatectl.withShop()
        for (days, isNear) in [(3, true), (60, false)] {
            let made = try await gatectl("tokens", "add", "laptop\(days)", "--role", "viewer", "--days", "\(days)", "--json").json()
            let token = try #require(made["token"]?.string)
            let outcome = try await gatectl("doctor", "--json", with: ["GATECTL_TOKEN": token])
            let items = try outcome.json()["items"]?.array ?? []
            #expect(items.contains { $0["warning"]?.bool == true } == isNear, "\(outcome)")
        }
    }

    /// libcurl's variables count, but not for this machine, and a proxy is never told the token.
    @Test func aProxyOfTheEnvironmentIsUsedForOtherMachinesAlone() async throws {
        let gatectl = try await Gatectl.withShop()
        let proxy = try StubServer { _, _ in
            .bytes("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let variables = ["http_proxy": proxy.address, "https_proxy": proxy.address, "all_proxy": proxy.address]
        #expect(try await gatectl("status", with: variables).status == 0)
        #expect(proxy.requests.isEmpty)

        #expect(try await cause(gatectl, "https://gate.invalid", with: variables) == "proxy")
        #expect(proxy.requests.first?.hasPrefix("CONNECT gate.invalid:443 HTTP/1.1\r\n") == true, "\(proxy.requests)")
        #expect(!proxy.requests.contains { $0.contains(gatectl.server.token) || $0.lowercased().contains("\r\nauthorization:") })
        #expect(try await cause(gatectl, "https://gate.invalid", with: ["https_proxy": "http://127.0.0.1:1"]) == "proxy")
        #expect(
            try await cause(gatectl, "https://gate.invalid", with: variables.merging(["no_proxy": "gate.invalid"]) { $1 }) == "unknown_host"
        )
    }

    /// As long as there is no connection nothing has been sent: a write that waited for one has not been made, and that is known.
    @Test func aWriteThatWaitedForItsConnectionIsKnownNotToBeMade() async throws {
        let full = try FullServer()
        let waiting = AdminClient(
            server: try #require(ServerAddress(full.address)),
            token: BearerToken("gate_a_b"),
            timeout: .milliseconds(300)
        )
        let notMade = try #require(await #expect(throws: AdminClientError.self) { try await waiting.kill("Back.", at: 1) })
        #expect(notMade.code == .unreachable && notMade.underlying?.code == .timedOut && !notMade.outcomeUnknown, "\(notMade)")

        let silent = try StubServer { _, _ in .silence }
        let unheard = AdminClient(
            server: try #require(ServerAddress(silent.address)),
            token: BearerToken("gate_a_b"),
            timeout: .milliseconds(300)
        )
        let perhaps = try #require(await #expect(throws: AdminClientError.self) { try await unheard.kill("Back.", at: 1) })
        #expect(perhaps.code == .noAnswer && perhaps.underlying?.code == .timedOut && perhaps.outcomeUnknown, "\(perhaps)")
    }
}
