import GateModel

extension PageBody: DescribedBody where Item: DescribedBody {
    package static var schema: Schema {
        .answer((Item.schema.name ?? "Item") + "Page", [
            .needed("items", .array(of: Item.schema)), .needed("next", .nullable(.string(1...200, pattern: "^[A-Za-z0-9_-]+$"))),
        ])
    }
}

extension AppBody: DescribedBody {
    package static let schema = Schema.answer("App", [
        .needed("key", .appKey), .needed("name", .text), .needed("aliases", .array(of: .alias)),
        .needed("platforms", .map(of: .settings, names: "^[a-z0-9][a-z0-9-]{0,62}$")),
    ])
}

extension ReachBody: DescribedBody {
    package static let schema = Schema.answer("Reach", [
        .needed("pollsPerMinute", .integer(0...)), .needed("share", .nullable(.number)), .needed("secondsSinceStale", .nullable(.integer(0...))),
        .needed("confirmed", .integer(0...)), .needed("replaced", .integer(0...)), .needed("fetched", .integer(0...)),
    ])
}

extension TargetBody: DescribedBody {
    package static let schema = Schema.answer("Target", [
        .needed("app", .appKey), .needed("platform", .appKey), .needed("revision", .integer(1...)), .needed("sequence", .integer(1...)),
        .needed("state", .word(GateState.allCases.map(\.rawValue))), .needed("since", .time), .needed("gate", .gate), .needed("settings", .settings),
        .needed("feeds", .answer(nil, FeedName.allCases.map { .needed($0.rawValue, .text) })), .needed("lastChange", .nullable(Change.schema)),
        .optional("reach", ReachBody.schema),
    ])
}

extension HealthBody: DescribedBody {
    package static let schema = Schema.answer("Health", [.needed("state", .word(["ok", "degraded", "starting"])), .needed("reasons", .array(of: .text))])
}

extension StatusBody: DescribedBody {
    package static let schema = Schema.answer("Status", [
        .needed("environment", .answer("Environment", [.needed("name", .text), .needed("colour", .text), .needed("protected", .flag)])),
        .needed("version", .text), .needed("serverTime", .time), .needed("sequence", .integer(0...)), .needed("health", HealthBody.schema),
        .optional("feedsPort", .integer(1...65_535)),
    ])
}

extension EventsBody: DescribedBody {
    package static let schema = Schema.answer("Events", [
        .optional("reset", .flag), .needed("items", .array(of: Change.schema)), .needed("sequence", .integer(0...)), .needed("serverTime", .time),
        .optional("schedule", .integer(0...)), .needed("health", HealthBody.schema),
    ])
}

extension RefusedBody: DescribedBody {
    package static let schema = Schema.answer("Refused", [
        .needed("path", .text), .needed("value", .anything), .needed("code", .text), .needed("detail", .text), .optional("overridable", .flag),
    ])
}

extension ChangeResultBody: DescribedBody {
    package static let schema = Schema.answer("ChangeResult", [
        .optional("changed", .flag), .optional("change", .nullable(Change.schema)), .needed("plan", Plan.schema),
        .optional("refused", .array(of: RefusedBody.schema)), .optional("sequence", .integer(0...)),
    ])
}

extension ProblemBody: DescribedBody {
    package static let schema = Schema.answer("Problem", [
        .needed("type", .text), .needed("title", .text), .needed("status", .integer(400...599)), .needed("code", .text), .needed("detail", .text),
        .optional("field", .text), .optional("overridable", .flag), .needed("requestId", .text), .optional("current", TargetBody.schema),
        .optional("plan", Plan.schema), .optional("refused", .array(of: RefusedBody.schema)), .optional("choices", .choices),
    ])
}

extension SetupStateBody: DescribedBody {
    package static let schema = Schema.answer("SetupState", [.needed("needed", .flag)])
}

extension UserBody: DescribedBody {
    package static let schema = Schema.answer("User", [.needed("username", .text), .needed("role", .role), .needed("apps", .scope)])
}

extension SessionBody: DescribedBody {
    package static let schema = Schema.answer("Session", [
        .needed("user", UserBody.schema), .needed("csrf", .text), .needed("expiresAt", .nullable(.time)),
    ])
}

extension AccountBody: DescribedBody {
    package static let schema = Schema.answer("Account", [
        .needed("user", UserBody.schema), .needed("createdAt", .time), .needed("passwordChangedAt", .time), .needed("totp", .flag),
        .needed("recoveryCodes", .integer(0...10)), .needed("freshUntil", .time),
    ])
}

extension AccountSessionBody: DescribedBody {
    package static let schema = Schema.answer("AccountSession", [
        .needed("id", .string(32...32, pattern: "^[0-9a-f]{32}$")), .needed("current", .flag), .needed("createdAt", .time), .needed("lastSeenAt", .time),
        .needed("expiresAt", .time), .needed("address", .text), .needed("userAgent", .text),
    ])
}

extension TOTPSecretBody: DescribedBody {
    package static let schema = Schema.answer("TOTPSecret", [.needed("secret", .string(32...32, pattern: "^[A-Z2-7]{32}$")), .needed("uri", .text)])
}

extension RecoveryCodesBody: DescribedBody {
    package static let schema = Schema.answer("RecoveryCodes", [.needed("recoveryCodes", .array(of: .text, 10...10))])
}

extension PersonBody: DescribedBody {
    package static let schema = Schema.answer("Person", [
        .needed("id", .integer(1...)), .needed("username", .text), .needed("role", .role), .needed("apps", .scope), .needed("disabled", .flag),
        .needed("totp", .flag), .needed("createdAt", .time), .needed("passwordChangedAt", .time),
    ])
}

extension TokenBody: DescribedBody {
    package static let schema = Schema.answer("Token", members)

    fileprivate static let members: [Schema.Member] = [
        .needed("id", .string(8...8, pattern: "^[a-z0-9]{8}$")), .needed("name", .text), .needed("role", .role), .needed("apps", .scope),
        .needed("owner", .nullable(.text)), .needed("createdBy", .text), .needed("createdAt", .time), .needed("expiresAt", .nullable(.time)),
        .needed("lastUsedAt", .nullable(.time)), .needed("revokedAt", .nullable(.time)), .needed("active", .flag),
    ]
}

extension NewTokenBody: DescribedBody {
    package static let schema = Schema.answer("NewToken", [.needed("token", .string(63...63, pattern: "^gate_[a-z0-9]{8}_"))] + TokenBody.members)
}

extension AuditBody: DescribedBody {
    package static let schema = Schema.answer("AuditEntry", [
        .needed("sequence", .integer(1...)), .needed("at", .time), .needed("actor", .nullable(.actor)), .needed("action", .text),
        .needed("outcome", .word(AuditBody.Outcome.allCases.map(\.rawValue))), .needed("subject", .nullable(.text)), .needed("address", .nullable(.text)),
        .needed("requestId", .text), .needed("detail", .nullable(.anyObject)),
    ])
}

/// Answer to `POST /setup`.
package enum SetUpAnswer {
    package static let schema = Schema.answer("SetUp", [.needed("user", UserBody.schema)])
}
