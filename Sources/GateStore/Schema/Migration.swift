import Foundation

/// One file of the migrations folder: `0001_gates.sql` is number 1, name `gates`.
struct Migration: Sendable, Equatable {
    let number: Int
    let name: String
    let sql: String

    /// Reads the folder's migrations in order. Files other than `.sql` are ignored.
    /// - Throws: ``StoreError/Code/schemaChanged`` when the folder is missing or empty, has a gap, or has a file name of another form.
    static func all(in folder: String) throws(StoreError) -> [Migration] {
        func refusal(_ what: String) -> StoreError {
            StoreError(.schemaChanged, what, hint: "Name the Migrations folder of this release with --migrations.")
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sql") }.sorted()
        } catch {
            throw refusal("The migrations folder \(folder) cannot be read")
        }
        guard !names.isEmpty else { throw refusal("The migrations folder \(folder) has no migrations") }
        var migrations: [Migration] = []
        for name in names {
            guard let match = name.wholeMatch(of: #/(\d{4})_([a-z0-9_]+)\.sql/#), let number = Int(match.1) else {
                throw refusal("\(name) is not a name for a migration, such as 0001_gates.sql")
            }
            guard number == migrations.count + 1 else { throw refusal("Migration \(migrations.count + 1) is missing before \(name)") }
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + name), let sql = String(validating: bytes, as: UTF8.self)
            else {
                throw refusal("\(name) cannot be read as UTF-8 text")
            }
            migrations.append(Migration(number: number, name: String(match.2), sql: sql))
        }
        return migrations
    }
}
