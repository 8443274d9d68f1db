package import GateJSON
package import GateModel

/// Everything that decides about feeds, as one file: what an export writes, and what an apply, an offline check and an offline
/// rendering read.
///
/// Read strictly, because it is also a request: a misspelt member must not be taken for one that was left out. The server's export of one
/// state always has the same bytes. The members that tell one history from another (`sequence`, `exportedAt`, and each platform's
/// `revision`, `sequence` and `changedAt`) are there for the native feed's bytes and for people; an apply looks only at revisions, and
/// refuses a document if one of its targets has moved past the document's revision.
package struct ExportBody: APIBody {
    /// The environment that it was taken from; for people.
    package var environment: String?
    /// The last change that is in it, and when it was taken. Nil in a file that was written by hand.
    package var sequence: Int?
    package var exportedAt: Timestamp?
    /// The apps that the document covers. An export of one app, or by somebody who sees only some, says nothing about the others, so
    /// applying it never removes them. ``apps`` are among them.
    package var scope: AppScope
    package var apps: [App]
    /// Windows that waited or ran when the document was written, as they were asked for; at most ``mostWindows``. They are listed because
    /// the state of a server would be incomplete without them, but an apply never makes them: a window is an appointment, which a file
    /// applied months later must not keep. The server's answers have none; gatectl asks for them separately.
    package var windows: [WindowRequest]
    /// The cursor for the apps after these; nil when these are all. Only the server's answers have it: a part is not a document.
    package var next: String?

    /// The name of the file's form, which it states itself. A file with another name has another form and is refused.
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

    /// Reads it as it stands: an answer of a server, or a request of which only the changes are held to today's rules.
    package init(json: JSONValue) throws(ModelError) { try self.init(json: json, from: .kept) }

    /// - Parameter source: for a request, texts are cleaned, and what today's rules refuse is refused.
    package init(json: JSONValue, from source: DocumentSource) throws(ModelError) {
        self = try (source == .request ? ExportTables.asked : .kept).export.read(json)
    }

    package var json: JSONValue { ExportTables.told.export.write(self) }

    package static var schema: JSONSchema { ExportTables.told.export.schema }

    /// The schema of an export that somebody writes for an apply.
    static var requestSchema: JSONSchema { ExportTables.asked.export.schema }

    /// UTF-8 bytes of an app in the document.
    package static func bytes(of app: App) -> Int { ExportTables.told.app.write(app).bytes.count }
}
