import GateCrypto
package import GateModel
import GateStore

extension AccessService {
    /// Seconds that a token lasts unless somebody says otherwise: 90 days.
    package static let tokenLifetime: Int64 = 90 * 86_400

    /// Makes an API token.
    /// - Returns: its text, which can never be read again.
    package func createToken(name: String, role: Role, scope: AppScope, createdBy: String, from origin: RequestOrigin) throws(ServiceError) -> String {
        guard let clean = try? App.name(validating: name, field: "/name") else {  // the error below says it with a token's words
            throw ServiceError(.invalid, "invalid_name", "A token's name has 1 to 100 characters on one line.", field: "/name")
        }
        let token = TokenText(random: random)
        let at = now()
        let record = TokenRecord(
            id: token.id,
            name: clean,
            secretDigest: token.secretDigest,
            role: role,
            apps: scope,
            createdBy: createdBy,
            createdAt: at,
            expiresAt: at.advanced(bySeconds: Self.tokenLifetime)
        )
        let audit = entry("token.create", outcome: .succeeded, actor: Actor(kind: .user, name: createdBy), subject: clean, detail: ["id": .string(token.id)], from: origin)
        try store { store throws(StoreError) in try store.createToken(record, audit: audit) }
        return token.text
    }

    /// Who a bearer token speaks for.
    /// - Throws: `unauthenticated`, the same for a token that never was, is revoked or has expired.
    package func caller(token text: String, source: Change.Source, requestId: String, address: String) throws(ServiceError) -> Caller {
        let refusal = ServiceError(.unauthenticated, "unauthenticated", "The token is not valid: it may be mistyped, expired or revoked.")
        guard let token = TokenText(text) else { throw refusal }
        let at = now()
        let record = try store { store throws(StoreError) in try store.token(id: token.id) }
        guard let record, record.secretDigest == token.secretDigest, record.isValid(at: at) else { throw refusal }
        // When it was last used is for people to look at; a full disk must not shut a token out.
        try? store { store throws(StoreError) in try store.tokenUsed(record, at: at) }
        return Caller(
            actor: Actor(kind: .token, name: record.name),
            role: record.role,
            scope: record.apps,
            source: source,
            requestId: requestId,
            address: address
        )
    }
}
