import Foundation
import GateJSON
import GateModel

/// `.gatectl.json` in a project's folder: names the context to work in, for everybody who has the project.
///
/// It may only *name* a context of the user's own. An address or a token in it would let whoever can change the project say where the
/// user's commands go, so a file that holds either is refused.
struct ProjectFile: Sendable {
    let path: String
    let context: String?

    /// The file in `folder` or the nearest folder above it; nil when there is none.
    static func find(from folder: String) throws(Failure) -> ProjectFile? {
        var folder = URL(fileURLWithPath: folder).standardizedFileURL
        while true {
            let file = folder.appendingPathComponent(".gatectl.json").path
            if let data = FileManager.default.contents(atPath: file) { return try ProjectFile(path: file, bytes: Array(data)) }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path, folder.path != "/" else { return nil }
            folder = parent
        }
    }

    private init(path: String, bytes: [UInt8]) throws(Failure) {
        self.path = path
        guard let object = (try? JSONReader.read(bytes))?.object else {  // the failure below says all that a person needs
            throw Failure(.other, "unreadable_settings", "\(path) is no JSON object")
        }
        for name in object.names where name != "context" && name != "app" {
            throw Failure(
                .other,
                "unreadable_settings",
                "\(path) may only name a \"context\" and an \"app\", not \"\(Style.safe(name))\"",
                next: [("next", "put servers into a context of your own: gatectl context add")]
            )
        }
        context = object["context"]?.string
    }
}
