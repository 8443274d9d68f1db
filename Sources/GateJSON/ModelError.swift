/// A value is not what the model requires: what is wrong, where, and what to do about it.
public struct ModelError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// A wrong JSON type or an unknown name: the request itself is broken (HTTP 400).
        case malformed
        /// The right type, but a value that the rules refuse (HTTP 422).
        case invalid
    }

    public let kind: Kind
    /// A stable code for programs: `invalid_version`, `invalid_message`, `malformed`.
    public let code: String
    /// One sentence for people, which names the remedy.
    public let detail: String
    /// RFC 6901 pointer to the value inside the document; empty for the whole document.
    public let field: String
    /// What could be meant instead, each a document of the kind required: for a time that does not exist, or that comes twice.
    public var choices: [JSONValue] = []

    public init(_ kind: Kind, code: String, detail: String, field: String = "") {
        self.kind = kind
        self.code = code
        self.detail = detail
        self.field = field
    }

    public static func malformed(_ detail: String, field: String = "") -> ModelError {
        ModelError(.malformed, code: "malformed", detail: detail, field: field)
    }

    public static func invalid(_ code: String, _ detail: String, field: String = "") -> ModelError {
        ModelError(.invalid, code: code, detail: detail, field: field)
    }

    /// The same error as seen from a document that contains this one at `pointer`.
    public func within(_ pointer: String) -> ModelError {
        var error = ModelError(kind, code: code, detail: detail, field: pointer + field)
        error.choices = choices
        return error
    }

    public var description: String { field.isEmpty ? "\(detail) (\(code))" : "\(field): \(detail) (\(code))" }
}
