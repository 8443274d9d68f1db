package import GateJSON
import GateModel

/// Whom a trusted proxy names with a request, and what their groups allow: as good as the proxy, and for that request alone.
package struct ProxiedPerson: Sendable, Hashable {
    /// Of the form of a user name.
    package let name: String
    /// Nil for who is in no group of the table.
    package let rights: SignInGroups.Rights?
    /// When they proved to the proxy's provider who they are; nil where the proxy does not tell. See ``Proof``.
    package let proof: Proof?

    /// What a proxy tells of the moment in which somebody gave their password, or whatever their provider asks for.
    package enum Proof: Sendable, Hashable {
        case at(Timestamp)
        /// It should tell, and told none: then nothing is fresh.
        case untold
    }

    package init(name: String, rights: SignInGroups.Rights?, proof: Proof? = nil) {
        self.name = name
        self.rights = rights
        self.proof = proof
    }

    /// Whether a session is this person's, and one that only such a request brings to life.
    package func owns(_ session: SignedIn) -> Bool { session.origin == .proxy && session.user.name == name }
}
