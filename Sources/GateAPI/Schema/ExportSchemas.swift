import GateModel

extension Schema {
    /// The members of an export that tell one history from another; an apply ignores them.
    fileprivate static let historyOfDocument: [Member] = [
        .optional("environment", text), .optional("sequence", integer(0...)), .optional("exportedAt", time),
    ]
    fileprivate static let historyOfPlatform: [Member] = [
        .optional("revision", integer(0...)), .optional("sequence", integer(0...)), .optional("changedAt", time),
    ]
    fileprivate static let platformNames = "^[a-z0-9][a-z0-9-]{0,62}$"

    /// An export as somebody may write it: settings and rules that are left out are what they are without a word.
    fileprivate static let exportDocument = request(
        "ExportDocument",
        [.needed("schema", word([ExportBody.form]))] + historyOfDocument + [
            .optional("scope", array(of: appKey)),
            .needed(
                "apps",
                array(
                    of: request(
                        "ExportedAppDocument",
                        [
                            .needed("key", appKey), .needed("name", string(1...100)), .optional("aliases", array(of: aliasRequest)),
                            .needed(
                                "platforms",
                                map(
                                    of: request(
                                        "ExportedPlatformDocument",
                                        [.optional("settings", exact("SettingsDocument", settingsMembers)), .optional("gate", edit)] + historyOfPlatform
                                    ),
                                    names: platformNames
                                )
                            ),
                        ]
                    )
                )
            ),
        ]
    )
}

extension ExportBody: DescribedBody {
    package static let schema = Schema.answer(
        "Export",
        [.needed("schema", .word([ExportBody.form]))] + Schema.historyOfDocument + [
            .optional("scope", .array(of: .appKey)),
            .needed(
                "apps",
                .array(
                    of: .answer(
                        "ExportedApp",
                        [
                            .needed("key", .appKey), .needed("name", .text), .needed("aliases", .array(of: .alias)),
                            .needed(
                                "platforms",
                                .map(
                                    of: .answer(
                                        "ExportedPlatform",
                                        [.needed("settings", .settings), .needed("gate", .gate)] + Schema.historyOfPlatform
                                    ),
                                    names: Schema.platformNames
                                )
                            ),
                        ]
                    )
                )
            ),
        ]
    )
}

extension ApplyRequest: DescribedBody {
    package static let schema = Schema.request(
        "ApplyRequest",
        [
            .needed("document", .exportDocument), .optional("prune", .flag), .optional("sequence", .integer(0...)),
        ] + WriteTerms.members
    )
}
