package import GateJSON
package import GateModel

/// What a client library's file would change in an app. Making a proposal writes nothing.
package struct ImportProposal: Sendable, Hashable {
    /// The format as which the document was read; ``ImportFormat/auto`` if it holds parts for several libraries.
    package var format: ImportFormat
    /// The rules to set and clear. Each rule to be set was validated for its platform; rules that the file does not mention are not named.
    package var edits: [PlatformKey: GateEdit]
    /// Settings in the file, possibly only some: `{"defaultRetryInterval":30}`.
    package var settings: [PlatformKey: JSONValue]
    /// What was not taken over; the rules concerned are not in ``edits``.
    package var refused: [RefusedValue]
    /// The rules among the refused ones that can be taken all the same, for each platform.
    package var hidden: [PlatformKey: [HiddenRule]]
    package var warnings: [Warning]
    /// The libraries that poll the file, for each platform.
    package var readers: [PlatformKey: Set<ClientLibrary>]

    package init(
        format: ImportFormat,
        edits: [PlatformKey: GateEdit] = [:],
        settings: [PlatformKey: JSONValue] = [:],
        refused: [RefusedValue] = [],
        hidden: [PlatformKey: [HiddenRule]] = [:],
        warnings: [Warning] = [],
        readers: [PlatformKey: Set<ClientLibrary>] = [:]
    ) {
        self.format = format
        self.edits = edits
        self.settings = settings
        self.refused = refused
        self.hidden = hidden
        self.warnings = warnings
        self.readers = readers
    }
}

/// A document is not a file that can be imported.
package struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable code for programs: `invalid_json`, `unrecognised_document`.
    package let code: String
    /// One sentence for people, which names the remedy.
    package let detail: String
    /// If the document is not JSON: where reading stopped, in bytes from its start.
    package let offset: Int?

    package init(code: String, detail: String, offset: Int? = nil) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    package var description: String { "\(detail) (\(code))" }
}
