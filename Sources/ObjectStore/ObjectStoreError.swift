/// Why an object store did not do what it was asked.
package struct ObjectStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// An address, an endpoint or a prefix that is none.
        case address
        /// There are no credentials, or a file of them that cannot be read.
        case credentials
        /// The store answered, with a status that is no success.
        case refused
        /// No answer came.
        case unreachable
        /// What is there was not published by this history, or is newer than what was to be published.
        case foreign, newer
    }

    package let code: Code
    /// For whoever runs the server: a sentence with what to do, without secrets.
    package let detail: String
    /// What the store answered; nil where it did not.
    package var status: Int?
    /// Whether the request may be carried out later: a store that was too slow with its answer.
    package var mayHaveArrived = false

    package init(_ code: Code, _ detail: String, status: Int? = nil, mayHaveArrived: Bool = false) {
        (self.code, self.detail, self.status, self.mayHaveArrived) = (code, detail, status, mayHaveArrived)
    }

    package var description: String { detail }
}
