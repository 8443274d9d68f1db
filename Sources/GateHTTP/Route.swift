/// One line of a route table.
package struct Route<Handler: Sendable>: Sendable {
    package let method: HTTPMethod
    /// `/api/v1/apps/{app}`: segments are literal or one parameter in braces. `/` alone is the root.
    package let pattern: String
    package let handler: Handler

    package init(_ method: HTTPMethod, _ pattern: String, _ handler: Handler) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
    }
}

/// The values that a path has in the places of a pattern's braces, decoded once.
package struct RouteParameters: Equatable, Sendable {
    /// The pattern that matched; metrics and logs carry this and never the raw path.
    package let pattern: String
    package let values: [String: String]

    package init(pattern: String, values: [String: String]) {
        self.pattern = pattern
        self.values = values
    }

    /// - precondition: the pattern has that parameter.
    package subscript(name: String) -> String {
        guard let value = values[name] else { preconditionFailure("\(pattern) has no parameter \(name)") }
        return value
    }
}

/// A fault in a route table, found when it is made.
package struct RouterError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Not a path, an empty segment, a parameter twice, or characters that a path segment would have to escape.
        case malformed
        /// The same method and shape as another route.
        case duplicate
        /// Some path fits this and another route, and neither is the more particular one.
        case ambiguous
        /// A route for HEAD, which the GET route answers.
        case headRoute
    }

    package let code: Code
    package let route: String
    package let other: String?

    package var description: String {
        switch code {
        case .malformed: "route \(route): not a pattern of literal segments and {parameters}"
        case .duplicate: "route \(route) is in the table twice: also as \(other ?? "")"
        case .ambiguous: "route \(route) and \(other ?? "") fit the same paths and neither is more particular; rename one"
        case .headRoute: "route \(route): GET answers HEAD; take it out"
        }
    }
}
