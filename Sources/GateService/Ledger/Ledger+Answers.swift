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

/// Identifies a request, so that repeating it has one effect and gets the same answer.
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
    /// Answers a dry run with the plan alone; carries out anything else, once: a repetition under the same key gets the first answer.
    func submit<Write: SubmittedWrite>(_ write: Write) throws(ServiceError) -> Answer {
        if write.terms.dryRun {
            let snapshot = newestSnapshot
            return write.told(try write.plan(on: snapshot, isHeld: false), on: snapshot)
        }
        do { return try carryOut(FirstTime(ledger: self, write: write)) } catch {
            // What succeeded before may well be refused now: it was done already.
            if let repeated = try repeated(write.idempotency, by: write.caller) { return repeated }
            throw error
        }
    }

    /// A write that is not carried out where its request was carried out before.
    private struct FirstTime<Write: SubmittedWrite>: PlannedWrite {
        let ledger: Ledger
        let write: Write

        func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Write.Draft {
            try write.plan(on: snapshot, isHeld: isHeld)
        }

        func holds(_ draft: Write.Draft, from before: Snapshot, on now: Snapshot) -> Bool { write.holds(draft, from: before, on: now) }

        func carryOut(_ draft: Write.Draft, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Answer {
            // The kept answer is read by `submit`, when nobody waits any more.
            guard try ledger.kept(write.idempotency, of: write.caller) == nil else { throw .alreadyDone }
            return try write.carryOut(draft, on: snapshot, in: turn)
        }
    }

    /// The answer given before under the caller's key, or nil.
    ///
    /// Reads all of it, so not to be called in a turn.
    /// - Throws: `unauthenticated` when what let the caller in no longer stands; `idempotencyKeyReused` when that was a different request;
    ///   `forbidden` when the answer names apps that the caller may no longer see.
    package func repeated(_ idempotency: IdempotencyKey?, by caller: Caller) throws(ServiceError) -> Answer? {
        guard let answer = try kept(idempotency, of: caller) else { return nil }
        try reading { store throws(StoreError) in try store.check(caller.authority) }
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

extension ServiceError {
    /// Somebody was faster with the same request. Its kept answer says more, and is given instead wherever it can be read.
    static let alreadyDone = ServiceError(
        .conflict,
        "already_done",
        "This was done when it was first asked for. Look at what it did before you repeat it."
    )
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
