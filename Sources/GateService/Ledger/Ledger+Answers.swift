import GateCrypto
import GateJSON
import GateModel
import GateStore

/// An answer that can be given again, byte for byte.
package struct Answer: Sendable, Hashable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// A caller's wish that a repeated request has one effect and the same answer.
package struct IdempotencyKey: Sendable {
    package let key: String
    /// The method, path and body of the request, whose digest tells a repetition from a mistake.
    package let request: [UInt8]

    package init(key: String, request: [UInt8]) {
        self.key = key
        self.request = request
    }
}

extension Ledger {
    /// The answer that the caller's key got before, or nil; ``ChangeService/submit(_:terms:by:idempotency:answer:)`` asks by itself.
    /// - Throws: `idempotencyKeyReused` when that was another request.
    package func repeated(_ idempotency: IdempotencyKey?, by caller: Caller) throws(ServiceError) -> Answer? {
        guard let idempotency else { return nil }
        let record = try reading { store throws(StoreError) in try store.idempotencyRecord(actor: caller.keyOwner, key: idempotency.key) }
        guard let record else { return nil }
        guard record.requestDigest == SHA256Digest(of: idempotency.request) else {
            throw ServiceError(
                .idempotencyKeyReused,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request within the last 24 hours; take a new one."
            )
        }
        return Answer(status: record.status, body: record.body)
    }

    /// Does a write that may be a repeated one: what was done by the same request before is not refused now, it is answered as it was then.
    func written(by caller: Caller, under key: IdempotencyKey?, _ write: () throws(ServiceError) -> Answer) throws(ServiceError) -> Answer {
        do { return try write() } catch {
            if let repeated = try repeated(key, by: caller) { return repeated }
            throw error
        }
    }

    /// Keeps an answer that comes with no change: asked again after somebody else's change, the same request must not do what it did not.
    func keep(_ answer: Answer, under idempotency: IdempotencyKey?, of caller: Caller, in turn: borrowing Turn) throws(ServiceError) {
        guard let idempotency else { return }
        let store = try writableStore()
        do {
            try store.saveIdempotency(IdempotencyRecord(idempotency, of: caller, answer: answer, at: now()))
        } catch {
            note(error)
            throw ServiceError(error)
        }
    }
}

extension IdempotencyRecord {
    init(_ key: IdempotencyKey, of caller: Caller, answer: Answer, at: Timestamp) {
        self.init(
            actor: caller.keyOwner,
            key: key.key,
            requestDigest: SHA256Digest(of: key.request),
            status: answer.status,
            body: answer.body,
            at: at
        )
    }
}

extension Caller {
    /// Whose Idempotency-Keys these are. By identifier and not by name: several tokens may have one name, and a name that is free again may
    /// become another person's.
    fileprivate var keyOwner: String {
        if let token { return "token:#\(token.id)" }
        return userID.map { "user:#\($0)" } ?? "\(actor.kind.rawValue):\(actor.name)"
    }
}
