import ArgumentParser
import GateCrypto

/// The public half of a key for backups, as `gatehouse backup-key` prints it.
extension SealingKey: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension SealingKey {
    /// A key from elsewhere than the command line.
    /// - Parameter source: where it stands, for the error: an option or a variable.
    /// - Throws: a validation error for what is no key.
    init(_ text: String, from source: String) throws {
        guard let key = SealingKey(text) else {
            throw ValidationError("\(source) is the public key that gatehouse backup-key prints, 43 characters.")
        }
        self = key
    }
}
