import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// R38 at the real server: who guesses is slowed down, the right person is not, and a restart forgives nothing.
struct SignInAttackTests {
    private static let password = "violet-harbour-41-lantern"

    private struct Reply {
        let status: Int
        /// Seconds, of a 429 or a 503.
        let wait: Int?
        /// What makes the browser known, of a 200.
        var device: String?
    }

    /// The server believes the proxy at 127.0.0.1 whom a request comes from.
    /// - Parameter device: what the browser keeps of an earlier sign-in.
    private func signIn(
        _ server: Server,
        as name: String = "admin",
        _ password: String,
        from address: String,
        device: String? = nil
    ) async throws -> Reply {
        guard let url = URL(string: server.admin + "/api/v1/session") else { throw HarnessError("\(server.admin) is no address") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(address, forHTTPHeaderField: "X-Forwarded-For")
        if let device { request.setValue("gh_device=\(device)", forHTTPHeaderField: "Cookie") }
        let body: JSONValue = ["username": .string(name), "password": .string(password)]
        request.httpBody = Data(body.bytes)
        let (_, response) = try await Self.session.data(for: request)
        guard let answer = response as? HTTPURLResponse else { throw HarnessError("no HTTP") }
        let cookies = answer.value(forHTTPHeaderField: "Set-Cookie") ?? ""
        return Reply(
            status: answer.statusCode,
            wait: answer.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) },
            device: cookies.firstMatch(of: /gh_device=([A-Za-z0-9_-]+)/).map { String($0.1) }
        )
    }

    /// Keeps no cookies: each attempt is a stranger's.
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpMaximumConnectionsPerHost = 64
        return URLSession(configuration: configuration)
    }()

    @Test(.timeLimit(.minutes(3))) func aThousandWrongPasswordsSlowDownOnlyWhoeverTriesThem() async throws {
        let server = try await Server.start("--trusted-proxy", "127.0.0.1")
        let (attacker, home) = ("203.0.113.66", "198.51.100.7")
        var looked = 0
        for number in 0..<1_000 {
            let reply = try await signIn(server, "guess number \(number)", from: attacker)
            if reply.status == 401 { looked += 1 } else { #expect(reply.status == 429 && (reply.wait ?? 0) > 0, "\(reply)") }
        }
        // Five, and then one each time that a wait is over, each twice as long as the one before.
        #expect((5...14).contains(looked), "\(looked)")
        // Other names are no way around it: then the address as a whole is slowed down, for minutes.
        var refused = Reply(status: 0, wait: nil)
        for number in 0..<100 where (refused.wait ?? 0) < 60 {
            refused = try await signIn(server, as: "somebody\(number / 4)", "guess", from: attacker)
        }
        #expect(refused.status == 429 && (refused.wait ?? 0) >= 60, "\(refused)")

        // Even who knows the password gets in from there no more, and from elsewhere at once or within half a minute.
        func both() async throws {
            let known = try await signIn(server, Self.password, from: attacker)
            #expect(known.status == 429 && (known.wait ?? 0) >= 60, "\(known)")
            var welcome = try await signIn(server, Self.password, from: home)
            if welcome.status == 429, let wait = welcome.wait, wait <= 30 {
                try await Task.sleep(for: .seconds(wait))
                welcome = try await signIn(server, Self.password, from: home)
            }
            #expect(welcome.status == 200, "\(welcome)")
        }
        try await both()
        #expect(await server.stop() == 0)
        try await server.start()
        try await both()

        // The audit tells of it in a few rows.
        let audit = try await server.client().raw("/api/v1/audit?action=session.create&limit=500")
        let entries = try JSONReader.read(Array(audit.body), limits: .own)["items"]?.array ?? []
        let refusals = entries.filter { $0["outcome"]?.string == "refused" && $0["address"]?.string == attacker }
        #expect(refusals.compactMap { $0["detail.count"]?.integer }.reduce(0, +) >= 1_000)
        #expect(refusals.count < 50, "\(refusals.count)")
    }

    // MARK: From everywhere

    /// How long somebody with the right password takes to get in who comes back whenever they are told to.
    private func timeToGetIn(_ server: Server, from address: String, device: String? = nil, patience: Duration) async throws -> Duration {
        let began = ContinuousClock.now
        while ContinuousClock.now - began < patience {
            let reply = try await signIn(server, Self.password, from: address, device: device)
            if reply.status == 200 { break }
            #expect(reply.status == 429 || reply.status == 503, "\(reply)")
            try await Task.sleep(for: .seconds(reply.wait ?? 1))
        }
        return ContinuousClock.now - began
    }

    /// A dozen callers at a time guess at the name, and at others, as fast as they are answered: half of them from an address of its own
    /// each time, half from a hundred that come back.
    private func attack(_ server: Server, while isGoing: () async throws -> Void) async {
        let isOver = Flag()
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<12 {
                group.addTask {
                    var number = caller << 16
                    while !isOver.isSet {
                        number += 1
                        let address =
                            caller % 2 == 0
                            ? "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)" : "172.16.\(caller).\(number % 17)"
                        let name = caller % 3 == 0 ? "somebody\(number)" : "admin"
                        // What happens to an attacker is none of the test's business.
                        _ = try? await signIn(server, as: name, "guess \(number)", from: address)
                    }
                }
            }
            do { try await isGoing() } catch { Issue.record(error) }
            // They end by themselves: to cancel a task in the midst of a URLSession's request can block both for good.
            isOver.set()
        }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    /// R38, R59: whoever signed in from this browser before gets in at once, and from a new one within a minute.
    @Test(.timeLimit(.minutes(4))) func anAttackFromEverywhereKeepsTheRightPersonOutForAMinuteAtMost() async throws {
        let server = try await Server.start("--trusted-proxy", "127.0.0.1")
        let before = try await signIn(server, Self.password, from: "198.51.100.7")
        let device = try #require(before.device, "a sign-in gives the browser a cookie by which it is known")
        await attack(server) {
            try await Task.sleep(for: .seconds(10))
            let known = try await timeToGetIn(server, from: "198.51.100.8", device: device, patience: .seconds(90))
            #expect(known <= .seconds(5), "from a browser that is known: \(known)")
            let new = try await timeToGetIn(server, from: "203.0.113.9", patience: .seconds(150))
            #expect(new <= .seconds(60), "from a new one: \(new)")
            print("sign-in during an attack: \(known) from a browser that is known, \(new) from a new one")
        }
        #expect(await server.stop() == 0)
    }

    /// Everybody comes through a proxy that the server was not told of, and is one address to it.
    @Test(.timeLimit(.minutes(2))) func guessersBehindTheSameUndeclaredProxyDoNotKeepOutWhoIsKnown() async throws {
        let server = try await Server.start()
        let device = try #require(try await signIn(server, Self.password, from: "198.51.100.7").device)
        for number in 0..<20 {
            let reply = try await signIn(server, as: "somebody\(number)", "guess", from: "203.0.113.\(number)")
            #expect(reply.status == 401, "\(reply)")
        }
        let stranger = try await signIn(server, Self.password, from: "198.51.100.9")
        #expect(stranger.status == 429 && (stranger.wait ?? 0) > 300, "\(stranger)")
        #expect(try await signIn(server, Self.password, from: "198.51.100.7", device: device).status == 200)

        // Whoever looks after the server is told, once, and it is no illness.
        let status = try JSONReader.read(Array(try await server.client().raw("/api/v1/status").body))
        #expect(status["health.state"]?.string == "ok")
        let notices = status["health.notices"]?.array?.compactMap(\.string) ?? []
        #expect(notices.count == 1 && notices[0].contains("--trusted-proxy") && notices[0].contains("127.0.0.1"), "\(notices)")
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains("--trusted-proxy") && $0.contains("warning") } == 1)
    }
}
