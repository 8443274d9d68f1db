public import GateJSON

/// What a person may know of their own account.
public struct Account: Sendable, Hashable {
    public let user: User
    public let createdAt: Timestamp
    public let passwordChangedAt: Timestamp
    /// Whether signing in takes a code of an authenticator.
    public let hasTOTP: Bool
    /// Recovery codes that were not used yet; 0 where ``hasTOTP`` is false.
    public let recoveryCodes: Int
    /// Until when the password need not be given again for what wants a fresh sign-in; may have passed.
    public let freshUntil: Timestamp
    /// Who signs the person in; nil for the server itself, by their password.
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
