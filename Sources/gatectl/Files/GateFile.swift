import GateJSON
import GateModel

/// A file that holds a gate: `{"killSwitch": {…}}`.
enum GateFile {
    /// - Throws: input refused (8) with the field for what is no gate of a platform with these settings.
    static func read(_ path: String, settings: PlatformSettings) throws(Failure) -> Gate {
        try gate(ExportFile.json(in: path), in: path, settings: settings)
    }

    /// The gate that a file's JSON is.
    /// - Parameter path: where it came from, for errors.
    static func gate(_ json: JSONValue, in path: String, settings: PlatformSettings) throws(Failure) -> Gate {
        do {
            // The native feed and the API's target hold the gate under its name; both may be given as they are.
            return try Gate(json: json.object?["gate"] ?? json, settings: settings)
        } catch {
            var failure = Failure(.refused, error.code, "\(path == "-" ? "standard input" : Style.safe(path)): \(error.detail)")
            failure.field = error.field
            throw failure
        }
    }
}
