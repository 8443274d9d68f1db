import Foundation
import GateAPI
import GateAdminClient
import GateModel

extension Server {
    /// Waits until the server has looked through its history, when it says whatever it found.
    func checked() async throws -> Health {
        while true {
            let health = try await client().status().health
            if health.state != .starting { return health }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// What `/healthz/ready` says once the history was looked through, for whom nobody has to be recognised.
    func ready() async throws -> String {
        while true {
            let text = String(decoding: try await client().raw("/healthz/ready").body, as: UTF8.self)
            if !text.contains(#""starting""#) { return text }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until a file of the data folder has what is looked for, which the server writes when it comes to it.
    func wait(for name: String, _ holds: (String) throws -> Bool) async throws {
        while true {
            // It is not there yet.
            if let text = try? String(contentsOfFile: data + "/" + name, encoding: .utf8), try holds(text) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The database with what SQLite keeps beside it.
    static let databaseFiles = ["gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm"]

    func removeDatabase() throws {
        for name in Self.databaseFiles where FileManager.default.fileExists(atPath: data + "/" + name) {
            try FileManager.default.removeItem(atPath: data + "/" + name)
        }
    }
}
