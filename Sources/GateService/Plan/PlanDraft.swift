import GateModel

/// Gathers what a change does to its targets, and says how dangerous that is and what must be typed (the tiers of the user interface's
/// table).
struct PlanDraft {
    let environment: Environment
    let kind: Change.Kind
    private var diff: [FieldDifference] = []
    /// Targets that the change shuts people out of, with the rule that does it.
    private var shutting: [(target: TargetKey, rule: Rule)] = []
    /// Targets where the change lets people in against the gate's intent, or without anybody having asked for it.
    private var opened: [TargetKey] = []
    /// How many targets, and apps without any, are removed.
    private var removals = 0
    private var apps: [AppDifference] = []
    private var changes = 0
    /// How large a share of each target's polls is shut out, as far as polls tell, in the order of its targets.
    private var radii: [BlastRadius] = []
    /// The phones that its kill switches shut out and that will ask again, with the interval in seconds.
    private var herds: [(herd: Herd, interval: Int)] = []
    /// Whether it shuts out more than the administrator's limit for an ordinary change.
    private var isWide = false

    init(environment: Environment, kind: Change.Kind) {
        self.environment = environment
        self.kind = kind
    }

    mutating func add(_ changed: ChangedTarget, scheme: VersionScheme) {
        changes += 1
        diff += FieldDifference.between(changed.before, changed.after, of: changed.target)
        if let settings = changed.settings {
            diff += FieldDifference.between(settings.before, settings.after, of: changed.target)
        }
        if let rule = rule(shuttingOutBy: changed, scheme: scheme) {
            shutting.append((changed.target, rule))
        } else if kind == .apply || kind == .import,
            DangerTier.rule(shuttingOut: changed.after, changed.before, scheme: scheme) != nil
        {
            // Whoever hands in a file does not say "open": it must be visible that the file lifts an incident's block.
            opened.append(changed.target)
        }
    }

    /// Adds what a target's phones show. A change is as dangerous as what its phones newly meet, also where no rule means it: a library
    /// that compares versions as text newly demands an update of 10.0 when the minimum goes down from 10.0 to 9.0.
    /// - Parameter effects: nil when nobody looked. For a file that is taken over the worst is then assumed; for all else the rules alone
    ///   decide, so that letting people in never takes more than one confirmation.
    mutating func add(_ effects: [Effect]?, of changed: ChangedTarget) {
        guard shutting.last?.target != changed.target, opened.last != changed.target else { return }
        if let effects {
            if let shut = effects.first(where: { $0.after.shutsOut && !$0.before.shutsOut }) {
                shutting.append((changed.target, Self.rule(behind: shut, of: changed.after)))
            } else if kind == .settings, effects.contains(where: { $0.before.shutsOut && $0.grade == .letsIn }) {
                // Without its known releases, a forced update reaches fewer libraries: their phones get in, and no rule says so.
                opened.append(changed.target)
            }
        } else if kind == .import, changed.after.shutsSomebodyOut {
            shutting.append((changed.target, .alert))
        }
    }

    /// The rule that phones show where they are shut out; the least of them for a library that fails.
    private static func rule(behind effect: Effect, of gate: Gate) -> Rule {
        switch effect.after {
        case .blocked: gate.killSwitch == nil ? .alert : .killSwitch
        case .forced: .forceUpdate
        case .required: .requiredUpdate
        case .optional, .alert, .nothing, .crash, .stuck, .rejected: .alert
        }
    }

    /// Adds targets whose phones are let in although their gate still shuts them out.
    mutating func add(opening targets: [TargetKey]) {
        let counted = Set(shutting.map(\.target)).union(opened)
        opened += targets.filter { !counted.contains($0) }
    }

    /// Adds a target that is removed: the most dangerous change there is, whatever its gate was.
    mutating func addRemoval(_ changed: ChangedTarget) {
        changes += 1
        removals += 1
        diff += FieldDifference.between(changed.before, changed.after, of: changed.target)
        diff += FieldDifference.between(changed.settings?.before, nil, of: changed.target)
    }

    /// Adds the removal of an app without platforms, or of a feed of an own shape; it counts as a target's does.
    mutating func addRemoval() {
        changes += 1
        removals += 1
    }

    /// Adds changes of names and aliases, which keep nobody out.
    mutating func add(_ differences: [AppDifference]) {
        changes += differences.count
        apps += differences
    }

    /// Adds a target's blast radius; a wide one raises the tier by one. A rule that shuts out every version anyway has the right tier
    /// already.
    /// - Parameters:
    ///   - radius: nil for a target with nothing to report.
    ///   - share: the share of the polls, 0 to 1, above which it is wide.
    mutating func add(_ radius: BlastRadius?, wideAbove share: Double) {
        guard let radius else { return }
        radii.append(radius)
        // Polls that may be shut out count as shut out: whoever invents versions must not make a change look harmless.
        if !radius.isEverybody, let shut = radius.share, shut.upperBound > share { isWide = true }
    }

    /// - Parameter herd: nil for a target with no phones known to ask again.
    mutating func add(_ herd: ShutHerd?) {
        if let herd { herds.append((herd.herd, herd.interval)) }
    }

    var radiusWarnings: [Warning] { radii.map(\.warning) }

    func plan(effects: [Effect] = [], warnings: [Warning]) -> Plan {
        let plainTier: DangerTier =
            changes == 0
            ? .none : removals > 0 || shutting.count + opened.count > 1 ? .many : shutting.isEmpty && opened.isEmpty ? .notice : .block
        let tier = isWide && plainTier == .block ? .many : plainTier
        let confirm: String? =
            switch tier {
            case .none, .notice: nil
            case .block: environment.isProtected ? (shutting.first?.target ?? opened[0]).description : nil
            case .many: ConfirmationPhrase.many(verb, shutting.count + opened.count + removals)
            }
        var plan = Plan(
            tier: tier,
            confirm: confirm,
            reasonRequired: environment.isProtected && tier >= .block,
            diff: diff,
            apps: apps,
            effects: effects,
            warnings: warnings,
            load: PollLoad(herds)
        )
        if tier >= .block { plan.verb = verb }
        return plan
    }

    private var verb: String {
        switch kind {
        case .import: "import"
        case .apply: "apply"
        case .revert: "revert"
        case _ where !opened.isEmpty: "open"
        case .set, .settings, .create, .delete, .restore:
            switch shutting.map(\.rule).min(by: { Rule.allCases.firstIndex(of: $0)! < Rule.allCases.firstIndex(of: $1)! }) {
            case .killSwitch: "kill"
            case .forceUpdate: "force"
            case .requiredUpdate: "require"
            case .alert, .optionalUpdate, nil: "alert"
            }
        }
    }

    private func rule(shuttingOutBy changed: ChangedTarget, scheme: VersionScheme) -> Rule? {
        if let rule = DangerTier.rule(shuttingOut: changed.before, changed.after, scheme: scheme) { return rule }
        guard let before = changed.settings?.before, let after = changed.settings?.after else { return nil }
        // A higher newest release raises what a forced update demands of everybody; the first one makes feeds carry it that did not before.
        if changed.after.forceUpdate != nil, let newest = after.newestRelease,
            before.newestRelease.map({ scheme.isOlder($0, than: newest) }) ?? true
        {
            return .forceUpdate
        }
        // Feeds leave out values that are not in their library's scheme, so another scheme can publish a rule that no phone has met so far.
        guard before.versionScheme != after.versionScheme else { return nil }
        return changed.after.forceUpdate != nil ? .forceUpdate : changed.after.requiredUpdate != nil ? .requiredUpdate : nil
    }
}
