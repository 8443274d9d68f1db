/// A value is not what the model asks for: what is wrong, where, and what to do about it.
public struct ModelError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// Wrong JSON type or an unknown name: the request itself is broken (HTTP 400).
        case malformed
        /// The right type with a value that the rules refuse (HTTP 422).
        case invalid
    }

    public let kind: Kind
    /// Stable, for programs: `invalid_version`, `invalid_message`, `malformed`.
    public let code: String
    /// One sentence for people that names the remedy.
    public let detail: String
    /// RFC 6901 pointer to the value inside the document that was read; empty for the whole document.
    public let field: String
    /// What could be meant instead, each a document of the kind that was wanted: for a time that there is not, or is twice.
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

    /// The same error seen from a document in which this one stands at `pointer`.
    public func within(_ pointer: String) -> ModelError {
        var error = ModelError(kind, code: code, detail: detail, field: pointer + field)
        error.choices = choices
        return error
    }

    public var description: String { field.isEmpty ? "\(detail) (\(code))" : "\(field): \(detail) (\(code))" }
}
