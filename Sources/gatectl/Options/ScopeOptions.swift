import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

/// Which apps somebody may touch.
struct ScopeOptions: ParsableArguments {
    @Option(name: .customLong("app"), parsing: .singleValue, help: "Only this app; may be given again.") var apps: [String] = []
    @Flag(name: .customLong("all-apps"), help: "All apps, those that come later too.") var isEverything = false

    func validate() throws {
        if isEverything, !apps.isEmpty { throw ValidationError("--app and --all-apps exclude each other") }
    }

    /// Nil if neither option was given.
    /// - Throws: as ``TargetLookup/scope(of:)``.
    func scope(_ client: AdminClient) async throws -> AppScope? {
        if isEverything { return .all }
        return apps.isEmpty ? nil : try await TargetLookup(client: client).scope(of: apps)
    }
}

extension AppKey {
    /// - Throws: input refused (8) if no app can have that key.
    static func named(_ text: String) throws(Failure) -> AppKey {
        do { return try AppKey(validating: text) } catch { throw Failure(.refused, error.code, error.detail) }
    }
}
