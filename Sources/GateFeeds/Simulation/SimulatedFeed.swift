import GateJSON
import GateModel

/// A target's feed as one client library has read it: read once, it says for any number of phones what they show and why.
struct SimulatedFeed {
    /// What one phone does with it.
    struct Look {
        let decision: ClientDecision
        let view: PhoneView
        /// Rules in force that are not shown, in the order of ``Rule``.
        let hidden: [Simulation.Hidden]
    }

    let library: ClientLibrary
    private let release: GandalfRelease
    private let target: Target
    private let feed: ReadFeed
    /// What the library gets when a rule is the only one; kept for the rules examined so far.
    private var alone: [Rule: (feed: ReadFeed, target: Target)] = [:]

    /// - Parameters:
    ///   - release: the release of Gandalf.
    ///   - bytes: the document that the library polls.
    init(_ library: ClientLibrary, _ release: GandalfRelease, of target: Target, _ bytes: [UInt8]) {
        self.library = library
        self.release = release
        self.target = target
        feed = ReadFeed(library, bytes, on: target.key.platform, release: release)
    }

    /// - Parameters:
    ///   - fresh: a phone with that library that has not been shown anything yet.
    ///   - seen: whether it has already shown everything that its library remembers.
    ///   - locale: the person's language.
    mutating func look(_ fresh: SimulatedPhone, seen: Bool, locale: String?) throws(ModelError) -> Look {
        let decision = (seen ? fresh.shown(feed) : fresh).decide(feed)
        let shown = Self.rule(decision, of: target)
        var view = PhoneView(decision, rule: shown, on: fresh, target: target)
        if let remark = language(locale, shown) { view.detail += " " + remark }
        var hidden: [Simulation.Hidden] = []
        for rule in Rule.allCases where target.gate.isOn(rule) && rule != shown {
            hidden.append(.init(rule: rule, detail: try reason(rule, behind: shown, fresh: fresh, seen: seen)))
        }
        return Look(decision: decision, view: view, hidden: hidden)
    }

    /// The gate's rule from which a decision follows.
    static func rule(_ decision: ClientDecision, of target: Target) -> Rule? {
        switch decision {
        case .killed: .killSwitch
        case .forced: .forceUpdate
        // If every version must update, a library without that rule is told to update to the newest release.
        case .requiredUpdate: target.gate.forceUpdate != nil && target.settings.newestRelease != nil ? .forceUpdate : .requiredUpdate
        case .optionalUpdate: .optionalUpdate
        case .alert: target.gate.killSwitch != nil ? .killSwitch : .alert
        case .proceed, .failed, .stuck, .crash: nil
        }
    }

    /// Why a rule in force is not shown, found by running the library on a gate that has no other rule.
    private mutating func reason(_ rule: Rule, behind shown: Rule?, fresh: SimulatedPhone, seen: Bool) throws(ModelError) -> String {
        guard library.knows(rule) else { return "\(library.title) has no word for \(rule.inWords)." }
        if rule == .forceUpdate, library != .bellerophon, target.settings.newestRelease == nil {
            return "No release of \(target.key) is known, so \(library.title) cannot be told to update to the newest."
        }
        let isAndroid = library == .gandalf || target.key.platform == .android
        if rule.hasVersion, isAndroid, library != .bellerophon, !target.publishesVersionCodes {
            return
                "The versions of \(target.key) are not version codes, the only versions that \(library.title) reads, so the rule is left out of its feed."
        }
        let alone = try only(rule)
        guard Self.rule(fresh.decide(alone.feed), of: alone.target) != nil else {
            guard let wanted = alone.target.gate.version(of: rule, settings: target.settings) else {
                return "It does not concern version \(fresh.version)."
            }
            let order = library == .launchgate ? " when compared as text" : ""
            return "It does not concern version \(fresh.version), which is not below \(wanted)\(order)."
        }
        if seen, wasShown(rule, fresh) { return "This phone has shown it before." }
        if let shown { return "It waits behind \(shown.inWords)." }
        guard library == .launchgate else {
            return "It is left out of the feed of \(library.title) because of the other rules that are on."
        }
        let first = LaunchGateFeed.rule(speakingFor: target.gate, settings: target.settings)
        let other = first.map { $0 == rule ? "another rule" : $0.inWords } ?? "another rule"
        return "\(library.title) looks at one rule only, and \(other) comes first, even for versions that it does not concern."
    }

    /// What the library gets if no other rule is on.
    private mutating func only(_ rule: Rule) throws(ModelError) -> (feed: ReadFeed, target: Target) {
        if let known = alone[rule] { return known }
        var target = target
        for other in Rule.allCases where other != rule { target.gate.clear(other) }
        let found = (feed: try Self.read(library, release, of: target), target: target)
        alone[rule] = found
        return found
    }

    /// Reads the document with only one of the app's targets: no library looks at the others beside it.
    /// - Throws: `unpublishable_feed` (422).
    private static func read(_ library: ClientLibrary, _ release: GandalfRelease, of target: Target) throws(ModelError) -> ReadFeed {
        let platform = target.key.platform
        do {
            let documents = try FeedRenderer.documents(of: target.gate, target.settings, platform)
            return ReadFeed(library, documents[library.feed] ?? [], on: platform, release: release)
        } catch { throw .unpublishable(error) }
    }

    /// Whether the library shows the rule at all, at once or after what it shows first.
    private func wasShown(_ rule: Rule, _ fresh: SimulatedPhone) -> Bool {
        var phone = fresh
        for _ in 0..<3 {
            let decision = phone.decide(feed)
            if Self.rule(decision, of: target) == rule { return true }
            phone.remember(decision)
        }
        return false
    }

    /// Feeds that are the same for everybody have only one text.
    private func language(_ locale: String?, _ rule: Rule?) -> String? {
        guard let locale, let rule, let found = target.gate.message(of: rule)?.text(for: [locale]).language else { return nil }
        return "There is a text in \(found), but this feed is the same for everybody and carries the default one."
    }
}

extension ModelError {
    /// The error for a gate that must not reach phones.
    static func unpublishable(_ error: FeedError) -> ModelError {
        .invalid("unpublishable_feed", "This cannot be sent to phones: \(error.detail)", field: "/set")
    }
}
