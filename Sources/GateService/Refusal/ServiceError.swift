package import GateJSON
package import GateModel

/// Why the service did not do what was asked. GateServer turns the code into a status, in one place.
package struct ServiceError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// No or no valid credentials.
        case unauthenticated
        /// Signed in, but the role or the app scope is not enough.
        case forbidden
        /// The body is not what the route expects (400).
        case malformed
        case notFound
        /// The key is taken.
        case exists
        /// The request contradicts the current state (409), such as removing the last administrator.
        case conflict
        /// The target's revision was not named.
        case revisionMissing
        /// The target has another revision by now; ``ServiceError/current`` holds it.
        case revisionStale
        /// A value that the rules refuse (422).
        case invalid
        case reasonRequired
        case confirmationRequired
        case idempotencyKeyReused
        /// Too many tries, or too many password hashes at once; try again after ``ServiceError/retryAfter``.
        case tooMany
        /// Writes wait until the history has been checked after a start.
        case starting
        /// The database cannot take a write now.
        case unavailable
        /// There is no room on the disk.
        case full
        case `internal`
    }

    package let code: Code
    /// Stable code for programs: `stale_revision`, `invalid_version`.
    package let word: String
    /// One sentence for people. Never a path, SQL or a secret.
    package let detail: String
    /// RFC 6901 pointer into the request's body.
    package let field: String?
    /// Whether the caller may insist, by naming ``word`` in ``WriteTerms/accept``.
    package internal(set) var isOverridable = false
    /// The plan that asks for a reason or a confirmation.
    package internal(set) var plan: Plan?
    /// The target as it is now, for a request that was made for an earlier state of it.
    package internal(set) var current: Target?
    /// The parts of an imported file that cannot be taken over.
    package internal(set) var refused: [RefusedValue] = []
    /// Alternatives for a time that does not exist, or exists twice.
    package internal(set) var choices: [JSONValue] = []
    /// Whole seconds after which trying again may help.
    package let retryAfter: Int?
    /// What failed in the disk or database, only for the log: none of it may reach a caller. Nil for a refusal, which is an answer and not
    /// a failure. ``FailureLog`` reports it.
    package internal(set) var underlying: (any Error)?
    /// What the failure is about, such as `shop/ios`, for the log.
    package internal(set) var target: String?
    /// Whether nobody needs to count this refusal for the audit: it was counted already, where most was known about it, or it only names
    /// the next step.
    package internal(set) var isCounted = false

    package init(_ code: Code, _ word: String, _ detail: String, field: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.word = word
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    /// A model's refusal of a value that stands at `pointer` in the request.
    package init(_ error: ModelError, at pointer: String = "") {
        self.init(error.kind == .malformed ? .malformed : .invalid, error.code, error.detail, field: pointer + error.field)
        choices = error.choices
    }

    /// The refusal, which nobody needs to count any more.
    package var counted: ServiceError { with(\.isCounted, true) }

    /// The refusal with something else that its answer, or the log, tells.
    func with<Value>(_ property: WritableKeyPath<ServiceError, Value>, _ value: Value) -> ServiceError {
        var error = self
        error[keyPath: property] = value
        return error
    }

    /// Whether this answers the request, rather than reporting trouble of the server's own that may be over at the next try.
    var isRefusal: Bool {
        switch code {
        case .starting, .unavailable, .full, .internal, .tooMany: false
        default: true
        }
    }

    package var description: String { field.map { "\($0): \(detail) (\(word))" } ?? "\(detail) (\(word))" }
}
