package import GateJSON
package import GateModel

/// What a client library's file would change in an app. Nothing is written for it.
package struct ImportProposal: Sendable, Hashable {
    /// What the document was read as; ``ImportFormat/auto`` when it holds the parts of several libraries.
    package var format: ImportFormat
    /// The rules to set and clear. Each rule that is set was validated for its platform; rules that the file says nothing of are not named.
    package var edits: [PlatformKey: GateEdit]
    /// Settings that the file carries, partial: `{"defaultRetryInterval":30}`.
    package var settings: [PlatformKey: JSONValue]
    /// What was not taken over; its rules are not in ``edits``.
    package var refused: [RefusedValue]
    package var warnings: [Warning]
    /// The libraries that poll the file, for each platform.
    package var readers: [PlatformKey: Set<ClientLibrary>]

    package init(
        format: ImportFormat,
        edits: [PlatformKey: GateEdit] = [:],
        settings: [PlatformKey: JSONValue] = [:],
        refused: [RefusedValue] = [],
        warnings: [Warning] = [],
        readers: [PlatformKey: Set<ClientLibrary>] = [:]
    ) {
        self.format = format
        self.edits = edits
        self.settings = settings
        self.refused = refused
        self.warnings = warnings
        self.readers = readers
    }
}

/// A document is no file that can be imported at all.
package struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `invalid_json`, `unrecognised_document`.
    package let code: String
    /// One sentence for people that names the remedy.
    package let detail: String
    /// Bytes from the start of the document to where reading stopped, when it is no JSON.
    package let offset: Int?

    package init(code: String, detail: String, offset: Int? = nil) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    package var description: String { "\(detail) (\(code))" }
}
