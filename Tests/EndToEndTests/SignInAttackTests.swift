import Foundation
import GateAdminClient
import GateJSON
import GateModel
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// R38 at the real server: who guesses is slowed down, the right person is not, and a restart forgives nothing.
struct SignInAttackTests {
    private static let password = "violet-harbour-41-lantern"

    private struct Reply {
        let status: Int
        /// Seconds, of a 429.
        let wait: Int?
    }

    /// The server believes the proxy at 127.0.0.1 whom a request comes from.
    private func signIn(_ server: Server, as name: String = "admin", _ password: String, from address: String) async throws -> Reply {
        guard let url = URL(string: server.admin + "/api/v1/session") else { throw HarnessError("\(server.admin) is no address") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(address, forHTTPHeaderField: "X-Forwarded-For")
        let body: JSONValue = ["username": .string(name), "password": .string(password)]
        request.httpBody = Data(body.bytes)
        let (_, response) = try await Self.session.data(for: request)
        guard let answer = response as? HTTPURLResponse else { throw HarnessError("no HTTP") }
        return Reply(status: answer.statusCode, wait: answer.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) })
    }

    /// Keeps no cookies: each attempt is a stranger's.
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
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
}
