import GateAPI
import GateAdminClient
import GateJSON
import GateModel

extension Server {
    /// A server with the app `shop` on ios and android.
    /// - Parameter isProtected: whether the environment is a protected one, called production.
    static func withShop(isProtected: Bool = false) async throws -> Server {
        let server = isProtected ? try await Server.start("--protected", "--environment", "production") : try await Server.start()
        let client = try server.client()
        _ = try await client.createApp(AppRequest(key: "shop", name: "Shop"))
        for platform in ["ios", "android"] { _ = try await client.putPlatform("shop", platform, SettingsRequest()) }
        return server
    }
}

extension AdminClient {
    /// Sets or clears the kill switch of `shop/ios`.
    /// - Parameters:
    ///   - message: nil opens.
    ///   - revision: the one that was seen.
    func kill(_ message: String?, at revision: Int, confirm: String? = nil, reason: String? = nil) async throws(AdminClientError)
        -> ChangeResultBody
    {
        let edit = GateEdit([.killSwitch: message.map { ["message": .string($0)] }])
        let target = TargetRef(app: "shop", platform: "ios", revision: revision)
        return try await commit(ChangeRequest(targets: [target], content: .set(edit), terms: WriteTerms(reason: reason, confirm: confirm)))
    }
}
