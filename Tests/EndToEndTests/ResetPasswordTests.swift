import Foundation
import GateAPI
import GateAdminClient
import GateModel
import Testing

/// The way back for who is locked out, with the server stopped and beside a running one.
struct ResetPasswordTests {
    private func reset(_ server: Server, _ username: String, _ password: String) async throws -> Outcome {
        let words = ["admin", "reset-password", "--data", server.data, "--username", username, "--password-stdin"]
        return try await run(Programs.gatehouse, words + Server.assets.suffix(2), environment: Server.environment, input: password + "\n")
    }

    private func signIn(_ server: Server, _ password: String) async throws -> Bool {
        let client = AdminClient(server: try #require(ServerAddress(server.admin)), token: nil)
        let person = SessionRequest(username: "admin", password: password)
        do {
            _ = try await client.makeToken(for: person, named: "check")
            return true
        } catch {
            #expect(error.problem?.code == "wrong_credentials", "\(error)")
            return false
        }
    }

    @Test func aRunningServerTakesItWithinSeconds() async throws {
        let server = try await Server.start()
        #expect(try await !signIn(server, "another long pass phrase"))
        let outcome = try await reset(server, "admin", "another long pass phrase")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await signIn(server, "another long pass phrase"))
        // Neither the password nor its hash is left anywhere.
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.data + "/requests") == [])
        #expect(try !server.log.contains("another long") && !server.log.contains("argon2"))
    }

    @Test func whatCannotBeIsSaid() async throws {
        let server = try await Server.start()
        let unknown = try await reset(server, "nobody", "another long pass phrase")
        #expect(unknown.status == 1 && unknown.err.contains("nobody with that name"), "\(unknown)")
        let short = try await reset(server, "admin", "short")
        #expect(short.status == 1 && !short.err.isEmpty, "\(short)")
        #expect(try await reset(server, "admin", "another long pass phrase").status == 0)
    }

    /// What somebody else may have written is none of the server's business.
    @Test func aRequestThatOthersCouldWriteIsLeftAlone() async throws {
        let server = try await Server.start()
        let folder = server.data + "/requests"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let forged = folder + "/reset-x.json"
        let text = #"{"username":"admin","hash":"$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$x","clearTOTP":true}"#
        #expect(FileManager.default.createFile(atPath: forged, contents: Data(text.utf8), attributes: [.posixPermissions: 0o666]))
        // The next one is carried out after it, so that one was looked at.
        #expect(try await reset(server, "admin", "another long pass phrase").status == 0)
        #expect(FileManager.default.fileExists(atPath: forged))
        #expect(try await signIn(server, "another long pass phrase"))
    }

    @Test func aStoppedServersDatabaseIsWrittenAtOnce() async throws {
        let server = try await Server.start()
        await server.stop()
        #expect(try await reset(server, "admin", "another long pass phrase").status == 0)
        try await server.start()
        #expect(try await signIn(server, "another long pass phrase"))
    }
}
