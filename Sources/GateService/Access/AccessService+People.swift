import GateCrypto
import GateJSON
package import GateModel
import GateStore

extension Person {
    init(_ record: UserRecord) {
        self.init(
            id: record.id,
            name: record.name,
            role: record.role,
            scope: record.apps,
            isDisabled: !record.mayEnter,
            hasTOTP: record.totpSecret != nil,
            createdAt: record.createdAt,
            passwordChangedAt: record.passwordChangedAt,
            hasPassword: record.hasPassword,
            invitedUntil: record.invitation?.expiresAt,
            origin: record.origin
        )
    }
}

/// The changes to make to a person; nil leaves a field as it is.
package struct PersonEdit: Sendable {
    package var role: Role?
    package var scope: AppScope?
    package var isDisabled: Bool?
    package var password: String?
    package var clearsTOTP = false

    package init() {}
}

extension AccessService {
    /// Everybody, by name; or the part of them that is asked for.
    /// - Throws: malformed when the person whom the part follows is gone.
    package func listPeople(_ part: ListPart<Int> = ListPart()) throws(ServiceError) -> [Person] {
        try self.part { store throws(StoreError) in try store.users(part) }.map(Person.init)
    }

    /// - Throws: `forbidden` when the person would reach further than the caller; `invalid_username`, `invalid_password`; `exists` (409);
    ///   `too_many_people`.
    package func createPerson(name: String, role: Role, scope: AppScope, password: String, by caller: Caller) throws(ServiceError) -> Person
    {
        try caller.require(.admin)
        try caller.requireReach(of: role, scope)
        let name = try Self.username(name)
        try PasswordRules.check(password, username: name)
        let hash = try hasher.hash(password, for: caller.userID)
        return try createPerson(NewUser(name: name, role: role, apps: scope, passwordHash: hash, createdAt: now()), by: caller)
    }

    /// Adds a person, who uses the invitation to set their own password and cannot sign in until then.
    /// - Throws: `forbidden` when the person would reach further than the caller; `rights_not_stored`; `invalid_username`; `exists` (409);
    ///   `too_many_people`.
    package func invitePerson(name: String, role: Role, scope: AppScope, by caller: Caller) throws(ServiceError) -> InvitedPerson {
        try caller.require(.admin)
        try caller.requireReach(of: role, scope)
        try caller.requireStoredReach(over: scope)
        let name = try Self.username(name)
        let invitation = newInvitation(by: caller)
        let user = NewUser(
            name: name,
            role: role,
            apps: scope,
            passwordHash: .missing,
            invitation: InvitationRecord(invitation),
            createdAt: now()
        )
        return InvitedPerson(person: try createPerson(user, by: caller), invitation: invitation)
    }

    private func createPerson(_ user: NewUser, by caller: Caller) throws(ServiceError) -> Person {
        var detail: JSONObject = ["role": .string(user.role.rawValue), "apps": user.apps.json]
        detail["invitedUntil"] = (user.invitation?.expiresAt.description).map(JSONValue.string)
        let audit = entry("people.create", by: caller, subject: user.name, detail: detail)
        return Person(try people { store throws(StoreError) in try store.createUser(user, by: caller.authority, audit: audit) })
    }

