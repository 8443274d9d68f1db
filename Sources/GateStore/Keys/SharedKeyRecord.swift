import GateCrypto
import GateJSON

/// What a folder knows about its shared keys, in `keys/shared.json`: the set they belong to, and for each file the revision and digest at
/// which folder and database last agreed. This reveals an older row that was put back, and which side has changed.
///
/// Removing the file loses that knowledge, but no key.
struct SharedKeyRecord: Equatable {
    var set: [UInt8]
    var marks: [String: SharedKey.Mark] = [:]

    private static let reading = "Reading what is known of the shared keys"
    private static let writing = "Writing what is known of the shared keys"

    /// No row is ever changed this often. A larger number was not reached by counting, and must not be counted on from.
    private static let largestRevision = 1 << 53

    static func path(in folder: String) -> String { folder + "/keys/shared.json" }

    /// Nil when the file is missing or cannot be understood: everything it decides is decided without it too, more cautiously.
    static func read(from folder: String) throws(StoreError) -> SharedKeyRecord? {
        guard let bytes = try DurableFile.read(path(in: folder), doing: reading),
            let document = try? JSONReader.read(bytes, limits: .own).object,
            let set = document["set"]?.string.flatMap(Hexadecimal.decode), set.count == KeySharing.setByteCount,
            let files = document["files"]?.object
        else { return nil }
        var record = SharedKeyRecord(set: set)
        for (name, value) in files.members {
            guard let revision = value.object?["revision"]?.integer, (0...largestRevision).contains(revision),
                let digest = value.object?["sha256"]?.string.flatMap({ SHA256Digest(hexadecimal: $0) })
            else { return nil }
            record.marks[name] = SharedKey.Mark(revision: revision, digest: digest)
        }
        return record
    }

    func write(to folder: String) throws(StoreError) {
        var files = JSONObject()
        for (name, mark) in marks.sorted(by: { $0.key < $1.key }) {
            files[name] = .object(["revision": .integer(mark.revision), "sha256": .string(mark.digest.hexadecimal)])
        }
        let document = JSONValue.object(["set": .string(Hexadecimal.encode(set)), "files": .object(files)])
        try DurableFile.replace(Self.path(in: folder), with: document.bytes + [0x0A], ownedAs: folder, doing: Self.writing)
        try DurableFile.syncFolder(folder + "/keys", doing: Self.writing)
    }
}
