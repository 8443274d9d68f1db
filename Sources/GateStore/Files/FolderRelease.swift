import GateJSON
import GateModel

/// Which gatehouse had a data folder last, the schema of the database then, and where that was: `version.json` in the folder.
///
/// It is no part of what must be kept: without it, or with one that nobody can read, the schema alone decides.
struct FolderRelease: Sendable, Hashable {
    let release: Release
    let schema: Int
    /// Whether the database is one of PostgreSQL, and the folder has none of its own, or an old one.
    var isOfServer = false

    private static let doing = "Noting the version in the data folder"
    private static let postgresql = "postgresql"

    static func path(in directory: String) -> String { directory + "/version.json" }

    /// - Returns: nil when the folder does not say.
    static func read(from directory: String) -> FolderRelease? {
        // A file that cannot be read must not keep feeds from phones.
        guard let bytes = try? DurableFile.read(path(in: directory), doing: doing), let object = try? JSONReader.read(bytes).object,
            let release = object["version"]?.string.flatMap(Release.init(_:)), let schema = object["schema"]?.integer
        else { return nil }
        return FolderRelease(release: release, schema: schema, isOfServer: object["database"]?.string == postgresql)
    }

    /// Refuses a folder that a newer gatehouse had last, before anything in it is touched.
    ///
    /// A database with a lower schema than the folder's was put back from before that one, and is not what the file speaks of.
    /// - Parameters:
    ///   - schema: of the database; 0 for an empty one.
    ///   - known: how many migrations this program has.
    /// - Throws: ``StoreError/Code/schemaTooNew``.
    func require(_ current: Release, schema: Int, known: Int, directory: String) throws(StoreError) {
        guard schema >= self.schema, release.mayExceed(current) || (release > current && schema > known) else { return }
        throw StoreError(
            .schemaTooNew,
            "The data folder \(directory) was written by gatehouse \(release), and this is gatehouse \(current)",
            hint:
                "Start gatehouse \(release) or a newer one. To go on with this one, restore a backup from before: gatehouse restore --data \(directory) --from FILE"
        )
    }

    /// Notes that this program has the folder, where it does not say so already.
    func write(to directory: String) {
        guard Self.read(from: directory) != self else { return }
        var object: JSONObject = ["version": .string(release.description), "schema": .integer(schema)]
        if isOfServer { object["database"] = .string(Self.postgresql) }
        // A disk that is full today has room at a later start, and until then the schema still decides.
        try? DurableFile.replace(
            Self.path(in: directory),
            with: JSONValue.object(object).bytes + [0x0A],
            ownedAs: directory,
            doing: Self.doing
        )
    }
}
