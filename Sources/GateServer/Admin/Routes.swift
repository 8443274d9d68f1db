import GateAPI
import GateHTTP
import GateService

/// A handler of the admin API: reads the exchange, calls a service, answers. Synchronous and short; runs on a worker thread.
typealias Handler = @Sendable (Exchange) throws(ServiceError) -> HTTPResponse

/// A route with what decides who is let through to its handler.
struct AdminRoute: Sendable {
    /// Nil for what machines ask about the server itself, which anybody who reaches the listener is told.
    let endpoint: Endpoint?
    /// For counts and logs.
    let pattern: String
    let handler: Handler

    /// For the log: `GET /api/v1/status`.
    var name: String { endpoint?.description ?? pattern }
}

/// The whole table of the admin listener except for files and feeds. What is not in it does not exist; each route in it is closed to
/// everybody below its access.
struct Routes: Sendable {
    let router: Router<AdminRoute>

    /// - Throws: when two patterns take the same request, which is a mistake of this program.
    init(_ services: Services, _ table: FeedTable) throws(RouterError) {
        let api = Endpoint.allCases.map { endpoint in
            let route = AdminRoute(endpoint: endpoint, pattern: endpoint.pattern, handler: Self.handler(of: endpoint, services))
            return Route(HTTPMethod(rawValue: endpoint.method.rawValue), endpoint.pattern, route)
        }
        let description = HTTPResponse.json(APIDescription.document(version: services.version))
        let operations = [
            Self.operation("/healthz/live") { _ in .text("ok\n", headers: HeaderSet.api) },
            Self.operation("/healthz/ready") { _ in services.readiness(of: table) },
            Self.operation("/metrics", services.metricsPage),
            Self.operation("/openapi.json") { _ in description },
        ]
        router = try Router(api + operations)
    }

    private static func operation(_ pattern: String, _ handler: @escaping Handler) -> Route<AdminRoute> {
        Route(.get, pattern, AdminRoute(endpoint: nil, pattern: "operations", handler: handler))
    }

    private static func handler(of endpoint: Endpoint, _ services: Services) -> Handler {
        switch endpoint {
        case .setupState: services.setupState
        case .setUp: services.setUp
        case .signIn: services.signIn
        case .acceptInvitation: services.acceptInvitation
        case .session: services.session
        case .signOut: services.signOut
        case .reauthenticate: services.reauthenticate
        case .account: services.account
        case .changePassword: services.changePassword
        case .startTOTP: services.startTOTP
        case .confirmTOTP: services.confirmTOTP
        case .removeTOTP: services.removeTOTP
        case .listSessions: services.listSessions
        case .endSessions: services.endSessions
        case .endSession: services.endSession
        case .status: services.status
        case .listApps: services.listApps
        case .createApp: services.createApp
        case .app: services.app
        case .editApp: services.editApp
        case .deleteApp: services.deleteApp
        case .putPlatform: services.putPlatform
        case .deletePlatform: services.deletePlatform
        case .ownFeed: services.ownFeed
        case .putOwnFeed: services.putOwnFeed
        case .deleteOwnFeed: services.deleteOwnFeed
        case .listTargets: services.listTargets
        case .target: services.target
        case .listVersions: services.versions
        case .listChanges: services.listChanges
        case .commitChange: services.commitChange
        case .change: services.change
        case .events: services.events
        case .importFile: services.importFile
        case .simulate: services.simulate
        case .beginRehearsal: services.beginRehearsal
        case .listRehearsals: services.listRehearsals
        case .rehearsal: services.rehearsal
        case .alterRehearsal: services.alterRehearsal
        case .endRehearsal: services.endRehearsal
        case .export: services.export
        case .apply: services.apply
        case .listWindows: services.listWindows
        case .createWindow: services.createWindow
        case .window: services.window
        case .cancelWindow: services.cancelWindow
        case .replaceWindow: services.replaceWindow
        case .runWindow: services.runWindow
        case .listUsers: services.listUsers
        case .createUser: services.createUser
        case .editUser: services.editUser
        case .deleteUser: services.deleteUser
        case .inviteUser: services.inviteUser
        case .listTokens: services.listTokens
        case .createToken: services.createToken
        case .revokeToken: services.revokeToken
        case .listAudit: services.listAudit
        case .listBackups: services.listBackups
        case .createBackup: services.createBackup
        }
    }
}
