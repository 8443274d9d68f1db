import Foundation
import GateAPI
import GateAdminClient
import GateTesting
import Testing

/// `verify --from --anchor` of a backup whose key is not at hand.
struct BackupAnchorTests {
    @Test func anAnchorIsNotPassedOverForWantOfAKey() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        await server.stop()
        func gatehouse(_ arguments: String...) async throws -> Outcome {
            try await run(Programs.gatehouse, arguments, environment: Server.environment)
        }
        let made = try await gatehouse("backup-key", "--out", place.path + "/key")
        let key = made.out.trimmingCharacters(in: .whitespacesAndNewlines)
        let (backup, then) = (place.path + "/one.backup", place.path + "/then.json")
        let kept = try await gatehouse("backup", "--data", server.data, "--out", backup, "--encrypt-to", key)
        #expect(kept.status == 0, "\(kept)")
        try FileManager.default.copyItem(atPath: server.data + "/anchor.json", toPath: then)
        func verify(_ anchor: String, _ more: String...) async throws -> Outcome {
            try await run(
                Programs.gatehouse,
                ["verify", "--from", backup, "--anchor", anchor] + more + Server.assets.suffix(2),
                environment: Server.environment
            )
        }
        let sound = try await verify(then)
        #expect(sound.status == 0 && sound.out.contains("It ends as the anchor does."), "\(sound)")

        try await server.start()
        _ = try await server.client().kill("Back.", at: 1)
        await server.stop()
        let behind = try await verify(server.data + "/anchor.json")
        #expect(behind.status == 1 && behind.err.contains("is missing: the anchor knows rows up to"), "\(behind)")
        let later = place.path + "/later.backup"
        _ = try await gatehouse("backup", "--data", server.data, "--out", later, "--encrypt-to", key)
        try FileManager.default.removeItem(atPath: backup)
        try FileManager.default.moveItem(atPath: later, toPath: backup)
        let refused = try await verify(then)
        #expect(refused.status == 1 && refused.err.contains("--key"), "\(refused)")
        let looked = try await verify(then, "--key", place.path + "/key")
        #expect(looked.status == 0, "\(looked)")
    }
}
