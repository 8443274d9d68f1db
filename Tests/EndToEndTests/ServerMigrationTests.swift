import Foundation
import GRDB
import GateTesting
import Testing

/// A release that brings a database of an older one up to date.
@Suite(.timeLimit(.minutes(3)))
struct ServerMigrationTests {
    /// A folder with a database of the schema before the present one, and the signatures that its release made. This release cannot write
    /// such a one, so what the last migration brought is taken away again.
    private func older(_ folder: TemporaryFolder) async throws -> String {
        let data = folder.path + "/data"
        let made = try await run(
            Programs.gatehouse,
            ["init", "--data", data, "--username", "admin", "--password-stdin"] + Server.assets.suffix(2),
            environment: Server.environment,
            input: "a long pass phrase\n"
        )
        #expect(made.status == 0, "\(made)")
        let database = try DatabaseQueue(path: data + "/gatehouse.sqlite")
        try await database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    ALTER TABLE users DROP COLUMN origin;
                    DROP INDEX users_by_invitation; ALTER TABLE users DROP COLUMN invitation_expires_at; ALTER TABLE users DROP COLUMN invitation_digest;
                    DROP TABLE shared_keys; DROP TABLE server_polls; DROP TABLE servers;
                    DROP TABLE own_feeds; ALTER TABLE apps DROP COLUMN own_feed_count; DELETE FROM migrations WHERE number >= 11; PRAGMA user_version = 10
                    """
            )
        }
        try database.close()
        return data
    }

    private func serve(_ data: String, _ more: String...) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.gatehouse)
        process.arguments = ["serve", "--data", data, "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0"] + Server.assets + more
        process.environment = Server.environment
        process.standardInput = FileHandle.nullDevice
        return process
    }

    @Test func anOlderDatabaseIsBroughtUpToDateAtTheStartWhereThatIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let data = try await older(folder)
        let refused = try await run(
            Programs.gatehouse,
            ["serve", "--data", data, "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0"] + Server.assets,
            environment: Server.environment
        )
        #expect(refused.status == 1)
        #expect(refused.err.contains("Run gatehouse migrate --data \(data)"), "\(refused)")

        let process = try serve(data, "--migrate")
        let (out, log) = (Pipe(), folder.path + "/log")
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        process.standardOutput = out
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        #expect(String(decoding: out.fileHandleForReading.availableData, as: UTF8.self).contains(#""event":"ready""#))
        process.terminate()
        await ended(process)
        #expect(process.terminationStatus == 0)
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("brought to this version's schema"))
        // The way back.
        let copies = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasPrefix("gatehouse.sqlite.schema-") }
        #expect(copies.count == 1)
        // Asked for again there is nothing to do.
        let verified = try await run(
            Programs.gatehouse,
            ["verify", "--data", data] + Server.assets.suffix(2),
            environment: Server.environment
        )
        #expect(verified.status == 0, "\(verified)")
    }
}
