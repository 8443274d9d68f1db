import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// One version, told everywhere; and what happens where two meet.
@Suite(.timeLimit(.minutes(2)))
struct ReleaseTests {
    private static let own = Release.current.description

    @Test func everybodyTellsTheSameVersion() async throws {
        let server = try await Server.start()
        let gatectl = try Gatectl(server)
        #expect(try await run(Programs.gatehouse, ["--version"], environment: Server.environment).out == Self.own + "\n")
        #expect(try await gatectl("version").out == "gatectl \(Self.own)\n")
        #expect(try await gatectl("--version").out == "gatectl \(Self.own)\n")
        #expect(try await gatectl("version", "--json").json()["version"]?.string == Self.own)
        #expect(try await server.client().status().version == Self.own)
        #expect(try await gatectl("doctor").out.contains("Gatehouse \(Self.own) in "))
        let note = try JSONReader.read(String(contentsOfFile: server.data + "/version.json", encoding: .utf8))
        #expect(note["version"]?.string == Self.own)
        // What is installed beside the programs is of the same release.
        let changes = try String(contentsOf: Programs.root.appendingPathComponent("deploy/CHANGELOG.md"), encoding: .utf8)
        let newest = changes.split(separator: "\n").first { $0.hasPrefix("## ") }
        #expect(newest?.hasPrefix("## \(Self.own)") == true, "\(newest ?? "")")
    }

    @Test func aFolderOfANewerVersionIsRefusedInWords() async throws {
        let server = try await Server.withShop()
        await server.stop()
        let file = server.data + "/version.json"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(of: Self.own, with: "7.0.0")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        for command in [["serve", "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0", "--migrate"], ["migrate"]] {
            let assets = command[0] == "serve" ? Server.assets : Array(Server.assets.suffix(2))
            let refused = try await run(Programs.gatehouse, command + ["--data", server.data] + assets, environment: Server.environment)
            #expect(refused.status == 1)
            #expect(refused.err.contains("was written by gatehouse 7.0.0, and this is gatehouse \(Self.own)"), "\(refused)")
            #expect(refused.err.contains("Start gatehouse 7.0.0 or a newer one"), "\(refused)")
        }
    }

    /// A server of another version, as far as it tells; it also says what this gatectl has never heard of.
    private func other(_ version: String, before server: Server) throws -> StubServer {
        let (address, own) = (server.admin, Self.own)
        return try StubServer { request, _ in
            guard request.hasPrefix("GET /api/v1/status ") else { return .forward(to: address) }
            let body = StubServer.ask(address, request).components(separatedBy: "\r\n\r\n").dropFirst().joined()
            return StubServer.json(
                "200 OK",
                body.replacingOccurrences(of: #""version":"\#(own)""#, with: #""version":"\#(version)","novelty":{"a":[1]}"#)
            )
        }
    }

    @Test(
        arguments: [
            ("99.0.0", "older than the server, 99.0.0"), ("0.0.1", "newer than the server, 0.0.1"), (own, nil), ("unreleased", nil),
        ] as [(String, String?)]
    )
    func gatectlSaysOnceThatTheServerIsOfAnotherVersion(version: String, words: String?) async throws {
        let server = try await Server.withShop()
        let stub = try other(version, before: server)
        let gatectl = try Gatectl(server)
        let there = ["GATECTL_SERVER": stub.address]
        // Reads and writes work all the same.
        let killed = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y", with: there)
        #expect(killed.status == 0, "\(killed)")
        let listed = try await gatectl("status", with: there)
        #expect(listed.out.contains("shop/ios"), "\(listed)")
        for outcome in [killed, listed] {
            let said = outcome.err.components(separatedBy: "this gatectl \(Self.own) is ").count - 1
            #expect(said == (words == nil ? 0 : 1), "\(outcome)")
            if let words { #expect(outcome.err.contains(words), "\(outcome)") }
        }
        // Data stays data.
        let json = try await gatectl("status", "--json", with: there)
        #expect(json.err == "", "\(json)")
        let doctor = try await gatectl("doctor", "--json", with: there)
        let finding = try doctor.json()["items"]?.array?.first { $0["check"]?.string == "version" }
        #expect((finding != nil) == (words != nil), "\(doctor)")
    }

    /// What an older server answers to members and addresses that came later.
    @Test(
        arguments: [
            (
                "PATCH /api/v1/apps/shop ", "400 Bad Request", "malformed", "/seen",
                #"An app has no member \"seen\"; its members are name."#,
                ["apps", "set", "shop", "--name", "Store", "-y"], 8
            ),
            (
                "GET /api/v1/targets/shop/ios/versions", "404 Not Found", "not_found", "", "There is no such address in the API.",
                ["reach", "shop", "ios", "--versions"], 6
            ),
        ]
    )
    func whatAnOlderServerDoesNotKnowIsToldWithWhatToDo(
        asked: String,
        status: String,
        code: String,
        field: String,
        detail: String,
        command: [String],
        exit: Int32
    ) async throws {
        let server = try await Server.withShop()
        let address = server.admin
        let stub = try StubServer { request, _ in
            guard request.hasPrefix(asked) else { return .forward(to: address) }
            return StubServer.json(
                status,
                #"{"type":"about:blank","title":"T","status":\#(status.prefix(3)),"code":"\#(code)","detail":"\#(detail)","field":"\#(field)"}"#
            )
        }
        let refused = try await Gatectl(server)(command, with: ["GATECTL_SERVER": stub.address])
        #expect(refused.status == exit, "\(refused)")
        #expect(refused.err.contains("next: the server is of another version than this gatectl"), "\(refused)")
        #expect(refused.err.contains("gatectl api GET /openapi.json"), "\(refused)")
    }

    @Test func aMistakeInAFileIsNoOtherVersion() async throws {
        let server = try await Server.withShop()
        let gatectl = try Gatectl(server)
        let file = try await #"{"aps":[],"# + gatectl("export").out.dropFirst()
        let refused = try await gatectl("apply", "-f", "-", "-n", input: file)
        #expect(refused.status == 8, "\(refused)")
        #expect(refused.err.contains(#"has no member "aps""#), "\(refused)")
        #expect(!refused.err.contains("another version"), "\(refused)")
    }
}
