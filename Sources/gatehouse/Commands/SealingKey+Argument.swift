import ArgumentParser
import GateCrypto

/// The public half of a key for backups, as `gatehouse backup-key` prints it.
extension SealingKey: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
