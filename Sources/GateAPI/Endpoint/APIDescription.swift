package import GateJSON
import GateModel

/// The description of the admin API (OpenAPI 3.1), made from ``Endpoint`` and the bodies' schemas, so that it cannot contradict them.
package enum APIDescription {
    /// The session's cookie is given its https name, because programs generated from a description talk to servers that use https.
    /// - Parameter version: the version of the server.
    package static func document(version: String) -> JSONValue {
        var paths = JSONObject()
        for endpoint in Endpoint.allCases {
            var path = paths[endpoint.pattern]?.object ?? [:]
            path[endpoint.method.rawValue.lowercased()] = endpoint.json
            paths[endpoint.pattern] = .object(path)
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

    private static func components() -> JSONObject {
        var found: [String: JSONValue] = [:]
        func collect(_ schema: JSONSchema) {
            if let name = schema.name, found.updateValue(schema.document, forKey: name) != nil { return }
            for part in schema.parts { collect(part) }
        }
        collect(ProblemBody.schema)
        for endpoint in Endpoint.allCases {
            if let request = endpoint.declaration.request { collect(request) }
            for answer in endpoint.declaration.answers { if let schema = answer.schema { collect(schema) } }
        }
        var components = JSONObject()
        for name in found.keys.sorted() { components[name] = found[name] }
        return components
    }
}

extension Endpoint {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["operationId": .string(rawValue), "summary": .string(declaration.summary), "description": .string(who)]
        let parameters =
            parameterNames.map(Self.pathParameter) + queryNames.map(Self.queryParameter) + (keepsKeys ? [Self.keyParameter] : [])
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let request = declaration.request {
            // A POST or PATCH has to name the type of its body, which another site's form cannot do, so it cannot come without one.
            let isRequired = !declaration.isRequestOptional || method == .post || method == .patch
            object["requestBody"] = ["required": .bool(isRequired), "content": Self.content("application/json", request)]
        }
        var responses = JSONObject()
        for answer in declaration.answers {
            var response: JSONObject = ["description": .string(answer.schema == nil ? "Done." : "Success.")]
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
            switch access {
            case .anyone: "For everybody, without signing in."
            case .viewer: "For everybody who is signed in."
            case .operatorRole: "For operators and administrators."
            case .admin: "For administrators."
            }
        let proof =
            switch proof {
            case .any: ""
            case .fresh: " A session must have been signed in within the last five minutes (403 fresh_sign_in_required); a token need not."
            case .session: " Only with a session: a token is not enough (403 session_required)."
            case .freshSession:
                " Only with a session that was signed in within the last five minutes (403 session_required, fresh_sign_in_required)."
            }
        return role + proof
    }

    private var security: [JSONValue] {
        guard access != .anyone else { return [] }
        let session: JSONValue = ["session": .array([])]
        switch proof {
        case .any, .fresh: return [["token": .array([])], session]
        case .session, .freshSession: return [session]
        }
    }

    private static func content(_ type: String, _ schema: JSONSchema) -> JSONValue {
        var content = JSONObject()
        content[type] = ["schema": schema.json]
        return .object(content)
    }

    private static func pathParameter(_ name: String) -> JSONValue {
        let schema: JSONSchema =
            switch name {
            case "app", "platform": .appKey
            case "name": .string(AppKey.lengths, pattern: OwnFeedName.pattern)
            case "sequence": .integer(1...)
            default: .string(1...64)
            }
        return ["name": .string(name), "in": .string("path"), "required": .bool(true), "schema": schema.json]
    }

    private static func queryParameter(_ name: String) -> JSONValue {
        let schema: JSONSchema =
            switch name {
            case "limit": .integer(1...500)
            case "after": .integer(0...)
            case "since", "until": .time
            case "app", "platform": .appKey
            case "source": .word(Change.Source.allCases.map(\.rawValue))
            case "state": .string(pattern: states)
            case "within": .word(["hour", "day"])
            case "cursor": .string(1...200, pattern: PageBody<Change>.cursorPattern)
            default: .string()
            }
        return ["name": .string(name), "in": .string("query"), "required": .bool(false), "schema": schema.json]
    }

    private static var keyParameter: JSONValue {
        [
            "name": .string(IdempotencyKeyHeader.name), "in": .string("header"), "required": .bool(false),
            "description": .string(
                "The same request, sent again under its key within 24 hours, is carried out once. A new key for each new request: another request under a used one is refused (422 idempotency_key_reused)."
            ),
            "schema": JSONSchema.string(IdempotencyKeyHeader.lengths, pattern: IdempotencyKeyHeader.pattern).json,
        ]
    }

    /// One or more of a window's states, separated by commas.
    private static var states: String {
        let state = "(?:\(Window.State.allCases.map(\.rawValue).joined(separator: "|")))"
        return "^\(state)(?:,\(state))*$"
    }
}
