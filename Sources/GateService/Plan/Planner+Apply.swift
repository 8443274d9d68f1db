import GateFeeds
import GateModel

extension Planner {
    /// Plans the changes that make the state match a document. What already matches is not touched, so a second apply changes nothing.
    func apply(_ command: ApplyCommand, terms: WriteTerms) throws(ServiceError) -> Step {
        guard terms.dryRun || command.sequence != nil else { throw .sequenceMissing }
        var draft = ApplyDraft(catalog: catalog, now: now)
        for (index, app) in command.apps.enumerated() { draft.add(app, at: "/document/apps/\(index)", prunes: command.prunes) }
        if command.prunes {
            let named = Set(command.apps.map(\.key))
            let others = catalog.apps.values.filter { command.scope.contains($0.key) && !named.contains($0.key) }
            for app in others.sorted(by: { $0.key < $1.key }) { draft.remove(app) }
        }
        try checkNews(command, draft)
        try checkRevisions(draft)
        try checkContent(command, draft)
        try checkLimits(draft)
        try checkAliases(of: draft.apps, leaving: draft.touched)
        var audience = Audience(catalog: catalog, polls: polls)
        var heard: [TargetKey: [ClientLibrary]] = [:]
        for edit in draft.edits { heard[edit.changed.target] = audience.heard(on: edit.changed.target, edit.settings) }
        return try step(draft, lint: lint(draft, terms: terms, heard: heard), heard: heard, audience: audience)
    }

    // MARK: Checks, in the order of refusal

    /// Checks that nobody changed anything that the document changes since the caller looked.
    private func checkNews(_ command: ApplyCommand, _ draft: ApplyDraft) throws(ServiceError) {
        guard let sequence = command.sequence, sequence != catalog.sequence, !draft.touched.isEmpty else { return }
        let touched = draft.touched
        let change: Change?
        if sequence < catalog.sequence, let changes = news(sequence) {
            change = changes.last { change in
                // An apply that changed several apps without their targets names only one of them, and what an unreadable change was about
                // is not known.
                !change.apps.isDisjoint(with: touched) || change.fault != nil || (change.kind == .apply && change.app != nil)
            }
            if change == nil { return }
        } else {
            // A sequence that never existed, or one so old that the changes since are not in memory.
            change = nil
        }
        // It may be an apply that is about none of the caller's apps; then nothing is said of it.
        let known = change.flatMap { $0.apps.contains(where: sees) ? $0 : nil }
        let who = known.map { ", by \($0.actor.inWords) with change \($0.sequence)" } ?? ""
        let keys = (draft.edits.map(\.changed) + draft.removals).map(\.target)
        let recent = keys.compactMap { catalog.target($0) }.max { $0.sequence < $1.sequence }
        throw ServiceError(
            .revisionStale,
            "stale_sequence",
            "What the document changes was changed meanwhile\(who): you planned at \(sequence), it is now \(catalog.sequence). Plan again.",
            field: "/sequence"
        ).with(\.current, recent)
    }

    /// Checks that no target the document would change has moved past the revision that the document was written at: a file that does not
    /// know of somebody's block must not lift it.
    private func checkRevisions(_ draft: ApplyDraft) throws(ServiceError) {
        guard let (target, revision, pointer) = draft.outdated.first else { return }
        let others = draft.outdated.count == 1 ? "" : "; \(draft.outdated.count - 1) more moved on too"
        throw ServiceError(
            .revisionStale,
            "stale_revision",
            "The document was written at revision \(revision) of \(target.key), which is at \(target.revision) by now\(others). "
                + "Export again, or leave the revisions out to apply it all the same.",
            field: pointer
        ).with(\.current, target)
    }

    /// Checks that the document is not empty: one that lost its content must not remove everything.
    private func checkContent(_ command: ApplyCommand, _ draft: ApplyDraft) throws(ServiceError) {
        guard !command.apps.isEmpty else {
            throw ServiceError(
                .invalid,
                "empty_document",
                "The document has no app, so there is nothing to apply; delete apps by name.",
                field: "/document/apps"
            )
        }
        if draft.removesAnything, command.apps.allSatisfy(\.platforms.isEmpty) {
            throw ServiceError(
                .invalid,
                "empty_document",
                "The document has no platform at all, so nothing is removed; delete apps and platforms by name.",
                field: "/document/apps"
            )
        }
    }

    private func checkLimits(_ draft: ApplyDraft) throws(ServiceError) {
        if let refusal = draft.refusals.first { throw refusal }
        for (app, pointer) in draft.apps {
            do { try app.checkPlatforms(beside: catalog.apps[app.key]) } catch { throw ServiceError(error, at: pointer) }
            try checkOwnFeeds(of: app, before: catalog.apps[app.key], at: pointer + "/ownFeeds")
        }
    }

