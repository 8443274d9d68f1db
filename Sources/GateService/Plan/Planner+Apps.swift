import GateFeeds
import GateJSON
import GateModel

/// Plans for apps and platforms themselves: create, rename, set, delete.
extension Planner {
    func createApp(_ key: AppKey, name: String) throws(ServiceError) -> Step {
        guard catalog.apps[key] == nil else {
            throw ServiceError(.exists, "exists", "There is an app \(key) already.", field: "/key")
        }
        do { try key.checkNew() } catch { throw ServiceError(error, at: "/key") }
        var step = Step(plan: Plan(tier: .notice, confirm: nil, reasonRequired: false, diff: [], warnings: []), kind: .create, app: key)
        do { step.apps = [App(key: key, name: try App.name(validating: name, field: "/name"))] } catch { throw ServiceError(error) }
        return step
    }

    func editApp(_ key: AppKey, name: String?, aliases: [Alias]?, seen: JSONObject?) throws(ServiceError) -> Step {
        guard var app = catalog.apps[key] else { throw .missing(key) }
        try Self.check(seen, isStill: ["name": .string(app.name), "aliases": .array(app.aliases.map(\.json))], of: key.text)
        let before = app
        do { if let name { app.name = try App.name(validating: name, field: "/name") } } catch { throw ServiceError(error) }
        if let aliases {
            app.aliases = aliases
            try checkAliases(of: [(app, "")], leaving: [key])
        }
        guard app != before else { return Step(plan: .nothing, kind: .settings, app: key) }
        // Whoever polls a removed address is let in, and whoever polls one that serves something else does what that says. This is always
        // evaluated, because it decides how dangerous the change is.
        var table = AliasTable([app])
        var effects = PlanEffects(room: effectRoom, memory: effectMemory)
        table.addAltered(of: before, to: &effects)
        table.addNew(before: catalog.aliasOwners, to: &effects)
        var draft = PlanDraft(environment: environment, kind: .settings)
        draft.add(AppDifference.between(before, app))
        draft.add(opening: effects.opened)
        return Step(
            plan: draft.plan(effects: effects.inOrder, warnings: table.warnings(of: before) + effects.warnings),
            kind: .settings,
            app: key,
            apps: [app]
        )
    }

    func putPlatform(_ key: TargetKey, settings json: JSONValue, seen: JSONObject?, terms: WriteTerms) throws(ServiceError) -> Step {
        do { _ = try SettingsEdit(json: json) } catch  where error.kind == .malformed {
            throw ServiceError(error)
        } catch {
            // A refused value is reported below, once it is known that the app exists.
        }
        guard var app = catalog.apps[key.app] else { throw .missing(key.app) }
        let before = app.platforms[key.platform]
        try Self.check(seen, isStill: before?.settings.json.object, of: key.description, now: before)
        if before == nil {
            // The key stands in the address and not in the body, so the refusal has no field.
            func refusal(_ error: ModelError) -> ServiceError { ServiceError(.invalid, error.code, error.detail) }
            do { try key.platform.checkNew() } catch { throw refusal(error) }
            guard app.platforms.count < App.mostPlatforms else { throw refusal(.tooManyPlatforms(of: key.app)) }
        }
        var settings = before?.settings ?? .standard(for: key.platform)
        do { try settings.apply(json: json) } catch { throw ServiceError(error) }
        let gate = before?.gate ?? .open
        do { try gate.check(versionsOf: settings.versionScheme) } catch {
            throw ServiceError(
                .invalid,
                error.code,
                "The gate in force does not fit these settings: \(error.detail)",
                field: "/versionScheme"
            )
        }
        guard settings != before?.settings else { return Step(plan: .nothing, kind: .settings) }
        let changed = catalog.change(of: key, to: gate, settings)
        var draft = PlanDraft(environment: environment, kind: before == nil ? .create : .settings)
        draft.add(changed, scheme: settings.versionScheme)
        var lint = Lint(terms: terms)
        var audience = Audience(catalog: catalog, polls: polls)
        let heard = audience.heard(on: key, settings)
        let findings = FeedLint.findings(
            before: gate,
            after: gate,
            target: key,
            settings: settings,
            heard: heard,
            beside: app.targets(beside: key.platform)
        )
        lint.add(findings, at: "", isRevert: false)
        app.platforms[key.platform] = catalog.target(after: changed, settings)
        try checkOwnFeeds(of: app, before: catalog.apps[key.app], at: "/versionScheme")
        let (warnings, accepted) = try lint.result()
        var effects = PlanEffects(room: effectRoom, memory: effectMemory, polls: polls)
        if tellsEffects || effectRoom == 0 { draft.add(effects.add(changed, settings: settings.spoken(of: heard)), of: changed) }
        let namesOthers = settings.clients != before?.settings.clients
        // What nobody polled for is left out of the effects, which must be said wherever there can be any; what polls without being listed
        // is said where that changes.
        let left = (gate == .open ? [] : audience.silentWarnings) + (namesOthers ? audience.unlistedWarnings : [])
        let allWarnings = warnings + effects.warnings + left
        var step = Step(
            plan: draft.plan(effects: effects.inOrder, warnings: allWarnings),
            kind: before == nil ? .create : .settings,
            apps: [app],
            accepted: accepted
        )
        step.add(changed)
        return step
    }

    func deleteApp(_ key: AppKey) throws(ServiceError) -> Step {
        guard let app = catalog.apps[key] else { throw .missing(key) }
        let targets = app.platformKeys.compactMap { app.platforms[$0] }
        return deletion(of: targets, phrase: "delete \(key)", app: key, left: nil)
    }

    func deletePlatform(_ key: TargetKey) throws(ServiceError) -> Step {
        guard var app = catalog.apps[key.app], let target = app.platforms[key.platform] else { throw .missing(key) }
        if let alias = app.aliases.first(where: { $0.platform == key.platform }) {
            throw ServiceError(.invalid, "alias_in_use", "The alias \(alias.path) serves a feed of \(key); remove the alias first.")
        }
        app.platforms[key.platform] = nil
        try checkOwnFeeds(of: app, before: catalog.apps[key.app], at: nil)
        return deletion(of: [target], phrase: "delete \(key)", app: nil, left: app)
    }

    private func deletion(of targets: [Target], phrase: String, app: AppKey?, left: App?) -> Step {
        let changed = targets.map(ChangedTarget.removal(of:))
        var diff: [FieldDifference] = []
        for target in changed {
            diff += FieldDifference.between(target.before, target.after, of: target.target)
            diff += FieldDifference.between(target.settings?.before, nil, of: target.target)
        }
        var effects = PlanEffects(room: effectRoom, memory: effectMemory, polls: polls)
        if tellsEffects {
            for target in changed { effects.addRemoval(target, beside: left?.targets(beside: target.target.platform) ?? []) }
        }
        let plan = Plan(
            tier: .many,
            confirm: phrase,
            reasonRequired: environment.isProtected,
            diff: diff,
            effects: effects.inOrder,
            warnings: [.feedsVanish] + effects.warnings
        )
        var step = Step(
            plan: plan,
            kind: .delete,
            app: targets.isEmpty ? app : nil,
            apps: left.map { [$0] } ?? [],
            removedApps: app.map { [$0] } ?? [],
            removedTargets: targets.map(\.key)
        )
        for target in changed { step.add(target) }
        return step
    }
}
