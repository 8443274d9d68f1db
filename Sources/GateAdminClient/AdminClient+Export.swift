import GateAPI
package import GateJSON
import GateModel

extension AdminClient {
    /// Everything that decides what the feeds say, as the server wrote it: a newer server may send more than this version knows, and an
    /// export file must lose none of it. An export that comes in several parts is put together.
    /// - Parameter app: nil for every app.
    package func export(_ app: String? = nil) async throws(AdminClientError) -> JSONValue {
        for _ in 0..<Self.tries {
            if let whole = try await wholeExport(app) { return whole }
        }
        throw AdminClientError(
            .badAnswer,
            Endpoint.export.description,
            "something was changed while it was read, \(Self.tries) times in a row; try again"
        )
    }

    /// How often an export is attempted when somebody keeps changing something.
    private static let tries = 5

    /// Nil if something was changed between the parts.
    private func wholeExport(_ app: String?) async throws(AdminClientError) -> JSONValue? {
        var whole = JSONObject()
        var apps: [JSONValue] = []
        var cursor: String?
        repeat {
            let part = try await call(.export, query: [("app", app), ("cursor", cursor)], as: JSONValue.self)
            guard var object = part.object, let more = object["apps"]?.array else { return part }
            if cursor != nil, object["sequence"] != whole["sequence"] { return nil }
            apps += more
            cursor = try Self.cursor(object["next"]?.string, after: cursor, .export)
            object["next"] = nil
            object["apps"] = .array(apps)
            whole = object
        } while cursor != nil
        return .object(whole)
    }
}
