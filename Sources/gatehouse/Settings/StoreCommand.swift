import ArgumentParser
import Foundation
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

    static func open(_ configuration: StoreConfiguration) throws -> Store {
        do {
            return try Store(configuration)
        } catch let error as StoreError {
            throw failure("\(error)")
        }
    }

    /// As ``failure(_:)-(String)``; of a failure of the disk the cause itself, since there is no log that whoever reads this could look into.
    static func failure(_ error: ServiceError) -> any Error { failure(error.underlying.map { "\($0)" } ?? error.detail) }

    /// Says what is wrong on standard error, without the usage, and ends with 1.
    static func failure(_ message: String) -> any Error {
        FileHandle.standardError.write(Data("error: \(message)\n".utf8))
        return ExitCode.failure
    }
}
