/// Something in a document that was left out while the rest of it is obeyed.
public struct GateDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// Its place, as a JSON pointer (RFC 6901): `/ios/requiredUpdate/minimumVersion`.
    public let path: String
    /// What is wrong, as the end of a sentence.
    public let detail: String

    public init(path: String, detail: String) {
        self.path = path
        self.detail = detail
    }

    public var description: String { "\(path): \(detail)" }
}
