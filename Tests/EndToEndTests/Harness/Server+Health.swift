import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting

extension Server {
    /// Waits until the server has looked through its history, when it says whatever it found.
    func checked() async throws -> Health {
        var health = try await client().status().health
        try await waitUntil("the server has looked through its history") {
            health = try await client().status().health
            return health.state != .starting
        }
        return health
    }

    /// What `/healthz/ready` says once the history was looked through, for whom nobody has to be recognised.
    func ready() async throws -> String {
        var text = ""
        try await waitUntil("the server has looked through its history") {
            text = String(decoding: try await client().raw("/healthz/ready").body, as: UTF8.self)
            return !text.contains(#""starting""#)
        }
        return text
    }

    /// Waits until a file of the data folder has what is looked for, which the server writes when it comes to it.
    func wait(for name: String, _ holds: (String) throws -> Bool) async throws {
        try await waitUntil("\(name) has what is looked for") {
            // It is not there yet.
            guard let text = try? String(contentsOfFile: data + "/" + name, encoding: .utf8) else { return false }
            return try holds(text)
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
