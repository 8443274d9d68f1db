import Foundation
import GateAPI
import GateAdminClient
import GateCrypto
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

/// Signed native feeds of the real server: with keys that are changed while phones poll, that are damaged, and that must not get out.
@Suite(.timeLimit(.minutes(5)))
struct SigningTests {
    private static let gate = "/feeds/shop/ios/gate.json"

    private func keys(_ server: Server, _ words: String...) async throws -> Outcome {
        try await run(Programs.gatehouse, ["keys"] + words + ["--data", server.data], environment: Server.environment)
    }

    /// Makes a key and returns its name and its public half.
    private func add(_ server: Server) async throws -> (id: String, key: VerifyingKey) {
        let outcome = try await keys(server, "add")
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome)")
        let match = try #require(outcome.out.firstMatch(of: /Key ([0-9a-f]{16}) [^\n]+\nPublic key: ([A-Za-z0-9_-]{43})\n/))
        return (String(match.1), try #require(VerifyingKey(String(match.2))))
    }

    /// Waits until the feed is signed with a key: nil for none.
    private func wait(for id: String?, _ server: Server) async throws -> Duration {
        let begun = ContinuousClock.now
        try await waitUntil("the feed is signed with \(id ?? "no key")") {
            try await header("gatehouse-signature", server.feed(Self.gate))?.prefix(16) == id?.prefix(16)
        }
        return ContinuousClock.now - begun
    }

    private func header(_ name: String, _ answer: RawAnswer) -> String? { answer.headers.first { $0.name == name }?.value }

    private func isSigned(_ answer: RawAnswer, by known: [VerifyingKey]) -> Bool {
        guard let line = header("gatehouse-signature", answer), let signature = FeedSignature(line) else { return false }
        return known.contains { $0.id == signature.keyID && $0.verify(signature.bytes, over: answer.body) }
    }

    /// An app that knows the keys that were published before it polls refuses nothing, at any moment of three rotations.
    @Test func keysAreRotatedWhilePhonesPoll() async throws {
        let server = try await Server.withShop()
        let first = try await add(server)
        _ = try await wait(for: first.id, server)
        let known = Mutex([first.key])
        let isDone = Mutex(false)
        let signers = Mutex<Set<String>>([])
        let phone = Task { () async throws -> (polls: Int, refused: [String]) in
            var (polls, refused): (Int, [String]) = (0, [])
            while !isDone.withLock({ $0 }) {
                // What it could have been built with before it asks.
                let pins = known.withLock { $0 }
                let answer = try await server.feed(Self.gate)
                let line = header("gatehouse-signature", answer)
                polls += 1
                if !isSigned(answer, by: pins) {
                    refused.append("\(line ?? "no signature") over \(String(decoding: answer.body, as: UTF8.self))")
                }
                if let line { signers.withLock { _ = $0.insert(String(line.prefix(16))) } }
                try await Task.sleep(for: .milliseconds(20))
            }
            return (polls, refused)
        }
        // Each key signs until the phone has met it, however slow the machine.
        try await waitUntil("the phone has met the first key") { signers.withLock { $0.contains(first.id) } }
        let client = try server.client()
        var (revision, ids) = (1, [first.id])
        for _ in 1...3 {
            let next = try await add(server)
            known.withLock { $0.append(next.key) }
            ids.append(next.id)
            // Changes go on meanwhile.
            for _ in 1...3 {
                _ = try await client.kill(revision.isMultiple(of: 2) ? nil : "Text \(revision)", at: revision)
                revision += 1
            }
            let outcome = try await keys(server, "activate", next.id)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try await wait(for: next.id, server) < .seconds(2))
            try await waitUntil("the phone has met key \(next.id)") { signers.withLock { $0.contains(next.id) } }
            _ = try await client.kill(revision.isMultiple(of: 2) ? nil : "Text \(revision)", at: revision)
            revision += 1
        }
        isDone.withLock { $0 = true }
        let (polls, refused) = try await phone.value
        #expect(refused == [])
        #expect(signers.withLock { $0 } == Set(ids))
        #expect(polls > 10, "\(polls)")

