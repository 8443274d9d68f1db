package import GateJSON

/// What every write may say beside its content: why, the confirmation that was asked for, whether it is only a question.
public struct WriteTerms: Sendable, Hashable {
    /// Why, for the history; required for tiers 2 and 3 where the environment is protected.
    public var reason: String?
    /// The text that the plan asked for. Compared trimmed and without regard to case; ignored where none is asked.
    public var confirm: String?
    /// True: answer the plan and write nothing.
    public var dryRun: Bool
    /// Codes of refusals that the caller has seen and overrides, such as `text_order`; recorded with the change.
    public var accept: [String]

    public init(reason: String? = nil, confirm: String? = nil, dryRun: Bool = false, accept: [String] = []) {
        self.reason = reason
        self.confirm = confirm
        self.dryRun = dryRun
        self.accept = accept
    }

    /// Its own table; members that say nothing are left out. Other members are those of the body that the terms stand in.
    package static let table = FieldTable<WriteTerms>(
        answer: nil,
        "A write",
        .optional("reason", .string, \.reason),
        .optional("confirm", .string, \.confirm),
        .optional("dryRun", .flag, \.dryRun, standard: false),
        .optional("accept", .list(of: .string), \.accept, standard: []),
        make: WriteTerms.init
    )

    /// The members' names, for bodies whose other members are not fixed.
    package static let names = table.names
}
