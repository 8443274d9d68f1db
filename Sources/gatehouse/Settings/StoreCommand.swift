import ArgumentParser
import GateCrypto
import GateJSON
import GateModel
import GateService
import GateStore

/// What the commands that work on a stopped server's database share.
enum StoreCommand {
    static func configuration(
        data: String,
        database: DatabaseServer?,
        migrations: String?,
        createIfMissing: Bool
    ) throws -> StoreConfiguration {
        var configuration = StoreConfiguration(
            directory: data,
            migrations: try ShippedFolder.find("Migrations", given: migrations, option: "--migrations"),
            journal: .wal,
            createIfMissing: createIfMissing,
            now: { .now }
        )
        configuration.server = database
        return configuration
    }

    /// For a command that opens the database as a server does, with the keys that it shares. Takes the secret out of the environment, so it
    /// must be called before anything else reads that.
    static func configuration(
        data: String,
        place: DatabaseOption,
        keys: KeysSecretOption,
        migrations: String?,
        createIfMissing: Bool
    ) throws -> StoreConfiguration {
        let secret = KeysSecret.taken()
        var configuration = try configuration(
            data: data,
            database: place.server(),
            migrations: migrations,
            createIfMissing: createIfMissing
        )
        configuration.sharing = try keys.sharing(secret, configuration.server)
        return configuration
    }

    static func open(_ configuration: StoreConfiguration) throws -> Store {
        do { return try Store(configuration) } catch { throw failure(error) }
    }

    /// For the end of a command. Losing the error is safe: everything is on the disk by then, and a handle that cannot be closed ends with
    /// the process.
    static func close(_ store: Store) { try? store.close() }

    /// People and tokens, for somebody at a shell of the server.
    /// - Parameter store: nil for what needs no database.
    static func access(to store: Store?) -> AccessService {
        AccessService(store: { store }, hasher: PasswordHasher(cost: .standard), random: .system, now: { .now })
    }

    /// Like ``failure(_:)-(String)``, with all that a failure of the store says.
    static func failure(_ error: StoreError) -> any Error { failure("\(error)") }

    /// Like ``failure(_:)-(String)``, but shows the cause of a disk failure itself, since there is no log in which to look it up.
    static func failure(_ error: ServiceError) -> any Error { failure(error.underlying.map { "\($0)" } ?? error.detail) }

    /// For a command that only looks: what it could not print can be asked for again.
    static let nothingChanged = "Nothing was changed."

    /// Prints what a command has to say.
    /// - Parameter remedy: what was done all the same, or what is to be done where it cannot be had again.
    /// - Throws: when standard output does not take it; the remedy is then said on standard error.
    static func say(_ text: String, otherwise remedy: String = nothingChanged) throws {
        guard OutputEnd.output.write(line: text) else { throw failure("Standard output could not be written. \(remedy)") }
    }

    /// Says what is wrong on standard error, without the usage, and ends with 1.
    static func failure(_ message: String) -> any Error {
        OutputEnd.error.write(line: "error: \(message)")
        return ExitCode.failure
    }
}
