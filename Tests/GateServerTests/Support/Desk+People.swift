import GateCrypto
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting

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

    /// A second factor that was set up in a browser.
    struct Factor {
        let secret: [UInt8]

        func code(at now: Timestamp) -> String {
            TOTP(secret: secret).text(step: TOTP.step(atSeconds: now.milliseconds / 1_000))
        }
    }

    func secondFactor(in browser: Browser) throws -> Factor {
        let started = ask(.post, "/api/v1/account/totp", "{}", in: browser)
        try started.expect(200)
        let factor = Factor(secret: try Base32Reader.decode(try started.json["secret"]?.string.unwrapped() ?? ""))
        try ask(.post, "/api/v1/account/totp/confirm", #"{"code":"\#(factor.code(at: clock.now))"}"#, in: browser).expect(200)
        return factor
    }

    /// Who there is, with their passwords, factors and roles, and whose tokens and sessions.
    func people() throws -> People {
        let store = try ledger.store.unwrapped()
        // A code that is tried marks its step; that is no change of the person.
        let users = try store.users().map { user in
            var user = user
            user.totpStep = 0
            return user
        }
        return People(
            users: users,
            tokens: try store.tokens().map(\.id),
            sessions: try users.flatMap { try store.sessions(of: $0.id).map(\.id) }
        )
    }

    struct People: Equatable {
        let users: [UserRecord]
        let tokens: [String]
        let sessions: [SHA256Digest]
    }

    /// Asks as a browser does.
    func ask(_ method: HTTPMethod, _ path: String, _ body: String? = nil, in browser: Browser, more: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = browser.headers
        for field in more { headers.set(field.name, field.value) }
        return ask(method, path, body, as: .nobody, headers: headers)
    }
}
