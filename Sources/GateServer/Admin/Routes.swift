import GateAPI
import GateHTTP
import GateService

/// A handler of the admin API: reads the exchange, calls a service, answers. Synchronous and short; runs on a worker thread.
typealias Handler = @Sendable (Exchange) throws(ServiceError) -> HTTPResponse

/// A route with what it takes to be let through to its handler.
struct AdminRoute: Sendable {
    let endpoint: Endpoint
    let handler: Handler
}

/// The whole table of the admin API. What is not in it does not exist; what is in it is closed to everybody below its access.
struct Routes: Sendable {
    let router: Router<AdminRoute>

    init(_ services: Services) throws(RouterError) {
        let table: [(Endpoint, Handler)] = [
            (.setupState, { exchange throws(ServiceError) in try services.setupState(exchange) }),
            (.setUp, { exchange throws(ServiceError) in try services.setUp(exchange) }),
            (.signIn, { exchange throws(ServiceError) in try services.signIn(exchange) }),
            (.session, { exchange throws(ServiceError) in try services.session(exchange) }),
            (.signOut, { exchange throws(ServiceError) in try services.signOut(exchange) }),
            (.reauthenticate, { exchange throws(ServiceError) in try services.reauthenticate(exchange) }),
            (.account, { exchange throws(ServiceError) in try services.account(exchange) }),
            (.changePassword, { exchange throws(ServiceError) in try services.changePassword(exchange) }),
            (.startTOTP, { exchange throws(ServiceError) in try services.startTOTP(exchange) }),
            (.confirmTOTP, { exchange throws(ServiceError) in try services.confirmTOTP(exchange) }),
            (.removeTOTP, { exchange throws(ServiceError) in try services.removeTOTP(exchange) }),
            (.listSessions, { exchange throws(ServiceError) in try services.listSessions(exchange) }),
            (.endSessions, { exchange throws(ServiceError) in try services.endSessions(exchange) }),
            (.endSession, { exchange throws(ServiceError) in try services.endSession(exchange) }),
            (.status, { exchange throws(ServiceError) in try services.status(exchange) }),
            (.listApps, { exchange throws(ServiceError) in try services.listApps(exchange) }),
            (.createApp, { exchange throws(ServiceError) in try services.createApp(exchange) }),
            (.app, { exchange throws(ServiceError) in try services.app(exchange) }),
            (.editApp, { exchange throws(ServiceError) in try services.editApp(exchange) }),
            (.deleteApp, { exchange throws(ServiceError) in try services.deleteApp(exchange) }),
            (.putPlatform, { exchange throws(ServiceError) in try services.putPlatform(exchange) }),
            (.deletePlatform, { exchange throws(ServiceError) in try services.deletePlatform(exchange) }),
            (.listTargets, { exchange throws(ServiceError) in try services.listTargets(exchange) }),
            (.target, { exchange throws(ServiceError) in try services.target(exchange) }),
            (.listChanges, { exchange throws(ServiceError) in try services.listChanges(exchange) }),
            (.commitChange, { exchange throws(ServiceError) in try services.commitChange(exchange) }),
            (.change, { exchange throws(ServiceError) in try services.change(exchange) }),
            (.events, { exchange throws(ServiceError) in try services.events(exchange) }),
            (.importFile, { exchange throws(ServiceError) in try services.importFile(exchange) }),
            (.simulate, { exchange throws(ServiceError) in try services.simulate(exchange) }),
            (.export, { exchange throws(ServiceError) in try services.export(exchange) }),
            (.apply, { exchange throws(ServiceError) in try services.apply(exchange) }),
            (.listWindows, { exchange throws(ServiceError) in try services.listWindows(exchange) }),
            (.createWindow, { exchange throws(ServiceError) in try services.createWindow(exchange) }),
            (.window, { exchange throws(ServiceError) in try services.window(exchange) }),
            (.cancelWindow, { exchange throws(ServiceError) in try services.cancelWindow(exchange) }),
            (.runWindow, { exchange throws(ServiceError) in try services.runWindow(exchange) }),
            (.listUsers, { exchange throws(ServiceError) in try services.listUsers(exchange) }),
            (.createUser, { exchange throws(ServiceError) in try services.createUser(exchange) }),
            (.editUser, { exchange throws(ServiceError) in try services.editUser(exchange) }),
            (.deleteUser, { exchange throws(ServiceError) in try services.deleteUser(exchange) }),
            (.listTokens, { exchange throws(ServiceError) in try services.listTokens(exchange) }),
            (.createToken, { exchange throws(ServiceError) in try services.createToken(exchange) }),
            (.revokeToken, { exchange throws(ServiceError) in try services.revokeToken(exchange) }),
            (.listAudit, { exchange throws(ServiceError) in try services.listAudit(exchange) }),
        ]
        router = try Router(
            table.map { endpoint, handler in
                Route(HTTPMethod(rawValue: endpoint.method.rawValue), endpoint.pattern, AdminRoute(endpoint: endpoint, handler: handler))
            }
        )
    }
}