        let published = try JSONReader.read(try await server.feed("/feeds/keys.json").body).object?["keys"]?.array ?? []
        #expect(published.compactMap { $0.object?["id"]?.string } == [ids[3], ids[0], ids[1], ids[2]])
        #expect(published.compactMap { $0.object?["state"]?.string } == ["active", "retired", "retired", "retired"])
        #expect(try await keys(server, "list").out.split(separator: "\n").count == 4)
    }

    /// Wire formats 6.1 items 36 to 38 hold for the signature and the keys as for feeds, at both listeners.
    @Test func signaturesAreServedAsFeedsAre() async throws {
        let server = try await Server.withShop()
        let key = try await add(server)
        _ = try await wait(for: key.id, server)
        for listener in [server.feeds, server.admin] {
            for (path, type) in [
                (Self.gate, "application/json; charset=utf-8"), (Self.gate + ".sig", "text/plain; charset=utf-8"),
                ("/feeds/keys.json", "application/json; charset=utf-8"),
            ] {
                let got = try await curl(listener + path)
                #expect(got.hasPrefix("HTTP/1.1 200 "), "\(got)")
                #expect(got.contains("\r\nContent-Type: \(type)\r\n"))
                #expect(got.contains("\r\nCache-Control: public, max-age=0, s-maxage=2, stale-if-error=86400\r\n"))
                #expect(got.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
                let tag = try #require(got.firstMatch(of: /\r\nETag: ("[0-9a-f-]+")\r\n/)).1
                #expect(got.contains("\r\nGatehouse-Signature: \(key.id):") == (path == Self.gate))
                #expect(got.contains("\r\nAccess-Control-Expose-Headers: Gatehouse-Signature\r\n") == (path == Self.gate))
                let headers = withoutDate(got.components(separatedBy: "\r\n\r\n")[0])
                #expect(withoutDate(try await curl("--head", listener + path)).hasPrefix(headers))
                let unchanged = try await curl("--header", "If-None-Match: \(tag)", listener + path)
                #expect(unchanged.hasPrefix("HTTP/1.1 304 ") && unchanged.hasSuffix("\r\n\r\n"), "\(unchanged)")
                // Caches put these in the place of those that they have.
                #expect(unchanged.contains("\r\nGatehouse-Signature: \(key.id):") == (path == Self.gate))
            }
        }
    }

    private func withoutDate(_ head: String) -> String { head.replacing(/Date: [^\r]+\r\n/, with: "") }

    private func curl(_ words: String...) async throws -> String {
        try await run("/usr/bin/curl", ["--silent", "--include"] + words, environment: Server.environment).out
    }

    /// From the first answer on; also where the database is gone, and the feeds are those that were kept.
    @Test func aServerThatStartsSignsBeforeItServes() async throws {
        let server = try await Server.withShop()
        let key = try await add(server)
        _ = try await wait(for: key.id, server)
        let before = try await server.feed(Self.gate)
        await server.stop()
        try await server.start()
        #expect(isSigned(try await server.feed(Self.gate), by: [key.key]))
        await server.stop()
        try server.removeDatabase()
        try await server.start()
        let kept = try await server.feed(Self.gate)
        #expect(kept.body == before.body && isSigned(kept, by: [key.key]))
        #expect(header("gatehouse-signature", kept) == header("gatehouse-signature", before))
    }

    @Test func damagedKeysAreToldAndFeedsGoOn() async throws {
        let server = try await Server.withShop()
        let key = try await add(server)
        _ = try await wait(for: key.id, server)
        let file = server.data + "/keys/signing.json"
        let whole = try Data(contentsOf: URL(filePath: file))
        try Data(whole.dropLast(40)).write(to: URL(filePath: file))
        try await waitUntil("the server tells of the damaged keys") {
            try await server.ready().contains("native feeds are signed with the keys that were read before")
        }
        #expect(isSigned(try await server.feed(Self.gate), by: [key.key]))
        await server.stop()
        try await server.start()
        #expect(try await server.ready().contains("native feeds are served unsigned"))
        let unsigned = try await server.feed(Self.gate)
        #expect(unsigned.status == 200 && header("gatehouse-signature", unsigned) == nil)
        let refused = try await keys(server, "add")
        #expect(refused.status == 1 && refused.err.contains("Put the file back"), "\(refused)")
        try whole.write(to: URL(filePath: file))
        _ = try await wait(for: key.id, server)
        try await waitUntil("the server is well") { try await server.ready() == #"{"state":"ok","reasons":[]}"# }
    }

    @Test func whatCannotBeIsSaid() async throws {
        let server = try await Server.start()
        let none = """
            There is no key in \(server.data)/keys. If feeds were signed before, put keys/signing.json back from a copy: apps that know \
            its keys refuse what a new one signs. Otherwise make the first with gatehouse keys add.

            """
        #expect(try await keys(server, "list").out == none)
        #expect(try await keys(server, "list", "--json").out == "{\"keys\":[]}\n")
        let key = try await add(server)
        for (words, expected) in [
            (
                ["activate", "0123456789abcdef"],
                "error: There is no key 0123456789abcdef; gatehouse keys list shows the keys.\n"
            ),
            (["retire", "0123456789abcdef"], "error: There is no key 0123456789abcdef; gatehouse keys list shows the keys.\n"),
        ] {
            let outcome = try await run(
                Programs.gatehouse,
                ["keys"] + words + ["--data", server.data],
                environment: Server.environment
            )
            #expect(outcome.status == 1 && outcome.out.isEmpty && outcome.err == expected, "\(outcome)")
        }
        let refused = try await keys(server, "retire", key.id)
        #expect(refused.status == 1 && refused.err.contains("--force"), "\(refused)")
        #expect(try await keys(server, "retire", key.id, "--force").out == "Key \(key.id) is retired.\n")
        #expect(try await keys(server, "retire", key.id).out == "Key \(key.id) is retired already.\n")
        let nowhere = try await run(Programs.gatehouse, ["keys", "add", "--data", server.data + "/none"], environment: Server.environment)
        #expect(nowhere.status == 1 && nowhere.err.contains("There is no \(server.data)/none"), "\(nowhere)")
        let unlisted = try await run(
            Programs.gatehouse,
            ["keys", "list", "--data", server.data + "/none"],
            environment: Server.environment
        )
        #expect(unlisted.status == 1 && unlisted.err.contains("There is no \(server.data)/none"), "\(unlisted)")
    }

    /// Neither in hexadecimal nor in either alphabet of base64 nor as it is, in whatever leaves the machine or is looked at.
    @Test func noPrivateKeyGetsOut() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.start("--backup-dir", place.path + "/backups", "--backup-every", "1d")
        let client = try server.client()
        _ = try await client.createApp(AppRequest(key: "shop", name: "Shop"))
        _ = try await client.putPlatform("shop", "ios", SettingsRequest())
        let (first, second) = (try await add(server), try await add(server))
        _ = try await keys(server, "activate", second.id)
        _ = try await wait(for: second.id, server)
        _ = try await client.kill("Back at 09:30.", at: 1)
        var said = try await keys(server, "list").out + keys(server, "list", "--json").out + keys(server, "retire", second.id).err
        // A damaged file is told of too.
        let file = server.data + "/keys/signing.json"
        let kept = try String(contentsOfFile: file, encoding: .utf8)
        let seeds = kept.matches(of: /"seed":"([A-Za-z0-9_-]{43})"/).map { String($0.1) }
        try #require(seeds.count == 2 && kept.contains(first.id))
        try Data(kept.replacing("}]}", with: "}],}").utf8).write(to: URL(filePath: file))
        try await waitUntil("the server tells of the damaged keys") { try await server.ready().contains("signing:") }
        said += try await keys(server, "add").err
        try Data(kept.utf8).write(to: URL(filePath: file))
        let backup = try await server.createBackup()
        for path in [
            Self.gate, Self.gate + ".sig", "/feeds/keys.json", "/api/v1/status", "/api/v1/export", "/api/v1/audit", "/api/v1/changes",
            "/metrics", "/openapi.json", "/healthz/ready",
        ] {
            let answer = try await client.raw(path)
            #expect(answer.status == 200, "\(path)")
            said += String(decoding: answer.body, as: UTF8.self) + "\(answer.headers)"
        }
        await server.stop()
        #expect(try await server.gatehouse("verify").status == 0)
        var places = [
            Array(said.utf8), Array(try server.log.utf8),
            Array(try Data(contentsOf: URL(filePath: place.path + "/backups/" + backup.name))),
        ]
        for name in try FileManager.default.subpathsOfDirectory(atPath: server.data) where name != "keys/signing.json" {
            // A folder has no contents.
            if let data = try? Data(contentsOf: URL(filePath: server.data + "/" + name)) { places.append(Array(data)) }
        }
        #expect(places.count > 5)
        for seed in seeds {
            let bytes = try #require(Base64URL.decode(seed))
            let plain = Data(bytes).base64EncodedString()
            let forms = [bytes, Array(seed.utf8), Array(plain.utf8.dropLast()), Array(Hexadecimal.encode(bytes).utf8)]
            for (form, secret) in forms.enumerated() {
                #expect(!places.contains { $0.firstRange(of: secret) != nil }, "form \(form)")
            }
            // The look that finds nothing would find it.
            #expect(Array(kept.utf8).firstRange(of: Array(seed.utf8)) != nil)
        }
    }
}
