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
        .needed("name", string(AppKey.lengths, pattern: OwnFeedName.pattern)), .optional("platform", appKey), .needed("template", text),
        .optional("accept", array(of: word([OwnFeed.typeChanges]))),
    ]
    /// As it is asked for in the body of POST /windows. None is made, so that its targets and rules are named and not looked at.
    fileprivate static let toldWindow = request(
        "ExportedWindowDocument",
        WindowRequest.table.members.map { member in
            switch member.name {
            case "set": .needed("set", request("RuleNames", Rule.allCases.map { .optional($0.rawValue, anything) }))
            case "targets": .needed("targets", array(of: toldTarget, 1...ChangeRequest.maximumTargets))
            default: member
            }
        }
    )
    /// As it was spelled: no target of a window that is not made is looked for.
    private static let toldTarget = request(
        "ExportedWindowTarget",
        [.needed("app", text), .needed("platform", text), .optional("revision", wholeNumber)]
    )
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
                    ),
                    // One without apps is refused: it is taken for one that was lost.
                    1...
                )
            ),
            .optional("windows", array(of: toldWindow, 0...ExportBody.mostWindows)),
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
