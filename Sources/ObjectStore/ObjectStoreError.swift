/// Why an object store did not do what it was asked.
package struct ObjectStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// An invalid address, endpoint or prefix.
        case address
        /// There are no credentials, or their file cannot be read.
        case credentials
        /// The store answered with a status other than success.
        case refused
        /// No answer came.
        case unreachable
        /// What is there was not published by this history, or is newer than what was to be published.
        case foreign, newer
    }

    package let code: Code
    /// A sentence for whoever runs the server, with what to do; no secrets.
    package let detail: String
    /// The status that the store answered; nil where it did not answer.
    package var status: Int?
    /// Whether the same request may succeed if it is sent again soon.
    package var mayPass = false
    /// Whether the store may have carried out the request, or may still do so: its answer came too late or failed.
    package var mayHaveArrived = false

    package init(_ code: Code, _ detail: String, status: Int? = nil, mayPass: Bool = false, mayHaveArrived: Bool = false) {
        (self.code, self.detail, self.status) = (code, detail, status)
        (self.mayPass, self.mayHaveArrived) = (mayPass, mayHaveArrived)
    }

    package var description: String { detail }
}
