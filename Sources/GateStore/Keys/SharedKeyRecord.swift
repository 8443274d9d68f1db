import GateCrypto
import GateJSON

/// What a folder knows of the keys that it shares, in `keys/shared.json`: which set they are of, and of each file the revision and digest of what
/// was in folder and database when they were the same last. So an older row that was put back is known, and whose change is whose.
///
/// Whoever removes the file loses that and no key.
struct SharedKeyRecord: Equatable {
    var set: [UInt8]
    var marks: [String: SharedKey.Mark] = [:]

    private static let reading = "Reading what is known of the shared keys"
    private static let writing = "Writing what is known of the shared keys"

    /// No row was ever changed as often as this. A larger number was written by nobody who counted, and cannot be counted on from.
    private static let largestRevision = 1 << 53

    static func path(in folder: String) -> String { folder + "/keys/shared.json" }

    /// Nil when there is none, also for one that cannot be understood: all that it decides is decided without it too, more carefully.
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
