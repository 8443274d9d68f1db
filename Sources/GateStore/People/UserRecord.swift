import Foundation
package import GateCrypto
package import GateJSON
package import GateModel

/// A person who may sign in, once they have a password.
package struct UserRecord: Sendable, Hashable {
    /// Assigned by the store, never reused.
    package let id: Int
    /// Unique whatever the case of its letters.
    package var name: String
    package var role: Role
    package var apps: AppScope
    /// ``PasswordHash/missing`` for somebody who was invited and has not set one yet, or whom a proxy signs in.
    package var passwordHash: PasswordHash
    package var disabled: Bool
    /// The TOTP secret as stored: encrypted by whoever makes it.
    package var totpSecret: [UInt8]?
    /// A secret that no code has confirmed yet, stored in the same way.
    package var totpPending: [UInt8]?
    /// The last step of a code that was used; see ``Store/useTOTPStep(_:of:)``.
    package var totpStep: Int64
    package let createdAt: Timestamp
    package var passwordChangedAt: Timestamp
    /// With this the person may set a new password; nil when they were not invited, or the invitation has ended.
    package var invitation: InvitationRecord?
    /// Who signs them in; nil for the server itself.
    package let origin: Person.Origin?
    /// Whether this is the last state that the server wrote. Any other row is shown and can be removed, but nobody can sign in with it.
    package let isSigned: Bool

    package init(
        id: Int,
        name: String,
        role: Role,
        apps: AppScope,
        passwordHash: PasswordHash,
        disabled: Bool = false,
        totpSecret: [UInt8]? = nil,
        totpPending: [UInt8]? = nil,
        totpStep: Int64 = 0,
        createdAt: Timestamp,
        passwordChangedAt: Timestamp,
        invitation: InvitationRecord? = nil,
        origin: Person.Origin? = nil,
        isSigned: Bool = true
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.apps = apps
        self.passwordHash = passwordHash
        self.disabled = disabled
        self.totpSecret = totpSecret
        self.totpPending = totpPending
        self.totpStep = totpStep
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
        self.invitation = invitation
        self.origin = origin
        self.isSigned = isSigned
    }

    /// The form in which names are compared: `Ann` and `ann` are one person, whatever Unicode form the letters have.
    ///
    /// Only the beginning of a text that is longer than any name: strangers send it, and normalising takes time with the square of the
    /// marks behind a letter. Names are ASCII, and no letter of one comes from fewer than one scalar, so what is cut off makes it nobody's.
    package static func folded(_ name: String) -> String {
        name.beginning(Username.lengths.upperBound + 1).precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// Whether the person may do anything at all.
    package var mayEnter: Bool { isSigned && !disabled }

    /// Whether there is a password to sign in with.
    package var hasPassword: Bool { passwordHash != .missing }
}

/// A person to be added: a ``UserRecord`` that has no number from the store yet.
package struct NewUser: Sendable, Hashable {
    package let name: String
    package let role: Role
    package let apps: AppScope
    package let passwordHash: PasswordHash
    package let invitation: InvitationRecord?
    package let origin: Person.Origin?
    package let createdAt: Timestamp

    package init(
        name: String,
        role: Role,
        apps: AppScope = .all,
        passwordHash: PasswordHash,
        invitation: InvitationRecord? = nil,
        origin: Person.Origin? = nil,
        createdAt: Timestamp
    ) {
        self.name = name
        self.role = role
        self.apps = apps
        self.passwordHash = passwordHash
        self.invitation = invitation
        self.origin = origin
        self.createdAt = createdAt
    }
}

extension UserRecord: CustomStringConvertible, CustomReflectable {
    /// Only names the user: hash and secret stay out of logs.
    package var description: String { "user \(id) (\(name))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
