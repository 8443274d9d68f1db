package import GateJSON
import GateModel

/// The person a trusted proxy names in a request, and what their groups allow: as trustworthy as the proxy, and only for that request.
package struct ProxiedPerson: Sendable, Hashable {
    /// Has the form of a user name.
    package let name: String
    /// Nil for somebody who is in none of the table's groups.
    package let rights: SignInGroups.Rights?
    /// When they proved to the proxy's provider who they are; nil where the proxy does not report it. See ``Proof``.
    package let proof: Proof?

    /// What a proxy reports about when somebody gave their password, or whatever their provider asks for.
    package enum Proof: Sendable, Hashable {
        case at(Timestamp)
        /// The proxy should have reported a time and did not: nothing is fresh then.
        case untold
    }

    package init(name: String, rights: SignInGroups.Rights?, proof: Proof? = nil) {
        self.name = name
        self.rights = rights
        self.proof = proof
    }

    /// Whether a session is this person's, and is of the kind that only a proxy's request can use.
    package func owns(_ session: SignedIn) -> Bool { session.origin == .proxy && session.user.name == name }
}
