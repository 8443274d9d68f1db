import GateJSON
import GateModel

/// `.gatectl.json` in a project's folder: names the context to work in and the app to look at, for everybody who has the project.
///
/// It may only *name* a context of the user's own. With an address or a token in it, whoever can change the project could redirect the
/// user's commands, so a file that has either is refused.
struct ProjectFile: Sendable {
    let path: String
    let context: String?
    /// The app that is shown where a command that only looks names none.
    let app: String?

    /// The file in a folder or the nearest one above it; nil when there is none.
    /// - Parameter folder: its absolute path, as the system gives it for the working folder.
    static func find(from folder: String) throws(Failure) -> ProjectFile? {
        var folder = folder
        while true {
            let file = (folder == "/" ? "" : folder) + "/.gatectl.json"
            let bytes: [UInt8]?
            do { bytes = try FileSystem.read(file) } catch {
                // In a folder that may not be searched nobody can know of a file; one that is there must not be passed over.
                guard !FileSystem.exists(file) else {
                    throw Failure(
                        .other,
                        "unreadable_settings",
                        "\(Style.safe(file)) cannot be read: \(error.words)",
                        next: [("next", "make it a file that you can read, move it away, or say --context")]
                    )
                }
                bytes = nil
            }
            if let bytes { return try ProjectFile(path: file, bytes: bytes) }
            guard folder.hasPrefix("/"), folder != "/" else { return nil }
            folder = FileSystem.folder(of: folder)
        }
    }

    private init(path: String, bytes: [UInt8]) throws(Failure) {
        self.path = path
        guard let object = (try? JSONReader.read(bytes))?.object else {  // the failure below says all that a person needs
            throw Failure(.other, "unreadable_settings", "\(path) is not a JSON object")
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
        // Passing over it would send the command to whatever the user's own context is.
        guard context != nil || object["context"] == nil else {
            throw Failure(.other, "unreadable_settings", "in \(path) the \"context\" is not a name")
        }
        app = object["app"]?.string
        guard object["app"] == nil || app.flatMap(AppKey.init(_:)) != nil else {
            throw Failure(.other, "unreadable_settings", "in \(path) the \"app\" is not an app's key, such as shop")
        }
    }
}
