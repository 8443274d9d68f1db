import CurlHTTP
package import GateAPI
import GateJSON
package import GateModel

/// The operations; each calls one endpoint. All throw ``AdminClientError``.
extension AdminClient {
    package func status() async throws(AdminClientError) -> StatusBody {
        let status = try await call(.status, as: StatusBody.self)
        observer(.met(version: status.version))
        return status
    }

    /// Who this client is signed in as.
    package func session() async throws(AdminClientError) -> SessionBody { try await call(.session, as: SessionBody.self) }

    /// Every app.
    package func apps() async throws(AdminClientError) -> [AppBody] { try await all(.listApps) }

    package func app(_ key: String) async throws(AdminClientError) -> AppBody { try await call(.app, [key], as: AppBody.self) }

    package func createApp(_ body: AppRequest) async throws(AdminClientError) -> AppBody {
        try await call(.createApp, body: body, as: AppBody.self)
    }

    package func editApp(_ key: String, _ body: AppPatch) async throws(AdminClientError) -> AppBody {
        try await call(.editApp, [key], body: body, as: AppBody.self)
    }

    /// What ``editApp(_:_:)`` would do. Nothing is written.
    package func planApp(_ key: String, _ body: AppPatch) async throws(AdminClientError) -> ChangeResultBody {
        var body = body
        body.terms.dryRun = true
        return try await call(.editApp, [key], body: body, as: ChangeResultBody.self)
    }

