import GateFeeds
import GateJSON
import GateModel
import GateStore

/// Turns a command into a step, based on the current catalog. Writes nothing and has no clock of its own.
struct Planner {
    let catalog: Catalog
    let environment: Environment
    /// The share of a target's polls, 0 to 1, above which a version rule that newly shuts them out is one tier more dangerous.
    let wideShare: Double
    /// When the step will happen.
    let now: Timestamp
    /// Reads the gate that a target had at a revision; nil when there never was such a revision.
    let history: (TargetKey, Int) throws(ServiceError) -> Gate?
    /// The changes after a sequence, oldest first; nil when they are not all in memory. Only an apply asks.
    var news: (Int) -> [Change]? = { _ in nil }
    /// Whether the caller may know of an app; one that they may not see is not named to them.
    var sees: (AppKey) -> Bool = { _ in false }
    /// Which documents phones poll; nil where polls are not counted.
    var polls: (any PollRecord)?
    /// Whether the plan says what phones show. That is most of the work of a plan, so it is off while somebody waits for it.
    var tellsEffects = true
    /// How much of what phones show is evaluated, where it is shown or decides how dangerous a change is.
    var effectRoom = PlanEffects.room

    /// Most bytes of history for a change of several targets.
    var mostBytes = Change.mostBytes

    /// Whether phones may read the feeds in an object store, where all phones get the same answer.
    var isStored = false

    /// What the same caller's plans before this one found out.
    var effectMemory = EffectMemory()

    /// - Parameters:
    ///   - isHeld: whether everybody waits for this plan; then no model is run for it, and only what `memory` holds is known.
    mutating func limitEffects(isHeld: Bool, memory: EffectMemory) {
        tellsEffects = !isHeld
        effectRoom = isHeld ? 0 : PlanEffects.room
        effectMemory = memory
    }

    func plan(_ command: Command, terms: WriteTerms) throws(ServiceError) -> Step {
        if !catalog.sealed.isEmpty { for app in command.apps { try catalog.requireReadable(app) } }
        switch command {
        case .gates(let commands, let kind): return try plan(commands, kind: kind, terms: terms)
        case .createApp(let key, let name): return try createApp(key, name: name)
        case .editApp(let key, let name, let aliases, let seen): return try editApp(key, name: name, aliases: aliases, seen: seen)
        case .putPlatform(let key, let settings, let seen): return try putPlatform(key, settings: settings, seen: seen, terms: terms)
        case .deleteApp(let key): return try deleteApp(key)
        case .deletePlatform(let key): return try deletePlatform(key)
        case .putOwnFeed(let key, let draft): return try putOwnFeed(key, draft, terms: terms)
        case .deleteOwnFeed(let key, let name): return try deleteOwnFeed(key, name)
        case .takeOver(let key, let draft, let commands):
            return try plan(commands, kind: .import, reshaping: (key, draft), terms: terms)
        case .apply(let command): return try apply(command, terms: terms)
        }
    }

