import GateModel

/// A file that holds a gate: `{"killSwitch": {…}}`.
enum GateFile {
    /// - Throws: input refused (8) with the field for what is no gate of a platform with these settings.
    static func read(_ path: String, settings: PlatformSettings) throws(Failure) -> Gate {
        let bytes = try InputFile.read(path)
        do {
            let json = try JSONReader.read(bytes)
            // The native feed and the API's target hold the gate under its name; both may be given as they are.
            return try Gate(json: json.object?["gate"] ?? json, settings: settings)
        } catch let error as JSONError {
            throw Failure(.refused, "malformed", "\(path) is no JSON: \(error)")
        } catch let error as ModelError {
            var failure = Failure(.refused, error.code, "\(path): \(error.detail)")
            failure.field = error.field
            throw failure
        } catch {
            throw Failure(.refused, "malformed", "\(path) cannot be read")
        }
    }
}
