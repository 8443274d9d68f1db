import Foundation

/// A file system in memory that is small enough to be filled. Only root may mount one.
final class SmallDisk: Sendable {
    let path: String

    init(kibibytes: Int) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "gatehouse-disk-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        guard try Self.run(["/bin/mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path]) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    func remount(_ options: String) throws -> Bool { try Self.run(["/bin/mount", "-o", "remount,\(options)", path]) }

    /// Writes a file until nothing more goes in.
    func fill(_ file: String) throws {
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? handle.close() }  // nothing that was written matters
        for size in [65_536, 4_096] {
            while (try? handle.write(contentsOf: Data(count: size))) != nil {}  // that it fails is the aim
        }
    }

    /// Gives the room back that ``fill(_:)`` took. A file that is only removed keeps it for as long as anybody has it open, and a program
    /// that another test starts meanwhile may.
    func empty(_ file: String) throws {
        try Data().write(to: URL(filePath: file))
        try FileManager.default.removeItem(atPath: file)
    }

    func unmount() {
        // A folder that stays mounted harms no other test.
        _ = try? Self.run(["/bin/umount", "-l", path])
        try? FileManager.default.removeItem(atPath: path)
    }

    static let canMount: Bool = {
        guard let disk = try? SmallDisk(kibibytes: 64) else { return false }  // no right to mount: the tests are left out
        disk.unmount()
        return true
    }()

    private static func run(_ command: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
