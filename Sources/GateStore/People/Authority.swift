package import GateCrypto
package import GateModel

/// By what a request was let in. Looked at once more in the very transaction that does what it asked for: between the two a password may
/// have been reset, and whom that was to keep out must not win the race.
package enum Authority: Sendable, Hashable {
    /// The server itself, its clock, or a shell of its machine: nothing that could end.
    case server
    /// A session, by ``SessionRecord/id``. It ends with its person's password, role and apps, and when they are disabled.
    case session(SHA256Digest)
    /// A token, by ``TokenRecord/id``, and what its owner was allowed when it was looked at; nil for one without an owner.
    case token(id: String, owner: Reach?)

    /// How far a person reaches.
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
