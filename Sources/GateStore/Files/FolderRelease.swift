import GateJSON
import GateModel

/// Which gatehouse used a data folder last, the database's schema at that time, and which kind of database it was: `version.json` in the
/// folder.
///
/// It need not be kept: if it is missing or unreadable, the schema alone decides.
struct FolderRelease: Sendable, Hashable {
    let release: Release
    let schema: Int
    /// Whether the database is in PostgreSQL; the folder then has no database of its own, or an old one.
    var isOfServer = false

    private static let doing = "Noting the version in the data folder"
    private static let postgresql = "postgresql"

    static func path(in directory: String) -> String { directory + "/version.json" }

    /// - Returns: nil when the file is missing or unreadable.
    static func read(from directory: String) -> FolderRelease? {
        // An unreadable file must not keep phones from getting feeds.
        guard let bytes = try? DurableFile.read(path(in: directory), doing: doing), let object = try? JSONReader.read(bytes).object,
            let release = object["version"]?.string.flatMap(Release.init(_:)), let schema = object["schema"]?.integer
        else { return nil }
        return FolderRelease(release: release, schema: schema, isOfServer: object["database"]?.string == postgresql)
    }

    /// Refuses a folder that a newer gatehouse used last, before anything in it is touched.
    ///
    /// A database with a lower schema than the file names was restored from an earlier time, so the file does not apply to it.
    /// - Parameters:
    ///   - schema: the database's schema; 0 for an empty one.
    ///   - known: how many migrations this program has.
    /// - Throws: ``StoreError/Code/schemaTooNew``.
    func require(_ current: Release, schema: Int, known: Int, directory: String) throws(StoreError) {
        guard schema >= self.schema, release.mayExceed(current) || (release > current && schema > known) else { return }
        throw StoreError(
            .schemaTooNew,
            "The data folder \(directory) was written by gatehouse \(release), and this is gatehouse \(current)",
            hint:
                "Start gatehouse \(release) or a newer one. To go on with this one, restore a backup from before: gatehouse restore --data \(directory.asShellWord) --from FILE"
        )
    }

    /// Refuses a folder whose server works on PostgreSQL and which has no database of its own: whoever opens it has left out `--database`.
    /// - Throws: ``StoreError/Code/unreadable``.
    static func requireNotLeft(_ directory: String) throws(StoreError) {
        if read(from: directory)?.isOfServer == true { throw left(directory) }
    }

    /// - Parameter lack: what is missing in the folder, appended to the sentence.
    static func left(_ directory: String, lack: String = "") -> StoreError {
        StoreError(.unreadable, "The server of \(directory) has its database in PostgreSQL" + lack, hint: leftHint)
    }

    /// What whoever left out `--database` is to do.
    static let leftHint =
        "Name the database with --database URL or GATEHOUSE_DATABASE; pg_dump makes its backups. To go on in a folder: gatehouse copy --from URL --data NEW."

    /// Notes that this program uses the folder, unless the file already says so.
    func write(to directory: String) {
        guard Self.read(from: directory) != self else { return }
        var object: JSONObject = ["version": .string(release.description), "schema": .integer(schema)]
        if isOfServer { object["database"] = .string(Self.postgresql) }
        // If the disk is full now, a later start writes it, and until then the schema decides.
        try? DurableFile.replace(
            Self.path(in: directory),
            with: JSONValue.object(object).bytes + [0x0A],
            ownedAs: directory,
            doing: Self.doing
        )
    }
}
