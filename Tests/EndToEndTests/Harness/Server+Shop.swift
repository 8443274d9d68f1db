import GateAPI
import GateAdminClient
import GateJSON
import GateModel

extension Server {
    /// A server with the app `shop` on ios and android.
    /// - Parameters:
    ///   - isProtected: whether the environment is a protected one, called production.
    ///   - options: more options of `gatehouse serve`.
    static func withShop(isProtected: Bool = false, options: String...) async throws -> Server {
        let server = try await Server.start(options: (isProtected ? ["--protected", "--environment", "production"] : []) + options)
        try await server.client().addShop()
        return server
    }
}

extension AdminClient {
    /// Makes the app `shop` on ios and android.
    func addShop() async throws(AdminClientError) {
        _ = try await createApp(AppRequest(key: "shop", name: "Shop"))
        for platform in ["ios", "android"] { _ = try await putPlatform("shop", platform, SettingsRequest()) }
    }

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
