import GateAdminClient
import GateModel

extension ScopeOptions {
    /// Nil if neither option was given.
    /// - Throws: as ``TargetLookup/scope(of:)``.
    func scope(_ client: AdminClient) async throws -> AppScope? {
        if isEverything { return .all }
        return apps.isEmpty ? nil : try await TargetLookup(client: client).scope(of: apps)
    }
}
