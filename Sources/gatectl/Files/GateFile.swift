import GateJSON
import GateModel

/// A file that holds a gate: `{"killSwitch": {…}}`.
enum GateFile {
    /// - Throws: input refused (8), with the field, if it is no gate of a platform with these settings.
    static func read(_ path: String, settings: PlatformSettings) throws(Failure) -> Gate {
        try gate(ExportFile.json(in: path), in: path, settings: settings)
    }

    /// The gate in a file's JSON.
    /// - Parameter path: where it came from, for errors.
    static func gate(_ json: JSONValue, in path: String, settings: PlatformSettings) throws(Failure) -> Gate {
        do {
            // The native feed and the API's target have the gate as their member `gate`; both may be given as they are.
            return try Gate(json: json.object?["gate"] ?? json, settings: settings)
        } catch { throw Failure(error, in: path) }
    }
}