    /// - Parameter reshaped: a feed of an own shape that the same change creates, in the app that the commands are for.
    private func plan(
        _ commands: [TargetCommand],
        kind: Change.Kind,
        reshaping reshaped: (app: AppKey, draft: OwnFeedDraft)? = nil,
        terms: WriteTerms
    ) throws(ServiceError) -> Step {
        try checkRevisions(commands, terms: terms)
        var step = Step(plan: .nothing, kind: kind)
        var apps: [AppKey: App] = [:]
        var draft = PlanDraft(environment: environment, kind: kind)
        var lint = Lint(terms: terms)
        var effects = PlanEffects(room: effectRoom, memory: effectMemory, polls: polls)
        var audience = Audience(catalog: catalog, polls: polls)
        var notices = NoticeMemory(history: history)
        var openings: [Warning] = []
        var toldApart: [TargetKey] = []
        // How dangerous importing a file is depends on what its phones meet.
        let tellsEffects = tellsEffects || kind == .import
        // A single target must never be stuck with what was written on it before, and what the clock takes back must always go through.
        let isBounded = commands.count > 1 && !commands.contains(where: \.isRestoring)
        for command in commands {
            guard let target = catalog.target(command.target) else { throw .missing(command.target, at: command.pointer) }
            let settings = try self.settings(of: target, replacedBy: command.settings, at: command.editPointer)
            let gate = try self.gate(of: target, after: command, settings: settings)
            openings += openingWarnings(of: target, after: command, becoming: gate)
            // Phones that poll a file that is being taken over do not poll here yet.
            let heard = command.hosted.isEmpty && gate != target.gate ? audience.heard(on: target.key, settings) : nil
            let app = apps[target.key.app] ?? catalog.apps[target.key.app]
            let previous = self.tellsEffects ? notices.last(on: target, becoming: gate) : PreviousNotices()
            lint.add(command.findings, at: command.editPointer, isRevert: false)
            lint.add(
                FeedLint.findings(
                    before: target.gate,
                    after: gate,
                    target: target.key,
                    settings: settings,
                    heard: heard,
                    previous: previous,
                    beside: self.tellsEffects ? app?.targets(beside: target.key.platform) ?? [] : []
                ),
                at: command.editPointer,
                isRevert: kind == .revert || command.isRestoring
            )
            guard gate != target.gate || settings != target.settings else {
                // A file that matches the gates in force may still show something else on phones today.
                if tellsEffects, !command.hosted.isEmpty {
                    let side = EffectFinder.Side(gate, settings)
                    effects.add(target.key, before: side, after: side, hosted: command.hosted)
                }
                continue
            }
            let changed = ChangedTarget(
                target: target.key,
                previous: target.revision,
                revision: target.revision + 1,
                before: target.gate,
                after: gate,
                settings: settings == target.settings ? nil : SettingsChange(before: target.settings, after: settings)
            )
            let after = target.becoming(gate, settings, changed.revision)
            try checkPublication(of: after, instead: target, by: command)
            if isStored, gate.tellsPhonesApart { toldApart.append(target.key) }
            step.add(changed)
            if isBounded, step.bytes > mostBytes { throw .tooLarge(mostBytes, at: "/targets") }
            draft.add(changed, scheme: settings.versionScheme)
            draft.add(BlastRadius(of: changed, settings: settings, polls: polls), wideAbove: wideShare)
            draft.add(ShutHerd(of: changed, settings: settings, since: target.since, now: now, polls: polls))
            if tellsEffects { draft.add(effects.add(changed, settings: settings.spoken(of: heard), hosted: command.hosted), of: changed) }
            apps[target.key.app, default: catalog.apps[target.key.app]!].platforms[target.key.platform] = after
        }
        // Only for people looking at a plan; nobody should wait for it while the lock is held.
        if self.tellsEffects { draft.add(try ownDocuments(of: apps.values.sorted { $0.key < $1.key })) }
        var shapes: [Warning] = []
        if let (key, feed) = reshaped {
            guard var app = apps[key] ?? catalog.apps[key] else { throw .missing(key) }
            shapes = try takeOver(feed, into: &app, step: &step, plan: &draft, terms: terms)
            if !step.ownFeeds.isEmpty { apps[key] = app }
        }
        step.apps = apps.values.sorted { $0.key < $1.key }
        let (warnings, accepted) = try lint.result()
        step.accepted += accepted
        step.plan = draft.plan(
            effects: effects.inOrder,
            warnings: draft.radiusWarnings + openings + Self.storedWarnings(of: toldApart) + warnings + shapes + effects.warnings
                + audience.warnings
        )
        return step
    }

    /// All targets are checked for one kind of refusal before the next kind, in the order of refusal that the design fixes.
    private func checkRevisions(_ commands: [TargetCommand], terms: WriteTerms) throws(ServiceError) {
        for command in commands where catalog.target(command.target) == nil {
            throw .missing(command.target, at: command.pointer)
        }
        for command in commands where command.revision == nil {
            // A dry run of an import may omit revisions that are not known yet; a change always names what its author saw.
            if terms.dryRun, command.mayBeTriedUnseen { continue }
            throw .revisionMissing(command.target, at: command.revisionField)
        }
        for command in commands {
            guard let target = catalog.target(command.target), let revision = command.revision, revision != target.revision else {
                continue
            }
            throw .stale(target, saw: revision, at: command.revisionField)
        }
    }

    private func settings(of target: Target, replacedBy json: JSONValue?, at pointer: String) throws(ServiceError) -> PlatformSettings {
        guard let json else { return target.settings }
        var settings = target.settings
        do { try settings.apply(json: json) } catch { throw ServiceError(error, at: pointer) }
        return settings
    }

