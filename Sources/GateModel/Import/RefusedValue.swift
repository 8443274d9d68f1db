public import GateJSON

/// A value of an imported file that cannot be published safely.
public struct RefusedValue: TabledDocument {
    /// Its place in the file: `android.requiredUpdate.minimumVersion`.
    public var path: String
    public var value: JSONValue
    /// A stable code for programs: `invalid_version`.
    public var code: String
    /// One sentence for people, which names the remedy.
    public var detail: String
    /// Whether the value is accepted if the request lists ``code`` in `accept`.
    public var overridable: Bool
    /// The line of the file with the value, or with the object that lacks it, from 1; nil from a server that does not send it.
    public var line: Int?
    /// The character in that line, from 1.
    public var column: Int?

    public init(
        path: String,
        value: JSONValue,
        code: String,
        detail: String,
        overridable: Bool = false,
        line: Int? = nil,
        column: Int? = nil
    ) {
        self.path = path
        self.value = value
        self.code = code
        self.detail = detail
        self.overridable = overridable
        self.line = line
        self.column = column
    }

    package static let table = FieldTable<RefusedValue>(
        answer: "Refused",
        "A refused value",
        .needed("path", .string, \.path),
        .needed("value", .anything, \.value),
        .needed("code", .string, \.code),
        .needed("detail", .string, \.detail),
        .optional("overridable", .flag, \.overridable, standard: false),
        .optional("line", .integer(1...), \.line),
        .optional("column", .integer(1...), \.column),
        make: RefusedValue.init
    )
}
