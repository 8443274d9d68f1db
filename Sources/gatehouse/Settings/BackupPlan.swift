import ArgumentParser
import Foundation
import GateCrypto
import GateStore

/// Where backups go, how often, and how many stay.
struct BackupPlan {
    let folder: String
    /// Seconds from one backup to the next.
    let interval: Int64
    /// How many of the newest are kept.
    let kept: Int
    /// The key that they are encrypted to; nil for no encryption.
    let key: SealingKey?

    /// - Parameters:
    ///   - data: the data folder, where backups must not go.
    ///   - database: where the database is, when it is not the folder's own.
    /// - Returns: nil where no folder is named.
    /// - Throws: a validation error that names the option.
    init?(_ sources: OptionSources, data: String, database: DatabaseServer?) throws {
        guard let folder = sources.value("backup-dir") else {
            for name in ["backup-every", "backup-keep", "backup-encrypt-to"] where sources.value(name) != nil {
                throw ValidationError("--\(name) says how backups are kept; name their folder with --backup-dir.")
            }
            return nil
        }
        if let database {
            throw ValidationError(
                "--backup-dir is for the database of a data folder, and the \(database) is PostgreSQL's: leave it out, make backups with pg_dump, and check a restored one with gatehouse verify --database."
            )
        }
        func standard(_ path: String) -> String { URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path }
        guard standard(folder) != standard(data) else {
            throw ValidationError("--backup-dir must be a different folder from --data, best on another disk.")
        }
        self.folder = folder
        let every = sources.value("backup-every") ?? "1h"
        guard let interval = Self.seconds(every), (60...31 * 86_400).contains(interval) else {
            throw ValidationError("--backup-every is a span from 1m to 31d, such as 30m, 1h or 1d, not \"\(every)\".")
        }
        self.interval = interval
        let keep = sources.value("backup-keep") ?? "48"
        guard let kept = Int(keep), (1...5_000).contains(kept) else {
            throw ValidationError("--backup-keep is a number from 1 to 5000, not \"\(keep)\".")
        }
        self.kept = kept
        key = try sources.value("backup-encrypt-to").map { try SealingKey($0, from: "--backup-encrypt-to") }
    }

    /// `90s`, `30m`, `1h`, `1d`; nil for anything else.
    private static func seconds(_ text: String) -> Int64? {
        guard let unit = text.last.flatMap({ ["s": 1, "m": 60, "h": 3_600, "d": 86_400][$0] }), let number = Int64(text.dropLast()),
            (1...1_000_000).contains(number)
        else {
            return nil
        }
        return number * Int64(unit)
    }
}
