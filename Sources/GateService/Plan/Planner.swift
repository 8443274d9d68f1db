import GateJSON
import GateModel

/// Turns a command into a step, based on the current catalog. Writes nothing and has no clock of its own.
struct Planner {
    var catalog: Catalog
    let environment: Environment
    /// The share of a target's polls, 0 to 1, above which a version rule that newly shuts them out is one tier more dangerous.
    let wideShare: Double
    /// When the step will happen.
    var now: Timestamp
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
        var draft = GatesDraft(commands, kind: kind, terms: terms, by: self)
        for command in commands { try draft.add(command) }
        try draft.addOwnDocuments()
        if let (app, feed) = reshaped { try draft.takeOver(feed, into: app) }
        return try draft.step()
    }

    /// All targets are checked for one kind of refusal before the next kind, in the order of refusal that the design fixes.
    private func checkRevisions(_ commands: [TargetCommand], terms: WriteTerms) throws(ServiceError) {
        for command in commands where catalog.target(command.target) == nil {
            throw .missing(command.target, at: command.pointer)
        }
        for command in commands { if case .revert(let revision) = command.action { _ = try gate(of: command.target, at: revision) } }
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
        ServiceError(
            .revisionStale,
            "stale_revision",
            "\(target.key) was changed meanwhile: you saw revision \(revision), it is now \(target.revision).",
            field: field
        ).with(\.current, target)
    }
}
