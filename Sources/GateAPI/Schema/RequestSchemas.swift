import GateModel

extension WriteTerms {
    static let members: [Schema.Member] = [
        .optional("reason", .string()), .optional("confirm", .string()), .optional("dryRun", .flag),
        .optional("accept", .array(of: .string())),
    ]
}

extension SetupRequest: DescribedBody {
    package static let schema = Schema.request(
        "SetUpRequest",
        [.needed("code", .string()), .needed("username", .string()), .needed("password", .string())]
    )
}

extension SessionRequest: DescribedBody {
    package static let schema = Schema.request(
        "SessionRequest",
        [
            .needed("username", .string()), .needed("password", .string()), .optional("totp", .string()),
        ]
    )
}

extension ReauthenticationRequest: DescribedBody {
    package static let schema = Schema.request("ReauthenticationRequest", [.needed("password", .string()), .optional("totp", .string())])
}

extension PasswordRequest: DescribedBody {
    package static let schema = Schema.request(
        "PasswordRequest",
        [
            .needed("currentPassword", .string()), .needed("newPassword", .string(12...128)), .optional("totp", .string()),
            .optional("revokeTokens", .flag),
        ]
    )
}

extension TOTPConfirmRequest: DescribedBody {
    package static let schema = Schema.request("TOTPConfirmRequest", [.needed("code", .string())])
}

extension EmptyRequest: DescribedBody {
    package static let schema = Schema.request("EmptyRequest", [])
}

extension UserRequest: DescribedBody {
    package static let schema = Schema.request(
        "UserRequest",
        [
            .needed("username", .string(1...64, pattern: "^[A-Za-z0-9][A-Za-z0-9._@-]*$")), .needed("role", .role),
            .optional("apps", .scope),
            .needed("password", .string(12...128)),
        ]
    )
}

extension UserPatch: DescribedBody {
    package static let schema = Schema.request(
        "UserPatch",
        [
            .optional("role", .role), .optional("apps", .scope), .optional("disabled", .flag), .optional("password", .string(12...128)),
            .optional("totp", .onlyFalse),
        ]
    )
}

extension TokenRequest: DescribedBody {
    package static let schema = Schema.request(
        "TokenRequest",
        [
            .needed("name", .string(1...100)), .optional("role", .role), .optional("apps", .scope), .optional("expiresAt", .time),
        ]
    )
}

extension AppRequest: DescribedBody {
    package static let schema = Schema.request(
        "AppRequest",
        [.needed("key", .appKey), .needed("name", .string(1...100))] + WriteTerms.members
    )
}

extension AppPatch: DescribedBody {
    package static let schema = Schema.request(
        "AppPatch",
        [
            .optional("name", .string(1...100)),
            .optional("aliases", .array(of: .aliasRequest)),
        ] + WriteTerms.members
    )
}

extension SettingsRequest: DescribedBody {
    /// A `null` is a value here and not an absence: it is what clears the store's link, and nothing else may be cleared.
    package static let schema = Schema.exact(
        "SettingsRequest",
        Schema.settingsMembers + WriteTerms.members.map { .optional($0.name, .nullable($0.schema)) }
    )
}

extension Schema {
    static let settingsMembers: [Member] = [
        .optional("versionScheme", word(["dotted", "code"])), .optional("storeURL", nullable(string(1...2_000, pattern: "^https://"))),
        .optional("releases", array(of: version, 0...1_000)), .optional("defaultRetryInterval", seconds),
    ]

    static let aliasRequest = request(
        "AliasRequest",
        [
            .needed("path", string(1...200, pattern: "^/")), .needed("feed", word(FeedName.allCases.map(\.fileName))),
            .optional("platform", appKey),
        ]
    )
}

extension DeleteRequest: DescribedBody {
    package static let schema = Schema.request("DeleteRequest", WriteTerms.members)
}

extension ChangeRequest: DescribedBody {
    package static let schema = Schema.request(
        "ChangeRequest",
        [
            .needed(
                "targets",
                .array(
                    of: .request(
                        "TargetReference",
                        [
                            .needed("app", .appKey), .needed("platform", .appKey), .optional("revision", .integer(1...)),
                            .optional("set", .edit),
                        ]
                    ),
                    1...ChangeRequest.maximumTargets
                )
            ),
            .optional("set", .edit), .optional("revertTo", .integer(1...)),
        ] + WriteTerms.members
    )
}

extension ImportRequest: DescribedBody {
    package static let schema = Schema.request(
        "ImportRequest",
        [
            .needed("app", .appKey), .optional("format", .word(Format.allCases.map(\.rawValue))), .needed("document", .string()),
            .optional("platform", .appKey), .optional("skipInvalid", .flag), .optional("revisions", .map(of: .integer(0...))),
        ] + WriteTerms.members
    )
}
