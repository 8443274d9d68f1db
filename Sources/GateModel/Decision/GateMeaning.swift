/// What a gate means for phones, by the precedence of its rules alone: the worst rule that applies, whichever client library a phone has.
///
/// This is decided only here: for the effects of a change, for feeds that know the phone, for OpenFeature, and in Gatehouse's own client
/// library. The gate's versions are parsed once, so asking about many phones is cheap.
public struct GateMeaning: Sendable {
    private let gate: Gate
    private let comparison: VersionComparison
    private let precedence: Precedence
    private let defaultRetryInterval: Int
    private let storeURL: String?
    private let minimum: OrderedVersion?
    private let optional: OrderedVersion?
    private let blocked: Set<OrderedVersion>

    /// - Parameters:
    ///   - defaultRetryInterval: seconds after which a phone polls again if it is shut out by a rule without an interval of its own.
    ///   - storeURL: where to get the newest release.
    public init(
        _ gate: Gate,
        comparison: VersionComparison,
        precedence: Precedence = .gatehouse,
        defaultRetryInterval: Int = PlatformSettings.standardRetryInterval,
        storeURL: String? = nil
    ) {
        self.gate = gate
        self.comparison = comparison
        self.precedence = precedence
        self.defaultRetryInterval = defaultRetryInterval
        self.storeURL = storeURL
        minimum = gate.requiredUpdate.flatMap { OrderedVersion($0.minimumVersion, comparison) }
        optional = gate.optionalUpdate.flatMap { OrderedVersion($0.optionalVersion, comparison) }
        blocked = Set((gate.requiredUpdate?.blockedVersions ?? []).compactMap { OrderedVersion($0, comparison) })
    }

    public init(_ gate: Gate, scheme: VersionScheme) { self.init(gate, comparison: scheme.comparison) }

    /// The gate of a platform with these settings.
    public init(_ gate: Gate, settings: PlatformSettings) {
        self.init(
            gate,
            comparison: settings.versionScheme.comparison,
            defaultRetryInterval: settings.defaultRetryInterval,
            storeURL: settings.storeURL
        )
    }

    // MARK: What is decided

    /// What a phone shows. The same arguments give the same answer: nothing is remembered, and no clock is read.
    /// - Parameters:
    ///   - setAside: rules that are not in force for this phone, whatever its version, each with the reason: its time, or the share of
    ///     phones.
    ///   - acknowledged: what the person has dismissed.
    public func decision(
        for phone: Phone,
        setAside: [Rule: Decision.Reason] = [:],
        acknowledged: Acknowledgements = .none
    ) -> Decision {
        let version = phone.version.flatMap { OrderedVersion($0, comparison) }
        var speaking: Rule?
        var suppressed: [Decision.Suppressed] = []
        walk(version, setAside: setAside, acknowledged: acknowledged) { rule, reason in
            if let reason { suppressed.append(.init(rule: rule, reason: reason)) } else { speaking = rule }
            return true
        }
        guard let rule = speaking else { return Decision(kind: .open, storeURL: storeURL, suppressed: suppressed) }
        let kind = kind(of: rule)
        let message = gate.message(of: rule)
        let words = message?.text(for: phone.languages)
        return Decision(
            kind: kind,
            rule: rule,
            message: message,
            text: words?.text,
            language: words?.language,
            version: gate.version(of: rule),
            retryInterval: kind.shutsOut
                ? gate.killSwitch.flatMap { rule == .killSwitch ? $0.retryInterval : nil } ?? defaultRetryInterval : nil,
            until: rule == .killSwitch ? gate.killSwitch?.until : nil,
            storeURL: storeURL,
            suppressed: suppressed
        )
    }

    /// - Parameter version: nil, or a text that is not a version, is an unknown version, to which no rule about versions applies.
    public func shown(to version: String?) -> Effect.Shown { shown(to: version.flatMap { OrderedVersion($0, comparison) }) }

    package func shown(to version: OrderedVersion?) -> Effect.Shown {
        var shown = Effect.Shown.nothing
        walk(version, setAside: [:], acknowledged: .none) { rule, reason in
            guard reason == nil else { return true }
            shown = Effect.Shown(kind(of: rule))
            return false
        }
        return shown
    }

    // MARK: How

    /// Visits the rules that are on, in order: the one that is shown with a nil reason, every other one with the reason why it is not.
    /// - Parameter visit: returns false to end the walk.
    private func walk(
        _ version: OrderedVersion?,
        setAside: [Rule: Decision.Reason],
        acknowledged: Acknowledgements,
        visit: (Rule, Decision.Reason?) -> Bool
    ) {
        var first: Rule?
        for step in precedence.steps {
            guard let rule = step.rule(of: gate) else { continue }
            var reason = setAside[rule] ?? obstacle(of: rule, for: version)
            if reason == nil, isPutAway(rule, acknowledged) { reason = .acknowledged }
            // A rule that would not be shown anyway is not reported as hidden by another.
            if reason == nil, let first { reason = .masked(by: first) }
            guard visit(rule, reason) else { return }
            let hides = precedence.masksByPresence && version != nil && rule.hasVersion
            if first == nil, reason == nil || hides { first = rule }
        }
    }

    /// Why a rule does not apply to a version; nil if it does.
    private func obstacle(of rule: Rule, for version: OrderedVersion?) -> Decision.Reason? {
        switch rule {
        case .killSwitch, .forceUpdate, .alert: return nil
        case .requiredUpdate:
            guard let version else { return .unknownVersion }
            if blocked.contains(version) { return nil }
            guard let minimum else { return .invalidVersion }
            return version < minimum ? nil : .satisfied
        case .optionalUpdate:
            guard let version else { return .unknownVersion }
            guard let optional else { return .invalidVersion }
            return version < optional ? nil : .satisfied
        }
    }

    private func isPutAway(_ rule: Rule, _ acknowledged: Acknowledgements) -> Bool {
        switch rule {
        case .killSwitch, .forceUpdate, .requiredUpdate: false
        case .optionalUpdate:
            gate.optionalUpdate.map { acknowledged.hold(optionalVersion: $0.optionalVersion, comparison: comparison) } ?? false
        case .alert: gate.alert.map { !$0.blocking && acknowledged.hold(alert: $0.message) } ?? false
        }
    }

    private func kind(of rule: Rule) -> Decision.Kind {
        switch rule {
        case .killSwitch: .blocked
        case .forceUpdate: .forced
        case .requiredUpdate: .required
        case .optionalUpdate: .optional
        case .alert: gate.blockingAlert != nil ? .blocked : .alert
        }
    }
}

extension Gate {
    /// The message of a rule; nil if the rule is off.
    public func message(of rule: Rule) -> Message? {
        switch rule {
        case .killSwitch: killSwitch?.message
        case .forceUpdate: forceUpdate?.message
        case .requiredUpdate: requiredUpdate?.message
        case .optionalUpdate: optionalUpdate?.message
        case .alert: alert?.message
        }
    }

    /// The version that a rule names; nil if it is off or names none.
    public func version(of rule: Rule) -> String? {
        switch rule {
        case .requiredUpdate: requiredUpdate?.minimumVersion
        case .optionalUpdate: optionalUpdate?.optionalVersion
        case .killSwitch, .forceUpdate, .alert: nil
        }
    }
}

extension Effect.Shown {
    /// What somebody sees whose phone has made this decision.
    public init(_ kind: Decision.Kind) {
        self =
            switch kind {
            case .blocked: .blocked
            case .forced: .forced
            case .required: .required
            case .optional: .optional
            case .alert: .alert
            case .open: .nothing
            }
    }
}
