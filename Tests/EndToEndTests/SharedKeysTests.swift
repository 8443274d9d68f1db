import Foundation
import GateAPI
import GateAdminClient
import GateCrypto
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

/// Real servers that share the keys of their folders by a secret: who comes to them needs an empty folder, the database and the secret.
@Suite(.timeLimit(.minutes(5))) struct SharedKeysTests {
    private static let gate = "/feeds/shop/ios/gate.json"
    private static let password = "violet-harbour-41-lantern"

    // MARK: Servers

    private func gatehouse(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> Outcome {
        try await run(
            Programs.gatehouse,
            arguments,
            environment: Server.environment.merging(variables) { $1 },
            input: Self.password + "\n"
        )
    }

    /// A folder that `gatehouse init` has made, without a word of the secret.
    private func first(_ database: PostgresDatabase, secretFile: String) async throws -> Server {
        let folder = try TemporaryFolder()
        let made = try await gatehouse(
            ["init", "--data", folder.path + "/data", "--database", database.url, "--username", "admin", "--password-stdin"]
                + ["--token", "ci"] + Server.assets.suffix(2)
        )
        guard made.status == 0 else { throw HarnessError("gatehouse init: \(made)") }
        let options = ["--database", database.url, "--server-name", "one", "--keys-secret-file", secretFile]
        return Server(folder: folder, token: made.out.trimmingCharacters(in: .whitespacesAndNewlines), options: options)
    }

    /// A server whose folder is empty, with the secret in its environment.
    private func another(_ name: String, _ database: PostgresDatabase, secret: String, of first: Server) throws -> Server {
        let server = Server(
            folder: try TemporaryFolder(),
            token: first.token,
            options: ["--database", database.url, "--server-name", name]
        )
        server.variables = ["GATEHOUSE_KEYS_SECRET": secret]
        return server
    }

    private func secretFile() async throws -> (TemporaryFolder, path: String, secret: String) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys-secret"
        let made = try await gatehouse(["keys", "secret", "--out", path])
        #expect(made.status == 0 && made.out.isEmpty && made.err.isEmpty, "\(made)")
        return (folder, path, try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private struct Reply {
        let status: Int
        let head: String
        let body: JSONValue?

        var cookie: String { head.firstMatch(of: /[Ss]et-[Cc]ookie: (gh_session=[^;]+)/).map { String($0.1) } ?? "" }
        var csrf: String { body?.object?["csrf"]?.string ?? "" }
        var code: String? { body?.object?["code"]?.string }
    }

    /// A request as a browser sends it.
    private func ask(_ server: Server, _ method: String, _ path: String, _ body: JSONValue? = nil, as session: Reply? = nil) throws -> Reply
    {
        var lines = ["\(method) /api/v1\(path) HTTP/1.1", "Host: localhost", "Connection: close"]
        if let session { lines += ["Origin: http://localhost", "Cookie: \(session.cookie)", "X-Gatehouse-CSRF: \(session.csrf)"] }
        let text = body?.text ?? ""
        if method != "GET" { lines += ["Content-Type: application/json", "Content-Length: \(text.utf8.count)"] }
        let answer = StubServer.ask(server.admin, lines.joined(separator: "\r\n") + "\r\n\r\n" + text)
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let status = try #require(answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(answer)")
        // An answer without a body has none to be read.
        let document = parts.count > 1 ? try? JSONReader.read(Array(parts[1].utf8)) : nil
        return Reply(status: status, head: parts[0], body: document)
    }

    private func signIn(_ server: Server, totp: String? = nil) throws -> Reply {
        var body: JSONObject = ["username": .string("admin"), "password": .string(Self.password)]
        body["totp"] = totp.map { .string($0) }
        return try ask(server, "POST", "/session", .object(body))
    }

    /// The bytes of an authenticator's secret, as it is typed.
    private func base32(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = try text.flatMap { letter in
            let value = try #require(alphabet.firstIndex(of: letter))
            return (0..<5).map { value >> (4 - $0) & 1 }
        }
        return stride(from: 0, to: bits.count - 7, by: 8).map { start in bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8($1) } }
    }

    /// What a phone gets: the bytes, and the signature over them.
    private func signed(_ server: Server) async throws -> (body: [UInt8], signature: String?) {
        let answer = try await server.feed(Self.gate)
        return (answer.body, answer.headers.first { $0.name == "gatehouse-signature" }?.value)
    }

    private func wait(_ servers: [Server], for id: String) async throws {
        for server in servers {
            try await waitUntil("the feed is signed with \(id)") { try await signed(server).signature?.hasPrefix(id) == true }
        }
    }

    /// Waits until the keys that feeds are signed with are in the database, with the three others.
    private func shared(_ database: PostgresDatabase) async throws {
        try await waitUntil("four keys are in the database") {
            try database.cluster.run("SELECT count(*) FROM shared_keys", in: database.name).first == "4"
        }
    }

    private func keys(_ server: Server, _ words: String...) async throws -> String {
        let outcome = try await gatehouse(["keys"] + words + ["--data", server.data])
        #expect(outcome.status == 0, "\(outcome)")
        return try #require(outcome.out.firstMatch(of: /Key ([0-9a-f]{16})/)).1.description
    }

    /// The first server of a database, with an app whose feeds it signs, and all its keys in the database.
    private func signing(_ database: PostgresDatabase, secretFile: String) async throws -> (Server, key: String) {
        let one = try await first(database, secretFile: secretFile)
        try await one.start()
        _ = try await one.checked()
        _ = try await one.client().createApp(AppRequest(key: "shop", name: "Shop"))
        _ = try await one.client().putPlatform("shop", "ios", SettingsRequest())
        let key = try await keys(one, "add")
        try await wait([one], for: key)
        try await shared(database)
        return (one, key)
    }

    // MARK: The story

    @Test func aServerWithAnEmptyFolderIsOneOfThem() async throws {
        let database = try PostgresCluster.shared().database()
        let (_folder, file, secret) = try await secretFile()
        defer { withExtendedLifetime(_folder) {} }
        let (one, key) = try await signing(database, secretFile: file)
        // A person with a second factor, made at the first.
        let session = try signIn(one)
        #expect(session.status == 200)
        let made = try ask(one, "POST", "/account/totp", as: session)
        let factor = TOTP(secret: try base32(try #require(made.body?.object?["secret"]?.string, "\(session) \(made)")))
        let step = TOTP.step(atSeconds: Timestamp.now.milliseconds / 1_000)
        let confirmed = try ask(one, "POST", "/account/totp/confirm", ["code": .string(factor.text(step: step))], as: session)
        #expect(confirmed.status == 200, "\(confirmed)")

        let two = try another("two", database, secret: secret, of: one)
        try await two.start()
        // Its first feed is signed already, as the first one's is.
        let (here, there) = (try await signed(one), try await signed(two))
        #expect(there.signature?.hasPrefix(key) == true)
        #expect(there.signature == here.signature && there.body == here.body)
        _ = try await two.checked()
        // The token, the session, and the second factor.
        _ = try await two.client().kill("Back at nine.", at: 1)
        let seen = try ask(two, "GET", "/session", as: session)
        #expect(seen.status == 200, "\(seen)")
        #expect(try signIn(two).code == "totp_required")
        // Not the one of before, however long it took to come here.
        let later = max(step + 1, TOTP.step(atSeconds: Timestamp.now.milliseconds / 1_000))
        let next = try signIn(two, totp: factor.text(step: later))
        #expect(next.status == 200, "\(next)")
        #expect(try ask(one, "GET", "/session", as: next).status == 200)
        for name in ["rows.key", "totp.key", "device.key", "signing.json"] {
            let (own, other) = (one.data + "/keys/" + name, two.data + "/keys/" + name)
            #expect(FileManager.default.contents(atPath: own) == FileManager.default.contents(atPath: other), "\(name)")
            #expect(try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int == 0o600, "\(name)")
        }

        // What is done to the second's folder reaches the first, and the other way round.
        let newer = try await keys(two, "add")
        _ = try await keys(two, "activate", newer)
        try await wait([one, two], for: newer)
        _ = try await keys(one, "activate", key)
        try await wait([one, two], for: key)
        #expect(try await signed(one).signature == signed(two).signature)
        for server in [one, two] { #expect(try await server.client().status().health.state == .ok) }

        // A third, once the first is gone.
        #expect(await one.stop() == 0)
        let three = try another("three", database, secret: secret, of: one)
        try await three.start()
        #expect(try await signed(three).signature == signed(two).signature)
        _ = try await three.checked()
        #expect(try await three.client().apps().map(\.key.text) == ["shop"])
        let verified = try await one.gatehouse("verify", "--database", database.url)
        #expect(verified.status == 0, "\(verified)")

        // Neither the secret nor a key is anywhere but in the folders.
        var secrets = [secret, Hexadecimal.encode(try #require(Base64URL.decode(secret)))]
        for name in ["rows.key", "totp.key", "device.key"] {
            let bytes = Array(try #require(FileManager.default.contents(atPath: two.data + "/keys/" + name)))
            secrets += [Hexadecimal.encode(bytes), Base64URL.encode(bytes)]
        }
        let ring = try String(contentsOfFile: two.data + "/keys/signing.json", encoding: .utf8)
        let seeds = ring.matches(of: /"seed":"([^"]+)"/).map { String($0.1) }
        #expect(seeds.count == 2)
        secrets += seeds + seeds.compactMap { Base64URL.decode($0).map(Hexadecimal.encode) }
        var places = ["dump": try dump(database)]
        for (name, server) in [("one", one), ("two", two), ("three", three)] { places["log of \(name)"] = try server.log }
        for (name, server) in [("two", two), ("three", three)] {
            let process = try #require(server.processIdentifier)
            for file in ["cmdline", "environ"] {
                let bytes = try Data(contentsOf: URL(filePath: "/proc/\(process)/\(file)"))
                places["\(file) of \(name)"] = String(decoding: bytes, as: UTF8.self)
            }
            for path in ["/metrics", "/healthz/ready", "/api/v1/status", "/feeds/keys.json"] {
                places["\(path) of \(name)"] = String(decoding: try await server.client().raw(path).body, as: UTF8.self)
            }
        }
        #expect(places["environ of two"]?.contains("LANG=") == true)
        for (place, text) in places { for secret in secrets { #expect(!text.contains(secret), "\(place)") } }
        for server in [two, three] { #expect(await server.stop() == 0) }
    }

    private func dump(_ database: PostgresDatabase) throws -> String {
        let tables = try database.cluster.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", in: database.name)
        return try tables.split(separator: "\n").map { table in
            try database.cluster.run("SELECT t::text FROM \(table) t", in: database.name)
        }.joined()
    }

    /// Who writes to the database and has no secret has the health say so, and has the feeds signed with nothing of theirs.
    @Test func aRowThatSomebodyAlteredIsTold() async throws {
        let database = try PostgresCluster.shared().database()
        let (_folder, file, secret) = try await secretFile()
        defer { withExtendedLifetime(_folder) {} }
        let (one, key) = try await signing(database, secretFile: file)
        try database.cluster.run(
            "UPDATE shared_keys SET revision = revision + 1, sealed = sealed || '\\x00' WHERE name = 'signing.json'",
            in: database.name
        )
        try await waitUntil("the server tells of the row") { try await one.ready().contains("keys: ") }
        #expect(try await one.ready().contains("keys: Rows of shared_keys were not written by a server with this secret: signing.json"))
        #expect(try await signed(one).signature?.hasPrefix(key) == true)
        // Nobody starts with it.
        let refused = try await gatehouse(
            ["serve", "--data", try TemporaryFolder().path + "/data", "--database", database.url] + Server.assets,
            ["GATEHOUSE_KEYS_SECRET": secret]
        )
        #expect(refused.status == 1 && refused.err.contains("signing.json"), "\(refused)")
        // As the message says; nothing has to be restarted.
        try database.cluster.run("DELETE FROM shared_keys WHERE name = 'signing.json'", in: database.name)
        try await waitUntil("the server has put the row back") { try await !one.ready().contains("keys: ") }
        #expect(try await signed(one).signature?.hasPrefix(key) == true)
        #expect(await one.stop() == 0)
    }

    // MARK: What is refused

    @Test func aSecretThatIsNoneIsNamedByItsRemedyAlone() async throws {
        let folder = try TemporaryFolder()
        let url = "postgresql://gate@db.invalid/gatehouse"
        let good = SharedSecret.make(random: .system)
        let cases: [(what: String, variables: [String: String], options: [String], word: String)] = [
            ("malformed", ["GATEHOUSE_KEYS_SECRET": "s3cret!"], [], "GATEHOUSE_KEYS_SECRET is neither Base64url nor hexadecimal digits"),
            ("short", ["GATEHOUSE_KEYS_SECRET": String(good.prefix(40))], [], "GATEHOUSE_KEYS_SECRET has fewer than 32 bytes"),
            ("weak", ["GATEHOUSE_KEYS_SECRET": String(repeating: "00", count: 32)], [], "GATEHOUSE_KEYS_SECRET is not random"),
            ("empty file", [:], ["--keys-secret-file", try folder.file("empty", "")], "empty has fewer than 32 bytes"),
            ("no file", [:], ["--keys-secret-file", folder.path + "/none"], "none cannot be read"),
            ("a folder", [:], ["--keys-secret-file", folder.path], "is not a file with a secret"),
            ("both", ["GATEHOUSE_KEYS_SECRET": good], ["--keys-secret-file", try folder.file("both", good)], "give one of them"),
            ("everybody's", [:], ["--keys-secret-file", try folder.file("open", good, mode: 0o644)], "Run chmod 600 \(folder.path)/open"),
            (
                "the group's", [:], ["--keys-secret-file", try folder.file("group", good, mode: 0o640)],
                "Run chmod 600 \(folder.path)/group"
            ),
            (
                "everybody's credential", ["CREDENTIALS_DIRECTORY": folder.path, "GATEHOUSE_KEYS_SECRET_FILE": folder.path + "/open"], [],
                "Run chmod 600 \(folder.path)/open"
            ),
        ]
        let commands = [
            ["serve"] + Server.assets, ["init", "--username", "admin", "--password-stdin"], ["admin", "sign"],
            ["admin", "reset-password", "--username", "admin", "--password-stdin"],
        ]
        for (what, variables, options, word) in cases {
            for command in commands {
                let data = folder.path + "/data"
                let refused = try await gatehouse(command + ["--data", data, "--database", url] + options, variables)
                #expect(refused.status == 64, "\(what), \(command): \(refused)")
                #expect(refused.err.contains(word), "\(what), \(command): \(refused)")
                for secret in ["s3cret", String(good.prefix(16)), "0000"] { #expect(!"\(refused)".contains(secret), "\(what): \(refused)") }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    /// A file of its owner's, in every place where an option may stand; and as systemd gives one to a unit.
    @Test func aSecretOfItsOwnersAloneIsTaken() async throws {
        let folder = try TemporaryFolder()
        let good = SharedSecret.make(random: .system)
        let path = try folder.file("secret", good + "\n")
        let credential = try folder.file("credential", good, mode: 0o440)
        let config = try folder.file("config.json", #"{"keys-secret-file": "\#(path)"}"#)
        let cases: [([String], [String: String])] = [
            (["--keys-secret-file", path], [:]), ([], ["GATEHOUSE_KEYS_SECRET_FILE": path]), (["--config", config], [:]),
            ([], ["GATEHOUSE_KEYS_SECRET": good]),
            ([], ["GATEHOUSE_KEYS_SECRET_FILE": credential, "CREDENTIALS_DIRECTORY": folder.path]),
            ([], ["GATEHOUSE_KEYS_SECRET": ""]), ([], ["GATEHOUSE_KEYS_SECRET_FILE": ""]),
        ]
        for (options, variables) in cases {
            let arguments = [
                "serve", "--data", folder.path + "/data", "--database", "postgresql://gate@db.invalid/g", "--listen", "nowhere",
            ]
            let refused = try await gatehouse(arguments + Server.assets + options, variables)
            // What is read after it is wrong, so that nothing is started.
            #expect(refused.status == 64 && refused.err.contains("--listen"), "\(options) \(variables): \(refused)")
        }
        // It is no key of the configuration file, and no option.
        let open = try folder.file("open.json", #"{"keys-secret": "\#(good)"}"#)
        let refused = try await gatehouse(["serve", "--config", open] + Server.assets)
        #expect(refused.status == 64 && !"\(refused)".contains(good), "\(refused)")
    }

    /// One server's database needs none; whoever gives one means another database.
    @Test func aSecretBesideAFoldersOwnDatabaseIsRefused() async throws {
        let folder = try TemporaryFolder()
        let good = SharedSecret.make(random: .system)
        for (command, more) in [
            (["serve"], Server.assets), (["init"], ["--username", "admin", "--password-stdin"]), (["admin", "sign"], []),
        ] {
            let refused = try await gatehouse(command + ["--data", folder.path + "/data"] + more, ["GATEHOUSE_KEYS_SECRET": good])
            #expect(refused.status == 64 && refused.err.contains("name the shared one with --database"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test func aWrongSecretStartsNothing() async throws {
        let database = try PostgresCluster.shared().database()
        let (_folder, file, _) = try await secretFile()
        defer { withExtendedLifetime(_folder) {} }
        let one = try await first(database, secretFile: file)
        try await one.start()
        let wrong = SharedSecret.make(random: .system)
        let folder = try TemporaryFolder()
        let refused = try await gatehouse(
            ["serve", "--data", folder.path + "/data", "--database", database.url] + Server.assets,
            ["GATEHOUSE_KEYS_SECRET": wrong]
        )
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.err.contains("do not open with this secret") && refused.err.contains("GATEHOUSE_KEYS_SECRET"), "\(refused)")
        #expect(!"\(refused)".contains(wrong))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/keys"))
        #expect(await one.stop() == 0)
    }

    // MARK: The secret and a new key

    @Test func aSecretIsMadeForItsOwnerAlone() async throws {
        let (folder, path, secret) = try await secretFile()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(secret.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        let again = try await gatehouse(["keys", "secret", "--out", folder.path + "/keys-secret"])
        #expect(again.status == 1 && again.err.contains("already exists"), "\(again)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == secret + "\n")
        let printed = try await gatehouse(["keys", "secret"])
        #expect(printed.status == 0 && printed.out.wholeMatch(of: /[A-Za-z0-9_-]{43}\n/) != nil && printed.out != secret + "\n")
    }

    /// `admin sign --new-key`: once, with all servers stopped; each takes the new key when it starts.
    @Test func aNewKeyForTheRowsReachesAll() async throws {
        let database = try PostgresCluster.shared().database()
        let (_folder, file, secret) = try await secretFile()
        defer { withExtendedLifetime(_folder) {} }
        let one = try await first(database, secretFile: file)
        try await one.start()
        let two = try another("two", database, secret: secret, of: one)
        try await two.start()
        for server in [one, two] { _ = try await server.checked() }
        #expect(await one.stop() == 0)
        let words = ["admin", "sign", "--data", one.data, "--database", database.url, "--keep", "--new-key"] + Server.assets.suffix(2)
        try await waitUntil("the second server has the duty") { try two.log.contains("this server does what the clock asks for") }
        let early = try await gatehouse(words, ["GATEHOUSE_KEYS_SECRET": secret])
        #expect(early.status == 1 && early.err.contains("Stop all servers"), "\(early)")
        #expect(await two.stop() == 0)
        let old = FileManager.default.contents(atPath: two.data + "/keys/rows.key")
        let signed = try await gatehouse(words, ["GATEHOUSE_KEYS_SECRET": secret])
        #expect(signed.status == 0, "\(signed)")
        for server in [two, one] {
            try await server.start()
            #expect(try await server.checked().state == .ok)
            #expect(try await server.client().apps().isEmpty)
        }
        let new = FileManager.default.contents(atPath: two.data + "/keys/rows.key")
        #expect(new == FileManager.default.contents(atPath: one.data + "/keys/rows.key") && new != old)
        for server in [one, two] { #expect(await server.stop() == 0) }
    }
}
