package import GateCrypto
package import GateModel

/// What let a request in. It is checked again in the transaction that carries the request out: a password may have been reset in between,
/// and whoever that was meant to keep out must not win the race.
package enum Authority: Sendable, Hashable {
    /// The server itself, its clock, or a shell on its machine: nothing that could end.
    case server
    /// A session, by ``SessionRecord/id``. It ends with its person's password, role and apps, and when they are disabled.
    case session(SHA256Digest)
    /// A token, by ``TokenRecord/id``, and what its owner was allowed when it was checked; nil for a token without an owner.
    case token(id: String, owner: Reach?)

    /// What a person may do, and in which apps.
    package struct Reach: Sendable, Hashable {
        package let role: Role
        package let apps: AppScope

        package init(_ user: UserRecord) {
            role = user.role
            apps = user.apps
        }

        package init(role: Role, apps: AppScope) {
            self.role = role
            self.apps = apps
        }
    }
}
