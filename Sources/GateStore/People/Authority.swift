package import GateCrypto
package import GateModel

/// What let a request in. It is checked again in the transaction that carries the request out: a password may have been reset in between,
/// and whoever that was meant to keep out must not win the race.
package enum Authority: Sendable, Hashable {
    /// The server itself, its clock, or a shell on its machine: nothing that could end.
    case server
    /// A session, by ``SessionRecord/id``, and what is stored of its person's rights. It ends with their password, role and apps, and when
    /// they are disabled; one that began on a proxy's word goes on with fewer rights, and what was asked for before is then not done.
    case session(SHA256Digest, Reach)
    /// A person who is not there themselves, by ``UserRecord/id``, and what they were allowed when that was looked up.
    case person(Int, Reach)
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

        /// Whether it is all of another one.
        func covers(_ other: Reach) -> Bool { role >= other.role && apps.covers(other.apps) }
    }
}
