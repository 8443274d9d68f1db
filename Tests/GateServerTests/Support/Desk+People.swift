import GateHTTP
import GateModel
import GateService

@testable import GateServer

extension Desk {
    /// Signs a person in, making them first. The first administrator is ann, who is made when there is nobody.
    func browser(_ name: String, _ role: Role, _ scope: AppScope = .all) throws -> Browser {
        if try access.needsSetup() { try access.createFirstAdministrator(name: "ann", password: Self.password, from: .console) }
        if try access.listPeople().allSatisfy({ $0.name != name }) {
            let caller = Caller(
                actor: Actor(kind: .system, name: "test"),
                role: .admin,
                scope: .all,
                source: .api,
                requestId: "r",
                address: "console"
            )
            _ = try access.createPerson(name: name, role: role, scope: scope, password: Self.password, by: caller)
        }
        return try browser(from: ask(.post, "/api/v1/session", #"{"username":"\#(name)","password":"\#(Self.password)"}"#, as: .nobody))
    }

    /// Asks as a browser does.
    func ask(_ method: HTTPMethod, _ path: String, _ body: String? = nil, in browser: Browser, more: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = browser.headers
        for field in more { headers.set(field.name, field.value) }
        return ask(method, path, body, as: .nobody, headers: headers)
    }
}