    /// Edits a person. Their sessions and any unused invitation end when what they may do is reduced or otherwise changed; with a new
    /// password their tokens end too.
    /// - Parameter reference: a name, or an id in digits.
    /// - Throws: `user_not_found`; `forbidden`, `own_password`; `last_administrator`, `proxy_person` (409); `invalid_password`.
    package func editPerson(_ reference: String, _ edit: PersonEdit, by caller: Caller) throws(ServiceError) -> Person {
        try caller.require(.admin)
        let found = try user(reference)
        try caller.requireReach(of: found.role, found.apps)
        try caller.requireReach(of: edit.role ?? found.role, edit.scope ?? found.apps)
        if caller.userID == found.id, edit.password != nil || edit.clearsTOTP {
            throw ServiceError(
                .forbidden,
                "own_password",
                "Change your own password and second factor at /account, with the present password."
            )
        }
        if found.origin != nil { try edit.requireOnlyDisabling(found) }
        var hash: PasswordHash?
        if let password = edit.password {
            try PasswordRules.check(password, username: found.name)
            hash = try hasher.hash(password, for: caller.userID)
        }
        // A password set by somebody else is a reset: whoever got hold of the old one must keep no access, not even through a token.
        let edited = try editUser(id: found.id, by: caller.authority, endingTokens: true) { user throws(ServiceError) in
            // Checked again on the person as stored now: their reach may have grown meanwhile.
            try caller.requireReach(of: user.role, user.apps)
            try caller.requireReach(of: edit.role ?? user.role, edit.scope ?? user.apps)
            let detail = edit.apply(to: &user, hash: hash, at: now())
            return detail.isEmpty ? nil : entry("people.update", by: caller, subject: user.name, detail: detail)
        }
        return Person(edited)
    }

    /// Removes a person with their sessions, and revokes their tokens.
    /// - Throws: `user_not_found`, `forbidden`; `last_administrator` (409).
    package func deletePerson(_ reference: String, by caller: Caller) throws(ServiceError) {
        try caller.require(.admin)
        let found = try user(reference)
        try caller.requireReach(of: found.role, found.apps)
        var refusal: ServiceError?
        try people { [self] store throws(StoreError) in
            try store.deleteUser(id: found.id, by: caller.authority) { user in
                do throws(ServiceError) { try caller.requireReach(of: user.role, user.apps) } catch {
                    refusal = error
                    return nil
                }
                let detail: JSONObject = ["role": .string(user.role.rawValue), "apps": user.apps.json]
                return entry("people.delete", by: caller, subject: user.name, detail: detail)
            }
        }
        if let refusal { throw refusal }
    }

    func user(_ reference: String) throws(ServiceError) -> UserRecord {
        // No name consists of digits alone; see username(_:).
        let id = reference.utf8.allSatisfy(\.isASCIIDigit) ? Int(reference) : nil
        let found = try store { store throws(StoreError) in
            if let id { return try store.user(id: id) }
            return try store.user(named: reference)
        }
        guard let found else { throw .missingPerson }
        return found
    }
}

extension PersonEdit {
    /// What follows from a person's groups cannot be edited here.
    /// - Throws: `proxy_person` (409).
    fileprivate func requireOnlyDisabling(_ user: UserRecord) throws(ServiceError) {
        guard role ?? user.role == user.role, scope ?? user.apps == user.apps, password == nil, !clearsTOTP else {
            throw .ofProxy(user.name)
        }
    }

    /// - Returns: what changed, with the values before and after, for the audit; empty when nothing did.
    fileprivate func apply(to user: inout UserRecord, hash: PasswordHash?, at now: Timestamp) -> JSONObject {
        var detail = JSONObject()
        func note(_ name: String, _ before: JSONValue, _ after: JSONValue) {
            if before != after { detail[name] = ["before": before, "after": after] }
        }
        note("role", .string(user.role.rawValue), .string((role ?? user.role).rawValue))
        note("apps", user.apps.json, (scope ?? user.apps).json)
        note("disabled", .bool(user.disabled), .bool(isDisabled ?? user.disabled))
        user.role = role ?? user.role
        user.apps = scope ?? user.apps
        user.disabled = isDisabled ?? user.disabled
        // The store ends the invitation in any case; this only records it.
        if user.invitation != nil, !detail.isEmpty || hash != nil { detail["invitation"] = .string("ended") }
        if let hash {
            user.setPassword(hash, at: now)
            detail["password"] = .string("changed")
            detail["tokens"] = .string("revoked")
        }
        if clearsTOTP, user.totpSecret != nil || user.totpPending != nil {
            user.clearTOTP()
            detail["totp"] = .string("cleared")
        }
        return detail
    }
}
