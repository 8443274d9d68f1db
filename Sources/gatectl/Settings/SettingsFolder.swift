import Foundation
import GateJSON
import GateModel

/// gatectl's own folder: `config.json` and `credentials.json`. It need not exist.
struct SettingsFolder: Sendable {
    let path: String

    /// `GATECTL_CONFIG`, else `$XDG_CONFIG_HOME/gatectl`, else `~/.config/gatectl`.
    init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        path = value("GATECTL_CONFIG") ?? (value("XDG_CONFIG_HOME") ?? (value("HOME") ?? ".") + "/.config") + "/gatectl"
    }

    /// - Returns: nil when the file is not there.
    func read(_ name: String) throws(Failure) -> JSONObject? {
        let file = path + "/" + name
        guard let data = FileManager.default.contents(atPath: file) else {
            guard FileManager.default.fileExists(atPath: file) else { return nil }
            throw Failure(.other, "unreadable_settings", "\(file) cannot be read", next: [("next", "make it yours: chmod 600 \(file)")])
        }
        do {
            guard let object = try JSONReader.read(Array(data), limits: .own).object else {
                throw Failure(.other, "unreadable_settings", "\(file) holds no JSON object")
            }
            return object
        } catch let error as JSONError {
            throw Failure(.other, "unreadable_settings", "\(file) is no JSON: \(error)", next: [("next", "mend it or move it away")])
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.other, "unreadable_settings", "\(file) cannot be read")
        }
    }

    /// Replaces the file in one step; only its owner can read it, from the moment it exists.
    func write(_ name: String, _ object: JSONObject) throws(Failure) {
        let file = path + "/" + name
        let new = file + ".new-\(getpid())"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(.other, "unwritable_settings", "\(path) cannot be made: \(error.localizedDescription)")
        }
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw Failure(.other, "unwritable_settings", "\(new) cannot be written: \(String(cString: strerror(errno)))")
        }
        let bytes = JSONValue.object(object).bytes + [UInt8(ascii: "\n")]
        let written = bytes.withUnsafeBytes { Self.writeAll(descriptor, $0) }
        guard written, fsync(descriptor) == 0, close(descriptor) == 0, rename(new, file) == 0 else {
            let why = String(cString: strerror(errno))
            unlink(new)
            throw Failure(.other, "unwritable_settings", "\(file) cannot be written: \(why)")
        }
    }

    private static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddressOfSlice, rest.count)
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddressOfSlice: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
