import GateJSON
import GateModel

/// A target's feed as one client library has read it, which says for any number of phones what they show and why: read once.
struct SimulatedFeed {
    /// What one phone makes of it.
    struct Look {
        let decision: ClientDecision
        /// The rule that is shown; nil where none is.
        let rule: Rule?
        let view: SimulatedView
        /// Rules in force that are not shown, in the order of ``Rule``.
        let hidden: [Simulation.Hidden]

        var letsIn: Bool { decision.letsIn }
    }

    let library: ClientLibrary
    private let release: GandalfRelease
    private let target: Target
    private let feed: ReadFeed
    /// What the library is told where a rule is the only one, of those that were asked about.
    private var alone: [Rule: (feed: ReadFeed, target: Target)] = [:]

    /// - Parameters:
    ///   - release: of Gandalf.
    ///   - bytes: of the document that the library polls.
    init(_ library: ClientLibrary, _ release: GandalfRelease, of target: Target, _ bytes: [UInt8]) {
        self.library = library
        self.release = release
        self.target = target
        feed = ReadFeed(library, bytes, on: target.key.platform, release: release)
    }

    /// - Parameters:
    ///   - fresh: a phone of that library, which was shown nothing yet.
    ///   - seen: whether it was shown before all that its library remembers.
    ///   - locale: the language that its person has asked for.
    mutating func look(_ fresh: SimulatedPhone, seen: Bool, locale: String?) throws(ModelError) -> Look {
        let decision = (seen ? fresh.shown(feed) : fresh).decide(feed)
        let shown = Self.rule(decision, of: target)
        var view = SimulatedView(decision, rule: shown, on: fresh, target: target)
        if let remark = language(locale, shown) { view.detail += " " + remark }
        var hidden: [Simulation.Hidden] = []
        for rule in Rule.allCases where target.gate.isOn(rule) && rule != shown {
            hidden.append(.init(rule: rule, detail: try reason(rule, behind: shown, fresh: fresh, seen: seen)))
        }
        return Look(decision: decision, rule: shown, view: view, hidden: hidden)
    }

    /// The rule of the gate that a decision comes from.
    static func rule(_ decision: ClientDecision, of target: Target) -> Rule? {
        switch decision {
        case .killed: .killSwitch
        case .forced: .forceUpdate
        // Where every version must update, a library that does not know that is told to update to the newest release.
        case .requiredUpdate: target.gate.forceUpdate != nil && target.settings.newestRelease != nil ? .forceUpdate : .requiredUpdate
        case .optionalUpdate: .optionalUpdate
        case .alert: target.gate.killSwitch != nil ? .killSwitch : .alert
        case .proceed, .failed, .stuck, .crash: nil
        }
    }

    /// Why a rule in force is not shown: found out by running the library on a gate that has no other rule.
    private mutating func reason(_ rule: Rule, behind shown: Rule?, fresh: SimulatedPhone, seen: Bool) throws(ModelError) -> String {
        guard library.knows(rule) else { return "\(library.title) has no word for \(rule.inWords)." }
        if rule == .forceUpdate, library != .bellerophon, target.settings.newestRelease == nil {
            return "No release of \(target.key) is known, so \(library.title) cannot be told to update to the newest."
        }
        let isAndroid = library == .gandalf || target.key.platform == .android
        if [.requiredUpdate, .optionalUpdate].contains(rule), isAndroid, library != .bellerophon, !target.publishesVersionCodes {
            return
                "The versions of \(target.key) are no version codes, which \(library.title) counts in, so the rule is left out of its feed."
        }
        let alone = try only(rule)
        guard Self.rule(fresh.decide(alone.feed), of: alone.target) != nil else {
            guard let wanted = alone.target.gate.version(of: rule, settings: target.settings) else {
                return "It does not concern version \(fresh.version)."
            }
            let order = library == .launchgate ? " by the order of their texts" : ""
            return "It does not concern version \(fresh.version), which is not below \(wanted)\(order)."
        }
        if seen, wasShown(rule, fresh) { return "This phone was shown it before." }
        if let shown { return "It waits behind \(shown.inWords)." }
        guard library == .launchgate else { return "It is left out of the feed of \(library.title) beside the other rules that are on." }
        let first = LaunchGateFeed.rule(speakingFor: target.gate, settings: target.settings)
        let other = first.map { $0 == rule ? "another rule" : $0.inWords } ?? "another rule"
        return "\(library.title) looks at one rule only, and \(other) stands before it, also for versions that it does not concern."
    }

    /// What the library is told where no other rule is on.
    private mutating func only(_ rule: Rule) throws(ModelError) -> (feed: ReadFeed, target: Target) {
        if let known = alone[rule] { return known }
        var target = target
        for other in Rule.allCases where other != rule { target.gate.clear(other) }
        let found = (feed: try Self.read(library, release, of: target), target: target)
        alone[rule] = found
        return found
    }

    /// Reads the document of one target, without its app: what stands beside it, no library looks at.
    /// - Throws: `unpublishable_feed` (422).
    private static func read(_ library: ClientLibrary, _ release: GandalfRelease, of target: Target) throws(ModelError) -> ReadFeed {
        let platform = target.key.platform
        do {
            let documents = try FeedRenderer.documents(of: target.gate, target.settings, platform)
            return ReadFeed(library, documents[library.feed] ?? [], on: platform, release: release)
        } catch { throw .unpublishable(error) }
    }

    /// Whether the library shows the rule at all, at once or after what it shows before it.
    private func wasShown(_ rule: Rule, _ fresh: SimulatedPhone) -> Bool {
        var phone = fresh
        for _ in 0..<3 {
            let decision = phone.decide(feed)
            if Self.rule(decision, of: target) == rule { return true }
            phone.remember(decision)
        }
        return false
    }

    /// Feeds that are the same for everybody have one text.
    private func language(_ locale: String?, _ rule: Rule?) -> String? {
        guard let locale, let rule, case .localized(let texts)? = target.gate.message(of: rule) else { return nil }
        guard let found = LanguageLookup.best(of: texts.keys.filter { $0 != "default" }, for: [locale]) else { return nil }
        return "There is a text in \(found), but this feed is the same for everybody and carries the default one."
    }
}

extension ModelError {
    /// A gate that must not reach phones.
    static func unpublishable(_ error: FeedError) -> ModelError {
        .invalid("unpublishable_feed", "Phones cannot be given this: \(error.detail)", field: "/set")
    }
}

extension Gate {
    /// The version that phones are compared with; nil for a rule without one.
    fileprivate func version(of rule: Rule, settings: PlatformSettings) -> String? {
        rule == .forceUpdate ? settings.newestRelease : version(of: rule)
    }
}
