import GateFeeds
import GateModel

/// The step of commands about targets' gates, gathered from one command after the other.
struct GatesDraft {
    private let planner: Planner
    private let kind: Change.Kind
    private let terms: WriteTerms
    private let isBounded: Bool
    /// Whether the models of the client libraries are run.
    private let runsModels: Bool
    private var changes: Step
    /// The apps of changed targets, as the change leaves them.
    private var apps: [AppKey: App] = [:]
    private var plan: PlanDraft
    private var lint: Lint
    private var effects: PlanEffects
    private var audience: Audience
    private var notices: NoticeMemory
    /// Warnings about targets that are being opened, and about feeds of own shapes.
    private var openings: [Warning] = []
    private var shapes: [Warning] = []
    private var endedBlocks = EndedBlocks()
    /// Targets whose gates tell phones apart, which an object store cannot.
    private var toldApart: [TargetKey] = []

    init(_ commands: [TargetCommand], kind: Change.Kind, terms: WriteTerms, by planner: Planner) {
        (self.planner, self.kind, self.terms) = (planner, kind, terms)
        // A single target must never be stuck with what was written on it before, and what the clock takes back must always go through.
        isBounded = commands.count > 1 && !commands.contains(where: \.isRestoring)
        // How dangerous a change is depends on what its phones meet. Without room nothing is evaluated, and only what is known is used.
        runsModels = planner.tellsEffects || kind == .import || planner.effectRoom == 0
        changes = Step(plan: .nothing, kind: kind)
        plan = PlanDraft(environment: planner.environment, kind: kind)
        lint = Lint(terms: terms)
        effects = PlanEffects(room: planner.effectRoom, memory: planner.effectMemory, polls: planner.polls)
        audience = Audience(catalog: planner.catalog, polls: planner.polls)
        notices = NoticeMemory(history: planner.history)
    }

    // MARK: One command

    mutating func add(_ command: TargetCommand) throws(ServiceError) {
        guard let target = planner.catalog.target(command.target) else { throw .missing(command.target, at: command.pointer) }
        let settings = try planner.settings(of: target, replacedBy: command.settings, at: command.editPointer)
        let gate = try planner.gate(of: target, after: command, settings: settings)
        openings += planner.openingWarnings(of: target, after: command, becoming: gate)
        // Phones that poll a file that is being taken over do not poll here yet.
        let heard = command.hosted.isEmpty && gate != target.gate ? audience.heard(on: target.key, settings) : nil
        addFindings(command, target, becoming: gate, settings, heard: heard)
        try endedBlocks.add(target, becoming: gate, by: command.action, history: planner.history)
        guard gate != target.gate || settings != target.settings else {
            if case .set(let edit) = command.action { changes.repeats[target.key] = edit.rules }
            // A file that matches the gates in force may still show something else on phones today.
            if runsModels, !command.hosted.isEmpty {
                let side = EffectFinder.Side(gate, settings)
                effects.add(target.key, before: side, after: side, hosted: command.hosted)
            }
            return
        }
        try change(target, to: gate, settings, heard: heard, by: command)
    }

    private mutating func addFindings(
        _ command: TargetCommand,
        _ target: Target,
        becoming gate: Gate,
        _ settings: PlatformSettings,
        heard: [ClientLibrary]?
    ) {
        lint.add(command.findings, at: command.editPointer, isRevert: false)
        // What earlier notices and the other platforms add is worked out only for people looking at a plan.
        let app = planner.tellsEffects ? apps[target.key.app] ?? planner.catalog.apps[target.key.app] : nil
        let findings = FeedLint.findings(
            before: target.gate,
            after: gate,
            target: target.key,
            settings: settings,
            heard: heard,
            previous: planner.tellsEffects ? notices.last(on: target, becoming: gate) : PreviousNotices(),
            beside: app?.targets(beside: target.key.platform) ?? []
        )
        lint.add(
            findings,
            at: command.editPointer,
            isRevert: kind == .revert || command.isRestoring,
            isConfirmed: command.isStarting
        )
    }

    private mutating func change(
        _ target: Target,
        to gate: Gate,
        _ settings: PlatformSettings,
        heard: [ClientLibrary]?,
        by command: TargetCommand
    ) throws(ServiceError) {
        let changed = planner.catalog.change(of: target.key, to: gate, settings)
        let after = planner.catalog.target(after: changed, settings)
        try planner.checkPublication(of: after, instead: target, by: command)
        if planner.isStored, gate.tellsPhonesApart { toldApart.append(target.key) }
        changes.add(changed)
        if isBounded, changes.bytes > planner.mostBytes { throw .tooLarge(planner.mostBytes, at: "/targets") }
        plan.add(changed, scheme: settings.versionScheme)
        plan.add(BlastRadius(of: changed, settings: settings, polls: planner.polls), wideAbove: planner.wideShare)
        plan.add(ShutHerd(of: changed, settings: settings, since: target.since, now: planner.now, polls: planner.polls))
        if runsModels { plan.add(effects.add(changed, settings: settings.spoken(of: heard), hosted: command.hosted), of: changed) }
        let present = planner.catalog.apps[target.key.app]!
        apps[target.key.app, default: present].platforms[target.key.platform] = after
    }

    // MARK: Feeds of own shapes

    /// Adds how the apps' documents of own shapes change. Only for people looking at a plan; nobody should wait for it while the lock is
    /// held.
    mutating func addOwnDocuments() throws(ServiceError) {
        if planner.tellsEffects { plan.add(try planner.ownDocuments(of: changedApps)) }
    }

    /// Adds a feed that the same change makes of a file.
    mutating func takeOver(_ feed: OwnFeedDraft, into key: AppKey) throws(ServiceError) {
        guard var app = apps[key] ?? planner.catalog.apps[key] else { throw .missing(key) }
        shapes = try planner.takeOver(feed, into: &app, step: &changes, plan: &plan, terms: terms)
        if !changes.ownFeeds.isEmpty { apps[key] = app }
    }

    // MARK: The step

    private var changedApps: [App] { apps.values.sorted { $0.key < $1.key } }

    /// - Throws: the first finding that stops the change.
    func step() throws(ServiceError) -> Step {
        var step = changes
        step.apps = changedApps
        let (warnings, accepted) = try lint.result()
        step.accepted += accepted
        let ours = plan.radiusWarnings + endedBlocks.warnings + openings + Planner.storedWarnings(of: toldApart)
        step.plan = plan.plan(effects: effects.inOrder, warnings: ours + warnings + shapes + effects.warnings + audience.warnings)
        return step
    }
}
