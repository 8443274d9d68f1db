import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting
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

    /// Whoever waits for a server that hangs must know whether the password will change behind their back.
    @Test func whatAServerThatHangsHasTakenIsToldFromWhatItHasNot() async throws {
        let server = try await Server.start()
        let folder = server.data + "/requests"
        server.freeze()
        async let takenOutcome = reset(server, "admin", "another long pass phrase")
        async let leftOutcome = reset(server, "sam", "another long pass phrase")
        // Takes the one request as the server does.
        try await waitUntil("the request is there and taken") {
            // The folder is made with the first request.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let ours = names.first { name in
                // One that is gone again was not for this name.
                let text = name.hasSuffix(".json") ? try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) : nil
                return text?.contains("\"admin\"") == true
            }
            guard let ours else { return false }
            try FileManager.default.removeItem(atPath: folder + "/" + ours)
            return true
        }
        let (taken, left) = (try await takenOutcome, try await leftOutcome)
        #expect(taken.status == 1 && taken.err.contains("took the request"), "\(taken)")
        #expect(taken.err.contains("gatectl audit --action people.reset") && !taken.err.contains("nothing was changed"), "\(taken)")
        #expect(left.status == 1 && left.err.contains("nothing was changed"), "\(left)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        // Answers that nobody has read do not lie there for ever.
        for name in ["reset-old.answer", "reset-new.answer"] { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
        let hourAgo = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: folder + "/reset-old.answer")
        server.thaw()
        try await waitUntil("the old answer is gone") {
            try FileManager.default.contentsOfDirectory(atPath: folder) == ["reset-new.answer"]
        }
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
