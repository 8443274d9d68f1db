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

extension Answer {
    /// Whether its change, its plan and its window name only apps that are `seen`. An answer that cannot be read is about anything.
    fileprivate func isAboutNothing(but seen: (AppKey) -> Bool) -> Bool {
        guard let document = try? JSONReader.read(body, limits: .own) else { return false }
        let parts = [document] + ["change", "plan", "window"].compactMap { document.object?[$0] }
        return parts.allSatisfy { part in
            // An app is named by the part itself, or by what it lists; what stands deeper is what people wrote into gates and templates.
            let listed = part.object?.members.flatMap { $0.value.array ?? [] } ?? []
            return ([part] + listed).allSatisfy { part in
                part.object?["app"]?.string.map { AppKey($0).map(seen) ?? false } ?? true
            }
        }
    }
}

/// A caller's request that a repetition has one effect and gets the same answer.
package struct IdempotencyKey: Sendable {
    package let key: String
    /// The method, path and body of the request; their digest tells a repetition from a mistake.
    package let request: [UInt8]

    package init(key: String, request: [UInt8]) {
        self.key = key
        self.request = request
    }
}

extension Ledger {
    /// The answer given before under the caller's key, or nil.
    ///
    /// Reads all of it, so not to be called in a turn: there ``requireFirst(_:by:)`` is.
    /// - Throws: `idempotencyKeyReused` when that was a different request; `forbidden` when the answer names apps that the caller may no
    ///   longer see.
    package func repeated(_ idempotency: IdempotencyKey?, by caller: Caller) throws(ServiceError) -> Answer? {
        guard let answer = try kept(idempotency, of: caller) else { return nil }
        // It tells what was there for the caller then, and their scope may have been narrowed since.
        guard caller.scope == .all || answer.isAboutNothing(but: caller.sees) else {
            throw ServiceError(
                .forbidden,
                "forbidden",
                "This was done when it was first asked for, and its answer is also about apps that \(caller.actor.name) may not see now. What it did to the others stands in the history."
            )
        }
        return answer
    }

    /// Ends a turn whose request was carried out before; ``written(by:under:_:)`` then gives the kept answer, when nobody waits any more.
    func requireFirst(_ idempotency: IdempotencyKey?, by caller: Caller) throws(ServiceError) {
        guard try kept(idempotency, of: caller) != nil else { return }
        throw ServiceError(
            .conflict,
            "already_done",
            "This was done when it was first asked for. Look at what it did before you repeat it."
        )
    }

    private func kept(_ idempotency: IdempotencyKey?, of caller: Caller) throws(ServiceError) -> Answer? {
        guard let idempotency else { return nil }
        let record = try reading { store throws(StoreError) in try store.idempotencyRecord(actor: caller.keyOwner, key: idempotency.key) }
        guard let record else { return nil }
        guard record.requestDigest == SHA256Digest(of: idempotency.request) else {
            throw ServiceError(
                .idempotencyKeyReused,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request within the last 24 hours; use a new one."
            )
        }
        return Answer(status: record.status, body: record.body)
    }

    /// Runs a write that may be a repetition: if the same request succeeded before, it gets that answer instead of a refusal now.
    func written(by caller: Caller, under key: IdempotencyKey?, _ write: () throws(ServiceError) -> Answer) throws(ServiceError) -> Answer {
        do { return try write() } catch {
            if let repeated = try repeated(key, by: caller) { return repeated }
            throw error
        }
    }

    /// Stores an answer that came without a change: if the request is repeated after somebody else's change, it must still change nothing.
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
    /// The owner of the caller's Idempotency-Keys. By identifier and not by name: several tokens may share a name, and a freed name may be
    /// given to another person.
    fileprivate var keyOwner: String {
        if let token { return "token:#\(token.id)" }
        return userID.map { "user:#\($0)" } ?? "\(actor.kind.rawValue):\(actor.name)"
    }
}
