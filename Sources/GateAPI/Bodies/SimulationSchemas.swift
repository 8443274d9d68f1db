package import GateJSON
package import GateModel

extension Simulation: APIBody {
    package static let schema = JSONSchema.answer(
        "Simulation",
        [
            .needed("app", .appKey), .needed("platform", .appKey), .needed("revision", .integer(1...)), .needed("client", .client),
            .optional("release", .word(GandalfRelease.allCases.map(\.rawValue))),
            .needed("clients", .array(of: .client)), .needed("version", .text), .needed("at", .time), .needed("seen", .flag),
            .needed("outcome", .word(Outcome.allCases.map(\.rawValue))), .needed("letsIn", .flag), .needed("rule", .nullable(.rule)),
            .needed("presentation", .word(Presentation.allCases.map(\.rawValue))), .needed("title", .nullable(.text)),
            .needed("message", .nullable(.text)),
            .needed("buttons", .array(of: .text)), .needed("retryInterval", .nullable(.seconds)), .needed("detail", .text),
            .needed("hidden", .array(of: .answer("HiddenRule", [.needed("rule", .rule), .needed("detail", .text)]))),
            .needed("feed", .text),
        ]
    )
}

extension JSONSchema {
    fileprivate static let client = word(ClientLibrary.shipped.map(\.rawValue))
    fileprivate static let rule = word(Rule.allCases.map(\.rawValue))
}