    package func deleteApp(_ key: String, _ body: DeleteRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.deleteApp, [key], body: body, as: ChangeResultBody.self)
    }

    /// Creates the platform or edits its settings.
    package func putPlatform(_ app: String, _ platform: String, _ body: SettingsRequest) async throws(AdminClientError) -> TargetBody {
        try await call(.putPlatform, [app, platform], body: body, as: TargetBody.self)
    }

    /// What ``putPlatform(_:_:_:)`` would do. Nothing is written.
    package func planPlatform(_ app: String, _ platform: String, _ body: SettingsRequest) async throws(AdminClientError) -> ChangeResultBody
    {
        var body = body
        body.terms.dryRun = true
        return try await call(.putPlatform, [app, platform], body: body, as: ChangeResultBody.self)
    }

    package func deletePlatform(_ app: String, _ platform: String, _ body: DeleteRequest) async throws(AdminClientError) -> ChangeResultBody
    {
        try await call(.deletePlatform, [app, platform], body: body, as: ChangeResultBody.self)
    }

    package func ownFeed(_ app: String, _ name: String) async throws(AdminClientError) -> OwnFeedBody {
        try await call(.ownFeed, [app, name], as: OwnFeedBody.self)
    }

    /// Creates a feed of the app's own shape, or replaces its template. Plans or commits, as the body's `dryRun` says.
    package func putOwnFeed(_ app: String, _ name: String, _ body: OwnFeedRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.putOwnFeed, [app, name], body: body, as: ChangeResultBody.self)
    }

    package func deleteOwnFeed(_ app: String, _ name: String, _ body: DeleteRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.deleteOwnFeed, [app, name], body: body, as: ChangeResultBody.self)
    }

    /// Every target.
    package func targets() async throws(AdminClientError) -> [TargetBody] { try await all(.listTargets) }

    package func target(_ app: String, _ platform: String) async throws(AdminClientError) -> TargetBody {
        try await call(.target, [app, platform], as: TargetBody.self)
    }

    /// Which versions polled a target.
    /// - Parameter span: `hour` or `day`.
    package func versions(_ app: String, _ platform: String, within span: String) async throws(AdminClientError) -> VersionsBody {
        try await call(.listVersions, [app, platform], query: [("within", span)], as: VersionsBody.self)
    }

    /// One page of the history, newest first.
    /// - Parameter filter: the query of `GET /changes`; a parameter whose value is nil is left out.
    package func changes(_ filter: [(name: String, value: String?)]) async throws(AdminClientError) -> PageBody<Change> {
        try await page(.listChanges, filter)
    }

    package func change(_ sequence: Int) async throws(AdminClientError) -> Change {
        try await call(.change, [String(sequence)], as: Change.self)
    }

    /// The changes after a sequence, oldest first.
    package func events(after sequence: Int) async throws(AdminClientError) -> EventsBody {
        try await call(.events, query: [("after", String(sequence))], as: EventsBody.self)
    }

    /// Plans or commits, as the body's `dryRun` says.
    package func commit(_ body: ChangeRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.commitChange, body: body, as: ChangeResultBody.self)
    }

    /// Plans or commits, as the body's `dryRun` says.
    package func importFile(_ body: ImportRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.importFile, body: body, as: ChangeResultBody.self)
    }

    /// What one phone shows. Nothing is written.
    package func simulate(_ body: SimulationRequest) async throws(AdminClientError) -> Simulation {
        try await call(.simulate, body: body, as: Simulation.self)
    }

    /// What the phones of many versions show. Nothing is written.
    /// - Precondition: the body asks for versions.
    package func matrix(_ body: SimulationRequest) async throws(AdminClientError) -> SimulationMatrix {
        try await call(.simulate, body: body, as: SimulationMatrix.self)
    }

    /// Plans or commits, as the body's `dryRun` says.
    package func apply(_ body: ApplyRequest) async throws(AdminClientError) -> ChangeResultBody {
        try await call(.apply, body: body, as: ChangeResultBody.self)
    }

    /// One page of the audit, newest first.
    /// - Parameter filter: the query of `GET /audit`; a parameter whose value is nil is left out.
    package func audit(_ filter: [(name: String, value: String?)]) async throws(AdminClientError) -> PageBody<RecordedAuditEntry> {
        try await page(.listAudit, filter)
    }

    /// Revokes a token on the server, at once and for good.
    package func revoke(_ token: BearerToken) async throws(AdminClientError) {
        guard let id = token.id else { throw AdminClientError(.badAnswer, Endpoint.revokeToken.description, "the token has no id in it") }
        try await revokeToken(id)
    }

    /// Like ``revoke(_:)``, given the public part of the token.
    package func revokeToken(_ id: String) async throws(AdminClientError) { _ = try await ask(.delete, Self.path(.revokeToken, [id])) }

    /// Tokens, newest first: the caller's own, or for administrators all; revoked and expired ones too.
    package func tokens() async throws(AdminClientError) -> [ListedToken] { try await all(.listTokens) }

    /// Makes a token for the caller.
    package func createToken(_ body: TokenRequest) async throws(AdminClientError) -> NewToken {
        try await call(.createToken, body: body, as: NewToken.self)
    }

    /// Has the server make a backup in its own folder; answers when it is made and checked.
    package func createBackup() async throws(AdminClientError) -> ListedBackup {
        try await call(.createBackup, body: EmptyRequest(), as: ListedBackup.self)
    }

    /// The server's backups, the newest first.
    package func backups() async throws(AdminClientError) -> [ListedBackup] {
        try await call(.listBackups, as: PageBody<ListedBackup>.self).items
    }

    /// People, by name.
    package func users() async throws(AdminClientError) -> [Person] { try await all(.listUsers) }

    /// Adds a person, with an invitation if the body has no password.
    package func createUser(_ body: UserRequest) async throws(AdminClientError) -> InvitedPerson {
        try await call(.createUser, body: body, as: InvitedPerson.self)
    }

    /// Makes a new invitation, which replaces any earlier one.
    package func inviteUser(_ name: String) async throws(AdminClientError) -> InvitedPerson {
        try await call(.inviteUser, [name], body: EmptyRequest(), as: InvitedPerson.self)
    }

    package func editUser(_ name: String, _ body: UserPatch) async throws(AdminClientError) -> Person {
        try await call(.editUser, [name], body: body, as: Person.self)
    }

    /// Removes a person; their tokens end.
    package func deleteUser(_ name: String) async throws(AdminClientError) { _ = try await ask(.delete, Self.path(.deleteUser, [name])) }

    /// Sends a request to any address of the server.
    /// - Parameter body: sent unless the method is GET; nil for an empty object.
    /// - Returns: the answer's body, which may be empty. A refusal is thrown.
    package func ask(_ method: Declaration.Method, _ path: String, body: [UInt8]? = nil) async throws(AdminClientError) -> [UInt8] {
        let mayChange = method != .get
        let keepsKey = Endpoint(method, path)?.keepsKeys ?? false
        let (answer, mayHaveArrived) = try await exchange(method, path, body: body, mayChange: mayChange, keepsKey: keepsKey)
        guard (200...299).contains(answer.status) else {
            throw refusal(
                "\(method.rawValue) \(path)",
                answer,
                outcomeUnknown: mayHaveArrived && mayChange && Self.leavesOpen(answer),
                mayChange: mayChange
            )
        }
        // The API answers with a document or with 204. Anything else is from somewhere else, such as a proxy's page to sign in at.
        if path.hasPrefix(Endpoint.base + "/"), answer.status != 204 {
            _ = try read(answer, mayChange: mayChange, "\(method.rawValue) \(path)", mayHaveArrived, as: JSONValue.self)
        }
        return answer.body
    }

    /// Every page of a list.
    func all<Item: APIBody>(_ endpoint: Endpoint, _ filter: [(name: String, value: String?)] = []) async throws(AdminClientError) -> [Item]
    {
        var items: [Item] = []
        var cursor: String?
        repeat {
            let page: PageBody<Item> = try await page(endpoint, filter + [("cursor", cursor)])
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// One page of a list: the one that the cursor in the query names, else the first.
    private func page<Item: APIBody>(
        _ endpoint: Endpoint,
        _ query: [(name: String, value: String?)]
    ) async throws(AdminClientError) -> PageBody<Item> {
        let page = try await call(endpoint, query: query, as: PageBody<Item>.self)
        _ = try Self.cursor(page.next, after: query.first { $0.name == "cursor" }?.value, endpoint)
        return page
    }

    /// The cursor of the next part of an answer; nil if there is none.
    /// - Throws: if it leads to the part that has just been read, as from a cache that leaves out the query: that would never end.
    static func cursor(_ next: String?, after last: String?, _ endpoint: Endpoint) throws(AdminClientError) -> String? {
        guard let next, next == last else { return next }
        throw AdminClientError(.badAnswer, endpoint.description, "the server answers with the same part of the list again and again")
    }
}
