public import Foundation
import GateJSON
import GateModel

extension GateDocument {
    /// How a document is decided. The defaults decide as Gatehouse means it.
    public struct DecisionOptions: Sendable {
        /// Which rule wins when several apply.
        public var ordering: GateOrdering
        /// If nil: as codes if the document says that its platform counts in version codes, or if it does not say and its rules for the
        /// platform `android` name codes only; otherwise as numbers.
        public var comparison: GateVersionComparison?
        /// Where to get the newest release, for documents that do not say.
        public var storeURL: URL?
        /// Checks for the app's own Prince of Versions requirements, by name. A requirement without a check is not satisfied.
        public var checks: [String: @Sendable (GateValue) -> Bool]
        /// Whether a server decided the document's updates for a version other than the phone's: they then say nothing about this version.
        var isForAnother = false

        public init(
            ordering: GateOrdering = .gatehouse,
            comparison: GateVersionComparison? = nil,
            storeURL: URL? = nil,
            checks: [String: @Sendable (GateValue) -> Bool] = [:]
        ) {
            self.ordering = ordering
            self.comparison = comparison
            self.storeURL = storeURL
            self.checks = checks
        }
    }

    /// What the phone shows. A pure function: the same arguments always give the same answer.
    /// - Parameters:
    ///   - seen: what the person has dismissed.
    ///   - now: the current time, for rules that have a time.
    public func decision(
        for phone: GatePhone,
        seen: GateSeen = GateSeen(),
        at now: Date,
        options: DecisionOptions = DecisionOptions()
    ) -> GateDecision {
        var gate = contents.gate
        var meta = contents.meta
        var seen = seen
        if let config = config(for: phone, checks: options.checks) {
            // Prince of Versions has no texts: the app has its own.
            if gate.requiredUpdate == nil, let version = config.required {
                gate.requiredUpdate = RequiredUpdate(minimumVersion: version, message: .text(""))
            }
            if gate.optionalUpdate == nil, let version = config.last {
                gate.optionalUpdate = OptionalUpdate(optionalVersion: version, message: .text(""))
                if config.isShownAlways { seen.acknowledged.optionalVersions = [] }
            }
            meta.merge(config.meta) { _, own in own }
        }
        let (comparison, version) = terms(for: phone, gate, options)
        let meaning = GateMeaning(
            gate,
            comparison: comparison,
            precedence: options.ordering.model,
            defaultRetryInterval: contents.retryInterval,
            storeURL: contents.storeURL
        )
        var setAside = notInForce(for: phone, at: now)
        if options.isForAnother {
            for rule in [Rule.forceUpdate, .requiredUpdate, .optionalUpdate] { setAside[rule] = .unknownVersion }
        }
        let postponed = meaning.decision(for: Phone(version: version), setAside: setAside, acknowledged: seen.postponed)
        for suppressed in postponed.suppressed where suppressed.reason == .acknowledged { setAside[suppressed.rule] = .postponed }
        let decision = meaning.decision(
            for: Phone(version: version, languages: phone.languages),
            setAside: setAside,
            acknowledged: seen.acknowledged
        )
        return GateDecision(decision, storeURL: options.storeURL, meta: meta)
    }

    /// How versions are compared, and which version of the phone is used. A dotted version is never compared with a version code.
    private func terms(for phone: GatePhone, _ gate: Gate, _ options: DecisionOptions) -> (VersionComparison, String?) {
        let comparison = options.comparison?.model ?? scheme(of: gate).comparison
        guard comparison == .code else { return (comparison, phone.version) }
        return (.code, phone.build.flatMap { VersionCode($0) == nil ? nil : $0 } ?? phone.version)
    }

    /// How the document's platform counts its versions: as the document says, or as is usual on the platform.
    private func scheme(of gate: Gate) -> VersionScheme {
        if let scheme = contents.versionScheme { return scheme }
        let versions =
            [gate.version(of: .requiredUpdate), gate.version(of: .optionalUpdate)].compactMap { $0 }
            + (gate.requiredUpdate?.blockedVersions ?? [])
        return readAs == "android" && versions.allSatisfy { VersionCode($0) != nil } ? .code : .dotted
    }

    /// The rules that are not in force now, or not on this phone.
    private func notInForce(for phone: GatePhone, at now: Date) -> [Rule: Decision.Reason] {
        let now = Timestamp(milliseconds: Int64((now.timeIntervalSince1970 * 1_000).rounded(.down)))
        var reasons: [Rule: Decision.Reason] = [:]
        for (rule, terms) in contents.terms {
            if let from = terms.from, now < from {
                reasons[rule] = .notYet
            } else if let until = terms.until, until <= now {
                reasons[rule] = .over
            } else if let percent = terms.percent, percent < 100 {
                let place = phone.installID.map { Draw.place(of: $0, rule: rule.rawValue, draw: terms.draw) } ?? 100
                if place >= percent { reasons[rule] = .notInRollout }
            }
        }
        return reasons
    }

    /// The first config of Prince of Versions whose requirements the phone and the app satisfy.
    private func config(for phone: GatePhone, checks: [String: @Sendable (GateValue) -> Bool]) -> PrinceConfig? {
        contents.configs?.first { config in
            config.requirements.allSatisfy { name, value in
                if let check = checks[name] { return check(value) }
                guard name == "required_os_version", let wanted = AppVersion(text(of: value)),
                    let own = phone.osVersion.flatMap(AppVersion.init(_:))
                else { return value == .null }
                return own >= wanted
            }
        }
    }

    /// A system version: a text, or a number such as Android's API level.
    private func text(of value: GateValue) -> String {
        switch value {
        case .string(let text), .number(let text): text
        default: ""
        }
    }
}
