import Foundation
import GateJSON
import GateModel
import GateTesting

/// gatectl with a home of its own, pointed at a server.
struct Gatectl: Sendable {
    let server: Server
    let home: TemporaryFolder
    var environment: [String: String]

    init(_ server: Server) throws {
        self.server = server
        home = try TemporaryFolder()
        environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "HOME": home.path].merging(
            Sanitizers.environment
        ) { $1 }
        environment["GATECTL_SERVER"] = server.admin
        environment["GATECTL_TOKEN"] = server.token
    }

    /// Runs on pipes, as in a script.
    func callAsFunction(_ arguments: String..., input: String = "", with more: [String: String] = [:]) async throws -> Outcome {
        try await self(arguments, input: input, with: more)
    }

    func callAsFunction(_ arguments: [String], input: String = "", with more: [String: String] = [:]) async throws -> Outcome {
        try await run(Programs.gatectl, arguments, environment: environment.merging(more) { $1 }, input: input, in: home.path)
    }

    /// Starts on a terminal of its own.
    func onTerminal(_ arguments: String..., with more: [String: String] = [:]) throws -> Terminal {
        try onTerminal(arguments, with: more)
    }

    /// - Parameter columns: how wide the terminal is.
    func onTerminal(_ arguments: [String], with more: [String: String] = [:], columns: UInt16 = 120) throws -> Terminal {
        try Terminal(Programs.gatectl, arguments, environment: environment.merging(more) { $1 }, columns: columns)
    }
}

extension Outcome {
    /// Standard output as the one JSON document that it must be.
    func json() throws -> JSONValue {
        guard out.hasSuffix("\n"), !out.dropLast().contains("\n") else { throw HarnessError("not one JSON document: \(self)") }
        return try JSONReader.read(out, limits: .own)
    }

    /// Standard error as the one JSON document that a failure with `--json` leaves there, and nothing on standard output.
    func errorJSON() throws -> JSONValue {
        guard out.isEmpty, let error = try JSONReader.read(err, limits: .own).object?["error"] else {
            throw HarnessError("not one JSON error: \(self)")
        }
        return error
    }
}

extension JSONValue {
    /// The member at a path such as `plan.tier` or `items.0.target`, or nil.
    subscript(path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, step in
            if let index = Int(step), let items = value?.array { return items.indices.contains(index) ? items[index] : nil }
            return value?.object?[String(step)]
        }
    }
}
