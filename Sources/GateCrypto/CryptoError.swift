/// What libsodium could not do.
package struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The memory that a password hash needs was not available.
        case outOfMemory
    }

    package let code: Code
    /// One sentence with the remedy; holds no secret.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }
}
