package import GateJSON

/// A plan as a document of the admin API. Effects that this version does not know, because a newer server wrote them, are left out.
extension Plan: TabledDocument {
    package static let table = FieldTable<Plan>(
        answer: "Plan",
        "A plan",
        .needed("tier", .tier, \.tier),
        .nullable("confirm", .string, \.confirm),
        .needed("reasonRequired", .flag, \.reasonRequired),
        .needed("diff", .list(of: .document), \.diff),
        // Empty for a plan that alters only gates.
        .optional("apps", .list(of: .document), \.apps, standard: []),
        // Older servers send none.
        .needed("effects", .list(of: .effect), \.told, missing: []),
        .needed("warnings", .list(of: .document), \.warnings),
        .optional("load", .document, \.load),
        .optional("omitted", .document, \.omitted)
    ) { tier, confirm, reasonRequired, diff, apps, told, warnings, load, omitted in
        let effects = told.compactMap(\.self)
        var plan = Plan(
            tier: tier,
            confirm: confirm,
            reasonRequired: reasonRequired,
            diff: diff,
            apps: apps,
            effects: effects,
            warnings: warnings,
            load: load
        )
        plan.omitted = omitted
        let strange = told.count - effects.count
        if strange > 0 {
            var left = omitted ?? .nothing
            left.effects += strange
            plan.omitted = left
        }
        return plan
    }

    private var told: [Effect?] { effects }
}

extension JSONCodec where Value == DangerTier {
    /// A tier above those known here can only be more dangerous than all of them.
    fileprivate static var tier: JSONCodec {
        JSONCodec(.integer(0...3)) { value, name throws(ModelError) in
            DangerTier(rawValue: try JSONCodec<Int>.integer(0...).read(value, name)) ?? .many
        } write: {
            .integer($0.rawValue)
        }
    }
}

extension JSONCodec where Value == Effect? {
    /// Nil for a row with a library, or with something shown, that only newer versions know.
    fileprivate static var effect: JSONCodec {
        document { row in
            row.isStrange("client", ClientLibrary.self) || ["before", "after", "meant"].contains { row.isStrange($0, Effect.Shown.self) }
        }
    }
}

extension PollLoad: TabledDocument {
    package static let table = FieldTable<PollLoad>(
        answer: "PollLoad",
        "What polls there will be",
        .needed("phones", .integer(1...), \.phones),
        .needed("pollsPerSecond", .integer(1...), \.pollsPerSecond),
        .optional("slower", .document, \.slower),
        make: PollLoad.init
    )
}

extension PollLoad.Slower: TabledDocument {
    package static let table = FieldTable<PollLoad.Slower>(
        answer: nil,
        "What a longer interval makes of it",
        .needed("retryInterval", .integer(PlatformSettings.retryIntervals), \.retryInterval),
        .needed("pollsPerSecond", .integer(1...), \.pollsPerSecond),
        make: PollLoad.Slower.init
    )
}

extension Plan.Omitted: TabledDocument {
    package static let table = FieldTable<Plan.Omitted>(
        answer: nil,
        "What is omitted",
        .needed("diff", .integer(0...), \.diff, missing: 0),
        .needed("apps", .integer(0...), \.apps, missing: 0),
        .needed("effects", .integer(0...), \.effects, missing: 0),
        .needed("warnings", .integer(0...), \.warnings, missing: 0),
        make: Plan.Omitted.init
    )
}

extension FieldDifference: TabledDocument {
    package static let table = FieldTable<FieldDifference>(
        answer: "Difference",
        "A difference",
        .target(\.target),
        .needed("field", .string, \.field),
        .nullable("before", .anything, \.before),
        .nullable("after", .anything, \.after),
        make: FieldDifference.init
    )
}

extension AppDifference: TabledDocument {
    package static let table = FieldTable<AppDifference>(
        answer: "AppDifference",
        "A difference of an app",
        .needed("app", .appKey, \.app),
        .needed("field", JSONCodec.string.described(as: .either(.word(["name", "aliases"]), .string(pattern: "^ownFeeds[.]"))), \.field),
        .nullable("before", .anything, \.before),
        .nullable("after", .anything, \.after),
        make: AppDifference.init
    )
}

extension Effect: TabledDocument {
    package static let table = FieldTable<Effect>(
        answer: "Effect",
        "An effect",
        .target(\.target),
        .needed("client", .word, \.client),
        .needed("versions", JSONCodec.list(of: .string).described(as: .array(of: .text, 1...mostVersions)), \.versions, missing: []),
        .needed("before", .word, \.before),
        .needed("after", .word, \.after),
        .needed("meant", .meantWord, \.meant),
        .needed("detail", .string, \.detail),
        make: Effect.init
    )
}

extension JSONCodec where Value == Effect.Shown {
    /// What a gate can mean, without the outcomes that only a library can cause.
    static var meantWord: JSONCodec {
        let meant = Effect.Shown.allCases.filter { ![.crash, .stuck, .rejected].contains($0) }
        return JSONCodec.word.described(as: .word(meant.map(\.rawValue)))
    }
}

extension Warning: TabledDocument {
    package static let table = FieldTable<Warning>(
        answer: "Warning",
        "A warning",
        .needed("code", .string, \.code),
        .needed("detail", .string, \.detail),
        .needed("versions", .list(of: .string(VersionScheme.lengths)), \.versions, missing: []),
        make: Warning.init
    )
}
