import Foundation

/// The programs under test, as they were built beside these tests.
enum Programs {
    static let gatehouse = find("gatehouse")
    static let gatectl = find("gatectl")
    static let gatekitDemo = find("gatekit-demo")

    /// The package's folder, for `Public/` and `Migrations/`.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Looks in the folders of `GATEHOUSE_PROGRAMS` first (colons between them), so that a release build can be tested by the same tests.
    private static func find(_ name: String) -> String {
        let given = (ProcessInfo.processInfo.environment["GATEHOUSE_PROGRAMS"] ?? "").split(separator: ":").map(String.init)
        let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        // On Linux the tests are a program beside the others; on macOS they are a bundle some folders further down.
        let above = sequence(first: executable) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.prefix(6).map(\.path)
        let built = [root.appendingPathComponent(".build/debug").path]
        let folders = given + above + built
        guard
            let folder = folders.first(where: {
                FileManager.default.isExecutableFile(atPath: $0 + "/" + name) && !isFolder($0 + "/" + name)
            })
        else {
            fatalError("\(name) is not built; looked in \(folders.joined(separator: ", "))")
        }
        return folder + "/" + name
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
