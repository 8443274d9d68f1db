import Foundation
import GateTesting

extension Server {
    /// Servers of one database, each with a data folder of its own and the keys of the first.
    static func sharing(_ database: PostgresDatabase, count: Int) async throws -> [Server] {
        let folder = try TemporaryFolder()
        let made = try await run(
            Programs.gatehouse,
            [
                "init", "--data", folder.path + "/data", "--database", database.url, "--username", "admin", "--password-stdin", "--token",
                "ci",
            ] + assets.suffix(2),
            environment: environment,
            input: "violet-harbour-41-lantern\n"
        )
        guard made.status == 0, made.out.hasPrefix("gate_") else { throw HarnessError("gatehouse init: \(made)") }
        var servers: [Server] = []
        for number in 0..<count {
            let own = number == 0 ? folder : try TemporaryFolder()
            if number > 0 {
                try FileManager.default.createDirectory(
                    atPath: own.path + "/data",
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try FileManager.default.copyItem(atPath: folder.path + "/data/keys", toPath: own.path + "/data/keys")
            }
            let token = made.out.trimmingCharacters(in: .whitespacesAndNewlines)
            let server = Server(folder: own, token: token, options: ["--database", database.url, "--server-name", "server-\(number)"])
            try await server.start()
            servers.append(server)
        }
        return servers
    }
}
