import Foundation
import GateAdminClient
import GateModel
import GateTesting
import Testing

/// `serve --sign-in-header`, with what really comes over a socket.
@Suite(.timeLimit(.minutes(5)))
struct ServerSignInHeaderTests {
    private static let groups = "release operator shop\nadmins admin\n"

    private func server(_ more: String..., proxy: String = "127.0.0.1", in folder: TemporaryFolder) async throws -> Server {
        let table = try folder.file("groups", Self.groups)
        return try await Server.start(
            options: [
                "--trusted-proxy", proxy, "--sign-in-header", "X-Remote-User", "--sign-in-groups-header", "X-Remote-Groups",
                "--sign-in-groups",
                table,
            ] + more
        )
    }

    /// Status, head and body of an answer.
    private func ask(_ server: Server, _ line: String, _ fields: String...) -> (status: Int, head: String, body: String) {
        let text = StubServer.ask(server.admin, (["\(line) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, parts[0], parts.dropFirst().joined())
    }

    private func cookie(_ head: String) -> String {
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: gh_session=") } ?? ""
        return String(line.dropFirst("Set-".count).prefix { $0 != ";" })
    }

    @Test func aPersonComesInAndStaysOverARestart() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let (name, groups) = ("X-Remote-User: ann@example.com", "X-Remote-Groups: staff,release")
        let first = ask(server, "GET /api/v1/session", name, groups)
        #expect(first.status == 200 && first.body.contains(#""role":"operator","apps":["shop"]"#), "\(first)")
        let cookie = cookie(first.head)
        #expect(!cookie.isEmpty)
        #expect(ask(server, "GET /api/v1/targets", name, groups, cookie).status == 200)
        // Through whatever a client may try with the field itself.
        for (fields, status) in [
            ([name, name], 401), ([name, "x-remote-user: bob"], 401), (["X-Remote-User:"], 401),
            (["X-Remote-User: ann@example.com, bob"], 401),
            (["X-Remote-User: bob"], 403), (["X-Remote-User : ann@example.com"], 400), (["X_Remote_User: ann@example.com"], 401),
            (["X-Remote-User:\tann@example.com"], 200),
        ] {
            let text =
                (["GET /api/v1/targets HTTP/1.1", "Host: localhost", groups, cookie] + fields).joined(separator: "\r\n") + "\r\n\r\n"
            #expect(StubServer.ask(server.admin, text).contains(" \(status) "), "\(fields)")
        }
        let gatectl = try Gatectl(server)
        #expect(try await gatectl("users", "-o", "plain").out.contains("ann@example.com\toperator\tshop\tproxy\t"))
        #expect(try await gatectl("users").out.contains("signed in by a proxy"))
        #expect(try await gatectl("users", "set", "ann@example.com", "--role", "admin").status == 8)

        #expect(await server.stop() == 0)
        try await server.start()
        #expect(ask(server, "GET /api/v1/targets", name, groups, cookie).status == 200)
        #expect(ask(server, "GET /api/v1/targets", cookie).status == 401)
        let metrics = ask(server, "GET /metrics").body
        #expect(metrics.contains("gatehouse_sign_in_failures_total 0\n"))
        #expect(ask(server, "GET /api/v1/session", "X-Remote-User: eve").status == 403)
        #expect(ask(server, "GET /metrics").body.contains("gatehouse_sign_in_failures_total 1\n"))
        #expect(await server.stop() == 0)
        let verified = try await server.gatehouse("verify")
        #expect(verified.status == 0, "\(verified)")
        // A shell of the machine gives nobody a password whom a proxy signs in.
        let reset = try await run(
            Programs.gatehouse,
            ["admin", "reset-password", "--data", server.data, "--username", "ann@example.com", "--password-stdin"]
                + Server.assets.suffix(2),
            environment: Server.environment,
            input: "a new pass phrase\n"
        )
        #expect(reset.status != 0 && reset.err.contains("is signed in by a proxy"), "\(reset)")
    }

    /// The same, sent by somebody who is no trusted proxy, or where nobody is.
    @Test func anybodyElsesFieldIsNotLookedAt() async throws {
        let folder = try TemporaryFolder()
        for server in [try await server(proxy: "192.0.2.1", in: folder), try await Server.start()] {
            for name in ["admin", "ann", "a b", ""] {
                let answer = ask(server, "GET /api/v1/session", "X-Remote-User: \(name)", "X-Remote-Groups: admins")
                #expect(answer.status == 401 && answer.body.contains(#""code":"unauthenticated""#), "\(name)")
                let token = ask(server, "GET /api/v1/session", "X-Remote-User: \(name)", "Authorization: Bearer \(server.token)")
                #expect(token.status == 200, "\(name)")
            }
            #expect(ask(server, "GET /api/v1/setup", "X-Remote-User: ann").head.contains("X-Gatehouse-Session: absent"))
        }
    }

    @Test func twentyFirstRequestsAtOnceMakeOnePerson() async throws {
        let folder = try TemporaryFolder()
        let server = try await server(in: folder)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { ask(server, "GET /api/v1/session", "X-Remote-User: ann", "X-Remote-Groups: release").status }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 20))
        #expect(try await server.client().users().map(\.name) == ["admin", "ann"])
    }

