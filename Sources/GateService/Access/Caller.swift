package import GateModel

/// Who asks, as far as it was proven, and from where.
package struct Caller: Sendable, Hashable {
    package let actor: Actor
    package let role: Role
    /// The apps that the role holds for.
    package let scope: AppScope
    package let source: Change.Source
    package let requestId: String
    /// The peer's address as text, for the audit.
    package let address: String

    package init(actor: Actor, role: Role, scope: AppScope, source: Change.Source, requestId: String, address: String) {
        self.actor = actor
        self.role = role
        self.scope = scope
        self.source = source
        self.requestId = requestId
        self.address = address
    }

    package func sees(_ app: AppKey) -> Bool { scope.contains(app) }

    /// - Throws: `forbidden` naming what is missing.
    package func require(_ role: Role, of app: AppKey? = nil) throws(ServiceError) {
        guard self.role >= role else {
            throw ServiceError(.forbidden, "forbidden", "This needs the role \(role.rawValue); \(actor.name) has \(self.role.rawValue).")
        }
        if let app, !sees(app) {
            throw ServiceError(.forbidden, "forbidden", "\(actor.name) may not touch the app \(app).")
        }
    }
}
