package import GateJSON
import GateModel

/// The admin API described (OpenAPI 3.1), made from ``Endpoint`` and the bodies' schemas, so that it cannot say anything else than they do.
package enum APIDescription {
    /// The session's cookie has its name over https; programs that are made from a description talk to servers that have it.
    /// - Parameter version: of the server.
    package static func document(version: String) -> JSONValue {
        var paths = JSONObject()
        for operation in Operation.all {
            var path = paths[operation.endpoint.pattern]?.object ?? [:]
            path[operation.endpoint.method.rawValue.lowercased()] = operation.json
            paths[operation.endpoint.pattern] = .object(path)
        }
        return [
            "openapi": .string("3.1.0"),
            "info": [
                "title": .string("Gatehouse admin API"), "version": .string(version),
                "description": .string(
                    "Tools send a token in Authorization: Bearer. Browsers send the session's cookie (gh_session over plain http), and with everything but GET the session's CSRF token in X-Gatehouse-CSRF."
                ),
            ],
            "paths": .object(paths),
            "components": [
                "schemas": .object(components()),
                "securitySchemes": [
                    "token": ["type": .string("http"), "scheme": .string("bearer")],
                    "session": ["type": .string("apiKey"), "in": .string("cookie"), "name": .string("__Host-gh_session")],
                ],
            ],
        ]
    }

    /// Every endpoint that is not described: none, when the table is whole.
    package static var undescribed: [Endpoint] { Endpoint.all.filter { endpoint in !Operation.all.contains { $0.endpoint == endpoint } } }

    private static func components() -> JSONObject {
        var found: [String: JSONValue] = [:]
        func collect(_ schema: Schema) {
            if let name = schema.name, found.updateValue(schema.document, forKey: name) != nil { return }
            for part in schema.parts { collect(part) }
        }
        collect(ProblemBody.schema)
        for operation in Operation.all {
            if let request = operation.request { collect(request) }
            for answer in operation.answers { if let schema = answer.schema { collect(schema) } }
        }
        var components = JSONObject()
        for name in found.keys.sorted() { components[name] = found[name] }
        return components
    }
}

extension Operation {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["operationId": .string(id), "summary": .string(summary), "description": .string(who)]
        let parameters = endpoint.parameterNames.map(Self.pathParameter) + endpoint.queryNames.map(Self.queryParameter)
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let request {
            object["requestBody"] = ["required": .bool(!isRequestOptional), "content": Self.content("application/json", request)]
        }
        var responses = JSONObject()
        for answer in answers {
            var response: JSONObject = ["description": .string(answer.schema == nil ? "Done." : "Well.")]
            if let schema = answer.schema { response["content"] = Self.content("application/json", schema) }
            responses[String(answer.status)] = .object(response)
        }
        responses["default"] = [
            "description": .string("Refused (RFC 9457)."), "content": Self.content("application/problem+json", ProblemBody.schema),
        ]
        object["responses"] = .object(responses)
        object["security"] = .array(security)
        return .object(object)
    }

    /// Who may call it, in words.
    private var who: String {
        let role =
            switch endpoint.access {
            case .anyone: "For everybody, without signing in."
            case .viewer: "For everybody who is signed in."
            case .operatorRole: "For operators and administrators."
            case .admin: "For administrators."
            }
        let proof =
            switch endpoint.proof {
            case .any: ""
            case .fresh: " A session must have been signed in within the last five minutes (403 fresh_sign_in_required); a token need not."
            case .session: " With a session alone: a token does not do (403 session_required)."
            case .freshSession:
                " With a session alone, signed in within the last five minutes (403 session_required, fresh_sign_in_required)."
            }
        return role + proof
    }

    private var security: [JSONValue] {
        guard endpoint.access != .anyone else { return [] }
        let session: JSONValue = ["session": .array([])]
        switch endpoint.proof {
        case .any, .fresh: return [["token": .array([])], session]
        case .session, .freshSession: return [session]
        }
    }

    private static func content(_ type: String, _ schema: Schema) -> JSONValue {
        var content = JSONObject()
        content[type] = ["schema": schema.json]
        return .object(content)
    }

    private static func pathParameter(_ name: String) -> JSONValue {
        let schema: Schema = name == "app" || name == "platform" ? .appKey : name == "sequence" ? .integer(1...) : .string(1...64)
        return ["name": .string(name), "in": .string("path"), "required": .bool(true), "schema": schema.json]
    }

    private static func queryParameter(_ name: String) -> JSONValue {
        let schema: Schema =
            switch name {
            case "limit": .integer(1...500)
            case "after": .integer(0...)
            case "since", "until": .time
            case "app", "platform": .appKey
            case "source": .word(Change.Source.allCases.map(\.rawValue))
            case "cursor": .string(1...200, pattern: "^[A-Za-z0-9_-]+$")
            default: .string()
            }
        return ["name": .string(name), "in": .string("query"), "required": .bool(false), "schema": schema.json]
    }
}
