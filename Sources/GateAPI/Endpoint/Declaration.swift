import GateJSON

/// The declaration of an endpoint: its address, whom it is for, what it takes and what it answers.
package struct Declaration: Sendable {
    package enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package let method: Method
    package let pattern: String
    package let queryNames: [String]
    package let access: Access
    package let proof: Proof
    /// What it does, in one sentence.
    let summary: String
    /// The schema of the body that it takes; nil for none. Made each time it is asked for: it is only for the description, and making all
    /// of them takes longer than answering a request, which a program that asks one question should not have to wait for.
    var request: JSONSchema? { makeRequest() }
    /// Whether the body may be empty; a POST or PATCH names its type all the same.
    let isRequestOptional: Bool
    /// What is answered when all goes well, by status; nil without a body. Made each time, as ``request`` is.
    var answers: [(status: Int, schema: JSONSchema?)] { makeAnswers().map { (status: $0.0, schema: $0.1) } }

    private let makeRequest: @Sendable () -> JSONSchema?
    private let makeAnswers: @Sendable () -> [(Int, JSONSchema?)]

    package enum Access: Sendable, Hashable {
        /// No sign-in needed, as for signing in itself.
        case anyone
        case viewer
        case operatorRole
        case admin
    }

    /// What a caller must show beside its role. A token is a proof of its own: a tool has no password to give again.
    package enum Proof: Sendable, Hashable {
        /// A session or a token.
        case any
        /// A token, or a session whose password was given at most ``Endpoint/freshSeconds`` ago (ASVS 5.0 section 7.5): somebody who finds
        /// an unlocked browser can then create neither people nor tokens, nor delete anything.
        case fresh
        /// A session: the operation concerns the person, and a token does not stand for one.
        case session
        /// A session whose password was given at most ``Endpoint/freshSeconds`` ago.
        case freshSession
    }

    init(
        _ method: Method,
        _ path: String,
        _ access: Access,
        proof: Proof = .any,
        _ summary: String,
        query: [String] = [],
        takes request: @autoclosure @escaping @Sendable () -> JSONSchema? = nil,
        orNothing isOptional: Bool = false,
        answers: @autoclosure @escaping @Sendable () -> [(Int, JSONSchema?)]
    ) {
        self.method = method
        pattern = Endpoint.base + path
        queryNames = query
        self.access = access
        self.proof = proof
        self.summary = summary
        makeRequest = request
        isRequestOptional = isOptional
        makeAnswers = answers
    }
}
