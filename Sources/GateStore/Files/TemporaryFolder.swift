import Foundation

/// A temporary folder that only its owner can look into, removed with everything in it when the last reference is gone
/// or a signal ends the process (``PassingFiles``).
final class TemporaryFolder: Sendable {
    let path: String

    /// - Throws: the file system's error; the folder is made where TMPDIR says, or else in the system's place.
    init() throws(StoreError) {
        var template = Array((FileManager.default.temporaryDirectory.path + "/gatehouse-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StoreError(errno: errno, doing: "Making a folder for temporary files", at: FileManager.default.temporaryDirectory.path)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        PassingFiles.add([path])
    }

    deinit {
        // What is left behind is cleared with the system's temporary files.
        try? FileManager.default.removeItem(atPath: path)
        PassingFiles.forget([path])
    }
}
