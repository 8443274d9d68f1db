package import GateJSON

/// What every write may say beside its content: the reason, the confirmation, and whether it is only a dry run.
public struct WriteTerms: Sendable, Hashable {
    /// The reason, for the history; required for tiers 2 and 3 in a protected environment.
    public var reason: String?
    /// The text that the plan asked for. Compared trimmed and without regard to case; ignored if none is required.
    public var confirm: String?
    /// True: answer with the plan and write nothing.
    public var dryRun: Bool
    /// Codes of refusals that the caller has seen and overrides, such as `text_order`; recorded with the change.
    public var accept: [String]

    public init(reason: String? = nil, confirm: String? = nil, dryRun: Bool = false, accept: [String] = []) {
        self.reason = reason
        self.confirm = confirm
        self.dryRun = dryRun
        self.accept = accept
    }

    /// A table of its own; members without content are left out. The other members belong to the body that contains the terms.
    package static let table = FieldTable<WriteTerms>(
        answer: nil,
        "A write",
        .optional("reason", .string, \.reason),
        .optional("confirm", .string, \.confirm),
        .optional("dryRun", .flag, \.dryRun, standard: false),
        .optional("accept", .list(of: .string), \.accept, standard: []),
        make: WriteTerms.init
    )
}
