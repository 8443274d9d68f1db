public import Foundation
import GateJSON

/// Stores everything in one file, which is always replaced as a whole. Two processes must not share it; several monitors of one process
/// may, also if each has a memory of its own for it.
public final class FileGateMemory: GateMemory {
    private let file: URL
    // Every use of a file holds the lock. There is one for all files: the same file may have several names. `Synchronization.Mutex` needs
    // macOS 15.
    private static let lock = NSLock()

    /// - Parameter file: its folder must exist; the file need not.
    public init(file: URL) { self.file = file }

    public func load(_ name: String) throws -> Data? {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        return try values()[name].flatMap { $0.string }.flatMap { Data(base64Encoded: $0) }
    }

    public func save(_ value: Data, as name: String) throws {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        var values: JSONObject
        do { values = try self.values() } catch let error as GateKitError where error.code == .malformed {
            // A file that makes no sense is replaced: otherwise nothing could ever be stored again.
            values = [:]
        }
        values[name] = .string(value.base64EncodedString())
        try Data(JSONValue.object(values).text.utf8).write(to: file, options: .atomic)
    }

    /// - Throws: `malformed` for a file that is not JSON; any other error may pass.
    private func values() throws -> JSONObject {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let bytes = Array(try Data(contentsOf: file))
        do { return try JSONReader.read(bytes, limits: .own).object ?? [:] } catch {
            throw GateKitError(.malformed, "The file is not JSON: \(error)", underlying: error)
        }
    }
}
