package import GateModel

/// Reads the file that an app's phones poll today.
package enum ImportReader {
    /// What taking over `document` would change in `app`.
    /// - Parameters:
    ///   - platform: the platform of a Bellerophon file, which names none (`ios` when nil); of other files, the only one to take.
    /// - Throws: ``ImportError`` when the document is no strict JSON or no file of the format.
    package static func read(_ document: String, format: ImportFormat, app: App, platform: PlatformKey?) throws(ImportError) -> ImportProposal {
        throw ImportError(code: "unrecognised_document", detail: "Not read yet.")
    }
}
