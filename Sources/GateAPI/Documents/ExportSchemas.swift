package import GateJSON
import GateModel

extension JSONSchema {
    /// The members of an export that tell one history from another; an apply looks at revisions alone.
    fileprivate static let historyOfDocument: [Member] = [
        .optional("environment", text), .optional("sequence", integer(0...)), .optional("exportedAt", time),
    ]
    fileprivate static let historyOfPlatform: [Member] = [
        .optional("revision", integer(0...)), .optional("sequence", integer(0...)), .optional("changedAt", time),
    ]
    fileprivate static let ownFeedMembers: [Member] = [
        .needed("name", appKey), .optional("platform", appKey), .needed("template", text),
        .optional("accept", array(of: word([OwnFeed.typeChanges]))),
    ]
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
                            .needed("key", appKey), .needed("name", string(App.nameLengths)),
                            .optional("aliases", array(of: aliasRequest, 0...Alias.mostPerApp)),
                            .needed(
                                "platforms",
                                map(
                                    of: request(
                                        "ExportedPlatformDocument",
                                        [
                                            .optional("settings", exact("SettingsDocument", settingsMembers)),
                                            .optional("gate", GateEdit.schema),
                                        ]
                                            + historyOfPlatform
                                    ),
                                    names: AppKey.pattern
                                )
                            ), .optional("ownFeeds", array(of: exact("OwnFeedDocument", ownFeedMembers), 0...OwnFeed.mostPerApp)),
                        ]
                    )
                )
            ),
            // As they are asked for, in the form of POST /windows. None is made, so that of their values nothing is refused.
            .optional("windows", array(of: anyObject, 0...ExportBody.mostWindows)),
        ]
    )
}

extension ExportBody {
    /// An export as somebody may write it, for an apply.
    static let requestSchema = JSONSchema.exportDocument

    package static let schema = JSONSchema.answer(
        "Export",
        [.needed("schema", .word([ExportBody.form]))] + JSONSchema.historyOfDocument + [
            .optional("scope", .array(of: .appKey)), .optional("next", .string(1...63)),
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
                                        [.needed("settings", .settings), .needed("gate", Gate.schema)] + JSONSchema.historyOfPlatform
                                    ),
                                    names: AppKey.pattern
                                )
                            ), .optional("ownFeeds", .array(of: .answer("ExportedOwnFeed", JSONSchema.ownFeedMembers))),
                        ]
                    )
                )
            ),
        ]
    )
}
