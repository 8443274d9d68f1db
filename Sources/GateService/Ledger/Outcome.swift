import GateCrypto
import GateJSON
package import GateModel
import GateStore

/// What came of a command.
package struct Outcome: Sendable {
    /// Nil when nothing had to be changed, and for a trial.
    package let change: Change?
    package let plan: Plan
    package let isDryRun: Bool
    /// The app that the command was about as it is now, where it is about one; nil once it is deleted.
    package let app: App?
    /// The sequence of the last change before this one: what was planned against.
    package let plannedAt: Int
    /// About as many bytes as the document of ``change`` has.
    package let bytes: Int

    package init(change: Change?, plan: Plan, isDryRun: Bool, app: App?, plannedAt: Int, bytes: Int = 0) {
        self.change = change
        self.bytes = bytes
        self.plan = plan
        self.isDryRun = isDryRun
        self.app = app
        self.plannedAt = plannedAt
    }
}

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
    var keyOwner: String {
        if let token { return "token:#\(token.id)" }
        return userID.map { "user:#\($0)" } ?? "\(actor.kind.rawValue):\(actor.name)"
    }
}
