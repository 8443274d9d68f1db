package import GateJSON
package import GateModel

extension JSONSchema {
    fileprivate static let zonedTime = answer(
        "ZonedTime",
        [
            .needed("at", time), .needed("wallTime", text), .needed("zone", text),
            .needed("offset", string(pattern: "^[+-][0-9]{2}:[0-9]{2}$")),
        ]
    )

    /// RFC 3339 text; `at`, perhaps with the `zone` in which it is shown; or `wallTime` and `zone`, with `fold` where clocks show it twice.
    static let askedTime = either(
        time,
        request(
            "AskedTime",
            [
                .optional("at", time), .optional("wallTime", string(16...19)), .optional("zone", string(1...64)),
                .optional("fold", word(["earlier", "later"])),
                .optional("offset", string()),
            ]
        )
    )

    /// What could be meant instead of a time that there is not, or is twice.
    static let choices = array(of: zonedTime)
}

extension Window: APIBody {
    package static let schema = JSONSchema.answer(
        "Window",
        [
            .needed("id", .integer(0...)), .needed("revision", .integer(1...)), .needed("state", .word(State.allCases.map(\.rawValue))),
            .needed("due", .nullable(.time)),
            .needed(
                "targets",
                .array(
                    of: .answer(
                        "WindowTarget",
                        [
                            .needed("app", .appKey), .needed("platform", .appKey), .needed("revision", .integer(1...)),
                            .needed("expected", .anyObject),
                            .needed("before", .nullable(.anyObject)),
                        ]
                    )
                )
            ),
            .needed("set", .anyObject), .needed("start", .zonedTime), .needed("end", .nullable(.zonedTime)),
            .needed("then", .word(Ending.allCases.map(\.rawValue))),
            .needed("actor", .actor), .needed("source", .word(Change.Source.allCases.map(\.rawValue))), .needed("reason", .nullable(.text)),
            .needed("accept", .array(of: .text)), .optional("omitted", .integer(1...)),
            .needed(
                "events",
                .array(
                    of: .answer(
                        "WindowEvent",
                        [
                            .needed("at", .time), .needed("what", .word(Event.What.allCases.map(\.rawValue))), .needed("actor", .actor),
                            .needed("detail", .nullable(.text)),
                            .needed("sequence", .nullable(.integer(1...))),
                        ]
                    )
                )
            ),
            .optional("unreadable", .text),
        ]
    )
}
