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
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(file) } catch {
            guard FileSystem.exists(file) else { return nil }
            throw Failure(
                .other,
                "unreadable_settings",
                "\(file) cannot be read",
                next: [("next", "make it yours: chmod 600 \(file.asShellWord)")]
            )
        }
        let json: JSONValue
        do { json = try JSONReader.read(bytes, limits: .own) } catch {
            throw Failure(.other, "unreadable_settings", "\(file) is not JSON: \(error)", next: [("next", "fix it or move it away")])
        }
        guard let object = json.object else { throw Failure(.other, "unreadable_settings", "\(file) holds no JSON object") }
        return object
    }

    /// Whether files can be written here, found out by writing one; it is removed again.
    /// - Throws: if they cannot.
    func tryWriting() throws(Failure) {
        let trial = "trial.json"
        try write(trial, [:])
        FileSystem.remove(path + "/" + trial)
    }

    /// Replaces the file in one step; only its owner can read it, from the moment it exists.
    func write(_ name: String, _ object: JSONObject) throws(Failure) {
        do { try FileSystem.makeFolder(path, mode: 0o700) } catch {
            throw Failure(.other, "unwritable_settings", "\(path) cannot be made: \(error.words)")
        }
        let file = path + "/" + name
        do { try FileSystem.replace(file, with: JSONValue.object(object).bytes + [UInt8(ascii: "\n")], mode: 0o600) } catch {
            throw Failure(.other, "unwritable_settings", "\(file) cannot be written: \(error.words)")
        }
    }
}
