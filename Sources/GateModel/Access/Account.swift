public import GateJSON

/// A person's own account, as far as they may see it.
public struct Account: Sendable, Hashable {
    public let user: User
    public let createdAt: Timestamp
    public let passwordChangedAt: Timestamp
    /// Whether signing in takes an authenticator code.
    public let hasTOTP: Bool
    /// Recovery codes not used yet; 0 where ``hasTOTP`` is false.
    public let recoveryCodes: Int
    /// Until when actions that need a fresh sign-in do not ask for the password again; may be in the past.
    public let freshUntil: Timestamp
    /// Who signs the person in; nil where the server itself does, by their password.
    public let origin: Person.Origin?

    public init(
        user: User,
        createdAt: Timestamp,
        passwordChangedAt: Timestamp,
        hasTOTP: Bool,
        recoveryCodes: Int,
        freshUntil: Timestamp,
        origin: Person.Origin? = nil
    ) {
        self.user = user
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
        self.hasTOTP = hasTOTP
        self.recoveryCodes = recoveryCodes
        self.freshUntil = freshUntil
        self.origin = origin
    }
}
