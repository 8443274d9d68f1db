import GateAPI
import GateAdminClient
import GateModel
import Testing

extension Gatectl {
    /// A server with the app `shop` on ios and android, and gatectl pointed at it.
    /// - Parameter isProtected: whether the environment is a protected one, called production.
    static func withShop(isProtected: Bool = false) async throws -> Gatectl {
        let server = isProtected ? try await Server.start("--protected", "--environment", "production") : try await Server.start()
        let gatectl = try Gatectl(server)
        let outcome = try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android")
        try #require(outcome.status == 0, "\(outcome)")
        return gatectl
    }

    /// The present revision of a target.
    func revision(_ target: String) async throws -> Int? {
        let parts = target.split(separator: "/").map(String.init)
        return try await server.client().target(parts[0], parts[1]).target.revision
    }

    /// How many changes there are.
    func sequence() async throws -> Int { try await server.client().status().sequence }
}
