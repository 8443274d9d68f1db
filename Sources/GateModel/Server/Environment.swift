public import GateJSON

/// One server is one environment: its name, the colour of its bar, and whether dangerous changes must be confirmed by typing.
public struct Environment: TabledDocument {
    public let name: String
    public let colour: String
    /// Whether changes of tiers 2 and 3 need the typed confirmation and a reason.
    public let isProtected: Bool

    public init(name: String, colour: String, isProtected: Bool) {
        self.name = name
        self.colour = colour
        self.isProtected = isProtected
    }

    package static let table = FieldTable<Environment>(
        answer: "Environment",
        "An environment",
        .needed("name", .string, \.name),
        .needed("colour", .string, \.colour),
        .needed("protected", .flag, \.isProtected),
        make: Environment.init
    )
}
