package import GateJSON
package import GateModel

/// Everything that decides about feeds, as one file: what an export writes, and what an apply, an offline check and an offline
/// rendering read.
///
/// Read strictly, because it is also a wish: a misspelt member must not be taken for one that was left out. The server's export of one
/// state has always the same bytes. What tells one history from another (`sequence`, `exportedAt`, and each platform's `revision`,
/// `sequence` and `changedAt`) is there for the native feed's bytes and for people; an apply looks at revisions alone, and refuses a document
/// that a target has moved past.
package struct ExportBody: APIBody {
    /// The environment that it was taken from; for people.
    package var environment: String?
    /// The last change that is in it, and when it was taken. Nil in a file that was written by hand.
    package var sequence: Int?
    package var exportedAt: Timestamp?
    /// The apps that the document speaks for. An export of one app, or by somebody who sees some, says nothing of others, so that no
    /// apply of it removes them. ``apps`` are among them.
    package var scope: AppScope
    package var apps: [App]
    /// Windows that waited or ran when the document was written, as they were asked for; at most ``mostWindows``. They are told, for the
    /// state of a server would not be whole without them, and never made: a window is an appointment, and a file that is applied months later
    /// must not keep it. The server's answers have none; gatectl asks for them beside.
    package var windows: [WindowRequest]
    /// Asks for the apps after these; nil when these are all. Only the server's answers have it: a part is no document.
    package var next: String?

    /// What the file calls itself. Another name is another form and is refused.
    package static let form = "gatehouse/export/v1"
    package static let mostWindows = 1_000

    package init(
        apps: [App],
        scope: AppScope = .all,
        environment: String? = nil,
        sequence: Int? = nil,
        exportedAt: Timestamp? = nil,
        windows: [WindowRequest] = [],
        next: String? = nil
    ) {
        self.next = next
        self.windows = windows
        self.apps = apps
        self.scope = scope
        self.environment = environment
        self.sequence = sequence
        self.exportedAt = exportedAt
    }

    /// As it stands: an answer of a server, or a wish, of which only what it changes is held to today's rules.
    package init(json: JSONValue) throws(ModelError) { try self.init(json: json, from: .kept) }

    /// - Parameter source: of a request texts are cleaned, and what today's rules refuse is refused.
    package init(json: JSONValue, from source: DocumentSource) throws(ModelError) {
        self = try (source == .request ? ExportTables.asked : .kept).export.read(json)
    }

    package var json: JSONValue { ExportTables.told.export.write(self) }

    package static var schema: JSONSchema { ExportTables.told.export.schema }

    /// An export as somebody may write it, for an apply.
    static var requestSchema: JSONSchema { ExportTables.asked.export.schema }

    /// UTF-8 bytes of an app in the document.
    package static func bytes(of app: App) -> Int { ExportTables.told.app.write(app).bytes.count }
}
