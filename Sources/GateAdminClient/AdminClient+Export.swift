import GateAPI
package import GateJSON
import GateModel

extension AdminClient {
    /// Everything that decides about feeds, as the server wrote it: a newer one may say more than this version knows, and a file must lose
    /// nothing of it. What comes in several parts is put together.
    /// - Parameter app: nil for every app.
    package func export(_ app: String? = nil) async throws(AdminClientError) -> JSONValue {
        for _ in 0..<Self.tries {
            if let whole = try await wholeExport(app) { return whole }
        }
        throw AdminClientError(
            .badAnswer,
            Endpoint.export.description,
            "something was changed between its parts, \(Self.tries) times; try again"
        )
    }

    /// How often an export is begun anew because somebody changed something.
    private static let tries = 5

    /// Nil when its parts are of different moments.
    private func wholeExport(_ app: String?) async throws(AdminClientError) -> JSONValue? {
        var whole = JSONObject()
        var apps: [JSONValue] = []
        var cursor: String?
        repeat {
            let part = try await call(.export, query: [("app", app), ("cursor", cursor)], as: JSONValue.self)
            guard var object = part.object, let more = object["apps"]?.array else { return part }
            if cursor != nil, object["sequence"] != whole["sequence"] { return nil }
            apps += more
            cursor = object["next"]?.string
            object["next"] = nil
            object["apps"] = .array(apps)
            whole = object
        } while cursor != nil
        return .object(whole)
    }
}