    /// The two options that there must be, and no table: whoever comes in may look.
    @Test func withoutATableEverybodyLooks() async throws {
        let server = try await Server.start(options: ["--trusted-proxy", "127.0.0.1", "--sign-in-header", "X-Remote-User"])
        let name = "X-Remote-User: ann"
        let first = ask(server, "GET /api/v1/session", name)
        #expect(first.status == 200 && first.body.contains(#""role":"viewer","apps":null"#), "\(first)")
        #expect(ask(server, "GET /api/v1/targets", name, cookie(first.head)).status == 200)
        #expect(ask(server, "GET /api/v1/users", name, cookie(first.head)).status == 403)
    }

    @Test(arguments: [
        (["--sign-in-header", "X-Remote-User"], "--trusted-proxy"),
        (["--sign-in-header", "X-Remote-User", "--sign-in-groups-header", "X-A", "--trusted-proxy", "::1"], "give --sign-in-groups"),
        (["--sign-in-header", "X-Remote-User", "--sign-in-groups", "GROUPS"], "--trusted-proxy"),
        (["--sign-in-header", "X-Remote-User", "--sign-in-groups", "GROUPS", "--trusted-proxy", "0.0.0.0/0"], "the proxy's own address"),
        (["--sign-in-header", "X-Remote-User", "--sign-in-groups", "GROUPS", "--trusted-proxy", "::1"], "--sign-in-groups-header"),
        (["--sign-in-header", "Cookie", "--sign-in-groups", "GROUPS", "--trusted-proxy", "::1"], "--sign-in-header is the name"),
        (["--sign-in-header", "X-Remote-User", "--sign-in-groups", "/nowhere", "--trusted-proxy", "::1"], "/nowhere cannot be read"),
        (
            ["--sign-in-header", "X-Remote-User", "--sign-in-groups", "BAD", "--trusted-proxy", "::1"],
            "line 3: \"owner\" is not a role; write viewer, operator, admin"
        ),
        (["--sign-in-groups", "GROUPS"], "--sign-in-groups belongs to --sign-in-header"),
        (["--sign-out-url", "/out"], "--sign-out-url belongs to"),
        (["--sign-in-groups-header", "X-A"], "--sign-in-groups-header belongs to"),
        (["--sign-in-time-header", "X-A"], "--sign-in-time-header belongs to"),
        (
            [
                "--sign-in-header", "X-A", "--sign-in-groups-header", "X-B", "--sign-in-groups", "GROUPS", "--trusted-proxy", "::1",
                "--sign-out-url", "//evil",
            ],
            "--sign-out-url is an https:// address"
        ),
    ])
    func whatCannotBeMeantDoesNotStart(options: [String], words: String) async throws {
        let folder = try TemporaryFolder()
        let files = ["GROUPS": try folder.file("groups", Self.groups), "BAD": try folder.file("bad", "# who\n\na owner\n")]
        let data = folder.path + "/data"
        let outcome = try await run(
            Programs.gatehouse,
            ["serve", "--data", data, "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0"] + Server.assets
                + options.map { files[$0] ?? $0 },
            environment: Server.environment
        )
        #expect(outcome.status == 64 && outcome.err.contains(words), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: data), "nothing is made before it")
    }

    /// The three ways to say it come to the same.
    @Test func theFileAndTheVariablesSayItToo() async throws {
        let folder = try TemporaryFolder()
        let table = try folder.file("groups", "* viewer\n")
        let file = try folder.file(
            "config.json",
            #"{"sign-in-header":"X-Remote-User","sign-in-groups":"\#(table)","sign-out-url":"/out","trusted-proxy":["127.0.0.1"]}"#
        )
        let server = try await Server.start("--config", file)
        let answer = ask(server, "GET /api/v1/session", "X-Remote-User: ann")
        #expect(answer.status == 200 && answer.body.contains(#""origin":"proxy","signOut":"/out""#), "\(answer)")
    }
}
