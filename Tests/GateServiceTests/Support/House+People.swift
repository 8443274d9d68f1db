import GateCrypto
import GateModel
import GateStore
import GateTesting

@testable import GateService

extension House {
    static let password = "a long pass phrase"

    /// Who is who, with keys for second factors in the house's folder.
    /// - Parameters:
    ///   - cost: of the hashes that are made.
    ///   - act: happens whenever something random is drawn, such as a session's secret: between what is read before and written after.
    func people(cost: PasswordHash.Cost = .least, between act: (@Sendable () -> Void)? = nil) -> AccessService {
        AccessService(
            store: { [ledger] in ledger.store },
            hasher: PasswordHasher(cost: cost),
            random: RandomSource { count in
                act?()
                return RandomSource.system.bytes(count)
            },
            keys: KeyFolder(dataFolder: folder, random: .system),
            failures: ledger.failures,
            now: { [clock] in clock.now }
        )
    }

    /// A person; the first is to be called `ann`.
    func addPerson(_ name: String, _ role: Role = .admin, _ scope: AppScope = .all) throws {
        if try access.needsSetup() { try access.createFirstAdministrator(name: "ann", password: Self.password, from: .console) }
        if name != "ann" { _ = try access.createPerson(name: name, role: role, scope: scope, password: Self.password, by: .admin) }
    }

    /// Everything in the audit, the oldest first.
    func audit() throws -> [AuditEntry] {
        access.writeRefusals(all: true)
        return try ledger.store.unwrapped().audit(AuditQuery(limit: 1_000)).map(\.entry).reversed()
    }
}

extension PersonEdit {
    init(_ alter: (inout PersonEdit) -> Void) {
        self.init()
        alter(&self)
    }
}

extension AccessService {
    func signIn(_ name: String, _ totp: String? = nil, password: String = House.password, from address: String = "192.0.2.7") throws
        -> NewSession
    {
        try signIn(username: name, password: password, totp: totp, from: .from(address))
    }

    /// A caller as a session makes one.
    func caller(_ session: NewSession) -> Caller {
        let user = session.signedIn.user
        return Caller(
            actor: Actor(kind: .user, name: user.name),
            role: user.role,
            scope: user.scope,
            source: .dashboard,
            requestId: "r",
            address: "192.0.2.7",
            userID: session.signedIn.userID
        )
    }

    func caller(bearing token: NewToken) throws -> Caller {
        try caller(token: token.text, source: .api, requestId: "r", address: "192.0.2.7")
    }
}

extension AppScope {
    static func only(_ apps: String...) -> AppScope { .only(Set(apps.map { AppKey($0)! })) }
}
