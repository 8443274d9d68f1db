package import GateJSON

extension PhoneView: TabledDocument {
    /// The members of a simulation, and of a view in a matrix.
    package static let table = FieldTable<PhoneView>(
        answer: nil,
        "What a phone shows",
        .needed("outcome", .word, \.outcome),
        .told("letsIn", .flag, \.letsIn),
        .nullableWord("rule", \.rule),
        .needed("presentation", .word, \.presentation),
        .nullable("title", .string, \.title),
        .nullable("message", .string, \.message),
        .needed("buttons", .list(of: .string), \.buttons, missing: []),
        .nullable("retryInterval", .integer(PlatformSettings.retryIntervals), \.retryInterval),
        .needed("detail", .string, \.detail)
    ) { outcome, _, rule, presentation, title, message, buttons, retryInterval, detail in
        PhoneView(
            outcome: outcome,
            rule: rule,
            presentation: presentation,
            title: title,
            message: message,
            buttons: buttons,
            retryInterval: retryInterval,
            detail: detail
        )
    }
}
