package import GateJSON
package import GateModel

/// What the model's values look like in bodies.
extension JSONSchema {
    static let appKey = string(AppKey.lengths, pattern: AppKey.pattern)
    /// `null` is all apps.
    static let scope = nullable(array(of: appKey))
    static let version = string(VersionScheme.lengths)
    static let message = either(string(), map(of: string()))
    /// What is asked for has a limit; what is there already may be older than it.
    private static let messageRequest = either(string(), map(of: string(), 1...GateLimits.languages))
    static let digest = string(64...64, pattern: "^[0-9a-f]{64}$")
    static let seconds = integer(PlatformSettings.retryIntervals)

    static let settings = answer(
        "Settings",
        [
            .needed("versionScheme", word(VersionScheme.allCases.map(\.rawValue))), .needed("storeURL", nullable(text)),
            .needed("releases", array(of: version)),
            .needed("defaultRetryInterval", seconds), .needed("clients", nullable(array(of: word(ClientLibrary.allCases.map(\.rawValue))))),
        ]
    )

    /// One of Gatehouse's documents, or one of the app's own shape.
    static let aliasedFeed = either(word(FeedName.allCases.map(\.fileName)), string(pattern: "^own/[a-z0-9][a-z0-9-]{0,62}[.]json$"))

    static let alias = answer(
        "Alias",
        [
            .needed("path", text), .needed("feed", aliasedFeed), .optional("platform", appKey),
        ]
    )

    static let gate = answer("Gate", Rule.allCases.map { .optional($0.rawValue, answer(nil, members(of: $0, isAnswer: true))) })

    /// Named rules replace, `null` clears, what is not named stays.
    static let edit = request(
        "GateEdit",
        Rule.allCases.map { .optional($0.rawValue, request("Edit of \($0.rawValue)".capitalizedName, members(of: $0, isAnswer: false))) }
    )

    private static func members(of rule: Rule, isAnswer: Bool) -> [Member] {
        let message = isAnswer ? Self.message : messageRequest
        return switch rule {
        case .killSwitch:
            [
                .needed("message", message), isAnswer ? .needed("retryInterval", seconds) : .optional("retryInterval", seconds),
                .optional("until", time), .optional("opening", time),
            ]
        case .forceUpdate: [.needed("message", message)]
        case .requiredUpdate:
            [
                .needed("minimumVersion", version),
                .optional("blockedVersions", array(of: version, isAnswer ? nil : 0...GateLimits.versions)), .needed("message", message),
            ]
        case .optionalUpdate: [.needed("optionalVersion", version), .needed("message", message)]
        case .alert: [.needed("message", message), .needed("blocking", flag)]
        }
    }

    /// `id` tells apart what has one name; `user` is whose token it is. Older rows have neither.
    static let actor = answer(
        "Actor",
        [.needed("kind", word(["user", "token", "system"])), .needed("name", text), .optional("id", text), .optional("user", text)]
    )

    static let changedTarget = answer(
        "ChangedTarget",
        [
            .needed("app", appKey), .needed("platform", appKey), .needed("previous", integer(0...)), .needed("revision", integer(1...)),
            .needed("before", gate), .needed("after", gate),
            .optional("settings", answer(nil, [.needed("before", nullable(settings)), .needed("after", nullable(settings))])),
            .needed("feeds", answer(nil, FeedName.allCases.map { .optional($0.rawValue, digest) })),
            .optional("unreadable", text),
        ]
    )
}

extension String {
    /// `Edit of killSwitch` as a component's name: `EditOfKillSwitch`.
    fileprivate var capitalizedName: String { split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() }
}

extension Change: APIBody {
    package static let schema = JSONSchema.answer(
        "Change",
        [
            .needed("sequence", .integer(1...)), .needed("at", .time), .needed("actor", .actor),
            .needed("source", .word(Change.Source.allCases.map(\.rawValue))), .needed("kind", .word(Change.Kind.allCases.map(\.rawValue))),
            .needed("reason", .nullable(.text)), .needed("requestId", .text), .optional("unreadable", .text), .optional("app", .appKey),
            .needed("targets", .array(of: .changedTarget)),
            .optional("skipped", .answer(nil, [.needed("from", .integer(1...)), .needed("to", .integer(1...))])),
            .optional("omitted", .integer(1...)),
        ]
    )
}

extension Plan: APIBody {
    package static let schema = JSONSchema.answer(
        "Plan",
        [
            .needed("tier", .integer(0...3)), .needed("confirm", .nullable(.text)), .needed("reasonRequired", .flag),
            .needed(
                "diff",
                .array(
                    of: .answer(
                        "Difference",
                        [
                            .needed("app", .appKey), .needed("platform", .appKey), .needed("field", .text), .needed("before", .anything),
                            .needed("after", .anything),
                        ]
                    )
                )
            ),
            .optional(
                "apps",
                .array(
                    of: .answer(
                        "AppDifference",
                        [
                            .needed("app", .appKey),
                            .needed("field", .either(.word(["name", "aliases"]), .string(pattern: "^ownFeeds[.]"))),
                            .needed("before", .anything),
                            .needed("after", .anything),
                        ]
                    )
                )
            ),
            .needed(
                "effects",
                .array(
                    of: .answer(
                        "Effect",
                        [
                            .needed("app", .appKey), .needed("platform", .appKey),
                            .needed("client", .word(ClientLibrary.allCases.map(\.rawValue))),
                            .needed("versions", .array(of: .text, 1...Effect.mostVersions)),
                            .needed("before", .word(Effect.Shown.allCases.map(\.rawValue))),
                            .needed("after", .word(Effect.Shown.allCases.map(\.rawValue))),
                            .needed("meant", .word(["blocked", "forced", "required", "optional", "alert", "nothing"])),
                            .needed("detail", .text),
                        ]
                    )
                )
            ),
            .needed(
                "warnings",
                .array(
                    of: .answer("Warning", [.needed("code", .text), .needed("detail", .text), .needed("versions", .array(of: .version))])
                )
            ),
            .optional("omitted", .answer(nil, ["diff", "apps", "effects", "warnings"].map { .needed($0, .integer(0...)) })),
        ]
    )
}

extension JSONSchema {
    static let settingsMembers: [Member] = [
        .optional("versionScheme", word(VersionScheme.allCases.map(\.rawValue))),
        .optional("storeURL", nullable(string(PlatformSettings.storeURLLengths, pattern: "^https://"))),
        .optional("releases", array(of: version, 0...GateLimits.versions)), .optional("defaultRetryInterval", seconds),
        .optional("clients", nullable(array(of: word(ClientLibrary.allCases.map(\.rawValue)), 1...ClientLibrary.allCases.count))),
    ]

    static let aliasRequest = request(
        "AliasRequest",
        [
            .needed("path", string(Alias.pathLengths, pattern: "^/")), .needed("feed", aliasedFeed),
            .optional("platform", appKey),
        ]
    )
}