    private func lint(
        _ draft: ApplyDraft,
        terms: WriteTerms,
        heard: [TargetKey: [ClientLibrary]]
    ) throws(ServiceError) -> (warnings: [Warning], accepted: [String]) {
        var lint = Lint(terms: terms)
        var notices = NoticeMemory(history: history)
        let apps = Dictionary(draft.apps.map { ($0.app.key, $0.app) }, uniquingKeysWith: { $1 })
        for edit in draft.edits {
            let changed = edit.changed
            let previous = tellsEffects ? notices.last(on: catalog.target(changed.target), becoming: changed.after) : PreviousNotices()
            let findings = FeedLint.findings(
                before: changed.before,
                after: changed.after,
                target: changed.target,
                settings: edit.settings,
                heard: heard[changed.target],
                previous: previous,
                beside: !tellsEffects ? [] : apps[changed.target.app]?.targets(beside: changed.target.platform) ?? []
            )
            lint.add(findings, at: edit.pointer + "/gate", isRevert: false)
        }
        return try lint.result()
    }

    // MARK: The step

    private func step(
        _ draft: ApplyDraft,
        lint: (warnings: [Warning], accepted: [String]),
        heard: [TargetKey: [ClientLibrary]],
        audience: Audience
    ) throws(ServiceError) -> Step {
        var plan = PlanDraft(environment: environment, kind: .apply)
        var effects = PlanEffects(room: effectRoom, memory: effectMemory, polls: polls)
        addTargets(of: draft, heard: heard, to: &plan, &effects)
        let addresses = addAddresses(of: draft, to: &effects)
        plan.add(opening: effects.opened)
        for app in draft.removedApps where app.platforms.isEmpty { plan.addRemoval() }
        let ownFeeds = try addOwnFeeds(of: draft, to: &plan)
        plan.add(draft.differences)
        let alone = draft.touchedAlone
        let vanishing: [Warning] = draft.removals.isEmpty ? [] : [.feedsVanish]
        var step = Step(
            plan: plan.plan(
                effects: effects.inOrder,
                warnings: plan.radiusWarnings + lint.warnings + draft.warnings + addresses + vanishing + ownFeeds.warnings
                    + effects.warnings + audience.warnings
            ),
            kind: .apply,
            app: alone.first,
            apps: draft.apps.map(\.app).sorted { $0.key < $1.key },
            removedApps: draft.removedApps.map(\.key),
            removedTargets: draft.removals.map(\.target),
            accepted: lint.accepted,
            appsAlone: alone
        )
        step.ownFeeds = ownFeeds.edits
        for changed in draft.edits.map(\.changed) + draft.removals {
            step.add(changed)
            if step.bytes > ApplyCommand.mostBytes { throw .tooLarge(ApplyCommand.mostBytes, at: "/document/apps") }
        }
        return step
    }

    private func addTargets(
        of draft: ApplyDraft,
        heard: [TargetKey: [ClientLibrary]],
        to plan: inout PlanDraft,
        _ effects: inout PlanEffects
    ) {
        for edit in draft.edits {
            plan.add(edit.changed, scheme: edit.settings.versionScheme)
            plan.add(BlastRadius(of: edit.changed, settings: edit.settings, polls: polls), wideAbove: wideShare)
            let since = catalog.target(edit.changed.target)?.since ?? now
            plan.add(ShutHerd(of: edit.changed, settings: edit.settings, since: since, now: now, polls: polls))
            if tellsEffects || effectRoom == 0 {
                plan.add(effects.add(edit.changed, settings: edit.settings.spoken(of: heard[edit.changed.target])), of: edit.changed)
            }
        }
        let removed = Set(draft.removals.map(\.target))
        for changed in draft.removals {
            plan.addRemoval(changed)
            guard tellsEffects else { continue }
            let app = catalog.apps[changed.target.app]
            effects.addRemoval(changed, beside: app?.targets(beside: changed.target.platform).filter { !removed.contains($0.key) } ?? [])
        }
    }

    /// - Returns: what is to be said of addresses that phones still poll.
    private func addAddresses(of draft: ApplyDraft, to effects: inout PlanEffects) -> [Warning] {
        var aliases = AliasTable(draft.apps.map(\.app))
        var warnings: [Warning] = []
        for before in draft.apps.compactMap({ catalog.apps[$0.app.key] }) {
            aliases.addAltered(of: before, to: &effects)
            warnings += aliases.warnings(of: before)
        }
        aliases.addNew(before: catalog.aliasOwners, to: &effects)
        return warnings
    }

    private func addOwnFeeds(of draft: ApplyDraft, to plan: inout PlanDraft) throws(ServiceError) -> (
        edits: [OwnFeedEdit], warnings: [Warning]
    ) {
        var edits: [OwnFeedEdit] = []
        var warnings: [Warning] = []
        for (app, _) in draft.apps {
            let reshaping = try reshaping(app, before: catalog.apps[app.key])
            edits += reshaping.edits
            warnings += reshaping.warnings
            plan.add(opening: reshaping.opened)
            plan.add(reshaping.documents)
            for _ in 0..<reshaping.removals { plan.addRemoval() }
        }
        return (edits, warnings)
    }
}