    private func gate(of target: Target, after command: TargetCommand, settings: PlatformSettings) throws(ServiceError) -> Gate {
        switch command.action {
        case .set(let edit), .restore(let edit):
            var gate = target.gate
            do {
                try gate.apply(edit, settings: settings)
                if case .set = command.action { try gate.checkSize(after: target.gate) }
            } catch { throw ServiceError(error, at: command.editPointer) }
            if gate.killSwitch != target.gate.killSwitch, let until = gate.killSwitch?.until, until <= now {
                throw .past(until, now: now, at: command.editPointer + "/killSwitch/until")
            }
            if gate.killSwitch != target.gate.killSwitch, let opening = gate.killSwitch?.opening, opening > now {
                throw .future(opening, now: now, at: command.editPointer + "/killSwitch/opening")
            }
            return gate
        case .open(let edit, let seconds):
            guard Opening.seconds.contains(seconds) else { throw .invalidOver(seconds) }
            guard let killSwitch = target.gate.killSwitch else { throw .nothingToOpen(target.key) }
            var gate = target.gate
            do {
                try gate.apply(edit, settings: settings)
                // Checked before the opening is added: letting people in is never refused as too large.
                try gate.checkSize(after: target.gate)
            } catch { throw ServiceError(error, at: command.editPointer) }
            gate.killSwitch = killSwitch.opening(at: now, over: seconds)
            return gate
        case .revert(let revision):
            guard let earlier = try history(target.key, revision) else {
                throw ServiceError(.notFound, "revision_not_found", "\(target.key) never had a revision \(revision).", field: "/revertTo")
            }
            if earlier.killSwitch != target.gate.killSwitch, let until = earlier.killSwitch?.until, until <= now {
                throw ServiceError(
                    .invalid,
                    "past_time",
                    "The kill switch of revision \(revision) ended at \(until): on the server it is \(now). To block again, set a new kill switch.",
                    field: "/revertTo"
                )
            }
            do { try earlier.check(versionsOf: settings.versionScheme) } catch {
                throw ServiceError(
                    .invalid,
                    error.code,
                    "Revision \(revision) does not fit the platform's settings any more: \(error.detail)",
                    field: "/revertTo"
                )
            }
            do { try earlier.checkSize(after: target.gate) } catch {
                throw ServiceError(
                    .invalid,
                    error.code,
                    "Revision \(revision) was made before there was a limit: \(error.detail)",
                    field: "/revertTo"
                )
            }
            var again = earlier
            // What was being opened then is opened anew; otherwise most of the people would come in at once.
            if target.gate.opening == nil { again.killSwitch = earlier.killSwitch?.openingAnew(at: now) }
            return again
        }
    }
}

extension ServiceError {
    static func tooLarge(_ limit: Int, at field: String?) -> ServiceError {
        ServiceError(
            .invalid,
            "change_too_large",
            "The history would hold more than \(limit) bytes of this change, with what each target had before; name fewer targets in one change.",
            field: field
        )
    }

    static func tooManyPlatforms(of app: AppKey, at field: String? = nil) -> ServiceError {
        ServiceError(
            .invalid,
            "too_many_platforms",
            "An app has at most \(App.mostPlatforms) platforms; delete one of \(app) first, or make another app.",
            field: field
        )
    }

    static func missing(_ app: AppKey) -> ServiceError {
        ServiceError(.notFound, "app_not_found", "There is no app \(app).")
    }

    static func missing(_ target: TargetKey, at pointer: String? = nil) -> ServiceError {
        ServiceError(.notFound, "target_not_found", "There is no target \(target).", field: pointer)
    }
}

extension ServiceError {
    static func revisionMissing(_ target: TargetKey, at field: String) -> ServiceError {
        ServiceError(
            .revisionMissing,
            "revision_required",
            "Name the revision of \(target) that you saw, so that nobody's change is overwritten unseen.",
            field: field
        )
    }

    static func past(_ time: Timestamp, now: Timestamp, at field: String) -> ServiceError {
        ServiceError(.invalid, "past_time", "\(time) is past: on the server it is \(now). Name a time that is still to come.", field: field)
    }

    static func future(_ time: Timestamp, now: Timestamp, at field: String) -> ServiceError {
        ServiceError(
            .invalid,
            "future_opening",
            "\(time) is still to come: on the server it is \(now). An opening begins when it is written; give its length in \"over\" instead.",
            field: field
        )
    }

    static func invalidOver(_ seconds: Int) -> ServiceError {
        ServiceError(
            .invalid,
            "invalid_over",
            "A gate is opened over \(Opening.seconds.lowerBound) to \(Opening.seconds.upperBound) seconds, not \(seconds).",
            field: "/over"
        )
    }

    static func nothingToOpen(_ target: TargetKey) -> ServiceError {
        ServiceError(
            .invalid,
            "nothing_to_open",
            "\(target) has no kill switch in force, so there is nothing to open gradually; leave \"over\" out to clear what else is there.",
            field: "/over"
        )
    }

    static func stale(_ target: Target, saw revision: Int, at field: String) -> ServiceError {
        var error = ServiceError(
            .revisionStale,
            "stale_revision",
            "\(target.key) was changed meanwhile: you saw revision \(revision), it is now \(target.revision).",
            field: field
        )
        error.current = target
        return error
    }
}

extension Plan {
    /// The plan of a command that changes nothing.
    static let nothing = Plan(tier: .none, confirm: nil, reasonRequired: false, diff: [], warnings: [])
}

extension Target {
    /// This target after a change; ``Target/sequence``, ``Target/since`` and ``Target/changedAt`` are filled in at the commit.
    func becoming(_ gate: Gate, _ settings: PlatformSettings, _ revision: Int) -> Target {
        var target = self
        target.gate = gate
        target.settings = settings
        target.revision = revision
        return target
    }
}

extension Timestamp {
    /// A placeholder for the time of the commit.
    static let unknown = Timestamp(milliseconds: 0)
}
