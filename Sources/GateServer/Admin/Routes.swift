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
        ]
        router = try Router(
            table.map { endpoint, handler in
                Route(HTTPMethod(rawValue: endpoint.method.rawValue), endpoint.pattern, AdminRoute(endpoint: endpoint, handler: handler))
            }
        )
    }
}
