import Foundation

/// A folder for a while that only its owner can look into, removed with everything in it when nobody has it any more.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Throws: the file system's error; its place is the one that TMPDIR names, else the system's.
    init() throws(StoreError) {
        var template = Array((FileManager.default.temporaryDirectory.path + "/gatehouse-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StoreError(errno: errno, doing: "Making a folder for temporary files", at: FileManager.default.temporaryDirectory.path)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // What is left behind is cleared with the system's temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }
}
