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
            .needed("hidden", .hiddenRules),
            .needed("feed", .text),
        ]
    )
}

extension SimulationMatrix: APIBody {
    package static let schema = JSONSchema.answer(
        "SimulationMatrix",
        [
            .needed("app", .appKey), .needed("platform", .appKey), .needed("moment", .word(Moment.allCases.map(\.rawValue))),
            .needed("at", .time), .needed("revision", .integer(1...)), .needed("change", .nullable(Change.schema)),
            .needed("until", .nullable(.time)), .needed("gate", .gate), .needed("draft", .flag), .needed("seen", .flag),
            .needed("release", .nullable(.word(GandalfRelease.allCases.map(\.rawValue)))),
            .needed("clients", .array(of: .reader, 1...ClientLibrary.allCases.count)),
            .needed("versions", .array(of: .text, 1...mostVersions)), .needed("proposed", .flag), .needed("notes", .array(of: .text)),
            .needed("cells", .array(of: cell)),
        ]
    )

    private static let cell = JSONSchema.answer(
        "SimulatedCell",
        [
            .needed("version", .text), .needed("client", .reader),
            .needed("meant", .word(["blocked", "forced", "required", "optional", "alert", "nothing"])),
            .needed("static", view), .needed("targeted", view), .needed("hidden", .hiddenRules), .needed("why", .nullable(.text)),
            .needed("cure", .nullable(.text)),
        ]
    )

    private static let view = JSONSchema.answer(
        "SimulatedView",
        [
            .needed("outcome", .word(Simulation.Outcome.allCases.map(\.rawValue))), .needed("letsIn", .flag),
            .needed("rule", .nullable(.rule)), .needed("presentation", .word(Simulation.Presentation.allCases.map(\.rawValue))),
            .needed("title", .nullable(.text)), .needed("message", .nullable(.text)), .needed("buttons", .array(of: .text)),
            .needed("retryInterval", .nullable(.seconds)), .needed("detail", .text),
            .needed("deviation", .nullable(.word(Deviation.allCases.map(\.rawValue)))),
        ]
    )
}

extension JSONSchema {
    fileprivate static let hiddenRules = array(of: .answer("HiddenRule", [.needed("rule", .rule), .needed("detail", .text)]))
    fileprivate static let reader = word(ClientLibrary.allCases.map(\.rawValue))
    fileprivate static let client = word(ClientLibrary.shipped.map(\.rawValue))
    fileprivate static let rule = word(Rule.allCases.map(\.rawValue))
}
