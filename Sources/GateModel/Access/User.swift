/// Who is signed in, as far as others need to know: a person, or the token that stands for one.
public struct User: Sendable, Hashable {
    public let name: String
    public let role: Role
    /// The apps that the role applies to.
    public let scope: AppScope

    public init(name: String, role: Role, scope: AppScope) {
        self.name = name
        self.role = role
        self.scope = scope
    }
}
