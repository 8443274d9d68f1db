import GateModel

/// Why a cell is as it is, in words for who is woken by it.
struct MatrixWords {
    let library: ClientLibrary
    let version: String
    let target: Target
    /// Of Gandalf.
    let release: GandalfRelease
    let meant: Effect.Shown
    let untargeted: SimulationMatrix.View
    /// What ``untargeted`` is, as effects tell it.
    let shown: Effect.Shown
    let targeted: SimulationMatrix.View

    // MARK: The feed for everybody

    /// Nil where it shows what is meant.
    var why: String? {
        guard let deviation = untargeted.deviation else { return nil }
        let words = EffectWords(
            row: EffectFinder.Row(library: library, release: release, before: .nothing, after: shown, meant: meant),
            version: version,
            gate: target.gate,
            settings: target.settings,
            platform: target.key.platform
        )
        let sentence = words.sentence
        var sentences = [sentence]
        if let limit = words.limitOfTexts { sentences.append(Self.characters(version, limit)) }
        switch deviation {
        case .letsIn where !sentence.contains(" lets "):
            sentences.append("So \(version) gets in, and it is meant \(meant == .blocked ? "to be blocked" : "to update").")
        case .shutsOut: sentences.append("So \(version) is kept out, and it is meant to get in.")
        case .letsIn, .differs: break
        }
        return sentences.joined(separator: " ")
    }

    /// How two versions are compared as texts: at the first character in which they differ.
    private static func characters(_ version: String, _ limit: String) -> String {
        let differing = zip(version, limit).first { $0 != $1 }
        guard let (mine, theirs) = differing else {
            let (short, long) = version.utf8.count < limit.utf8.count ? (version, limit) : (limit, version)
            return "It compares character by character, and \"\(short)\" is how \"\(long)\" begins, so it comes before it."
        }
        let place = mine < theirs ? "before" : "after"
        return
            "It compares character by character: the first that differ are \"\(mine)\" and \"\(theirs)\", and \"\(mine)\" comes \(place) \"\(theirs)\"."
    }

    // MARK: The feed that is asked with the version

    /// Nil where the one for everybody is right.
    var cure: String? {
        guard untargeted.deviation != nil else { return nil }
        let query = Self.query(version, library.feed, on: target.key.platform)
        if targeted.deviation == nil { return "The targeted feed is right: asked with \(query) it \(Self.words(targeted.outcome))." }
        if !TargetedFeeds.isEchoed(version) || OrderedVersion(version, target.settings.versionScheme) == nil {
            return "The targeted feed is the same for it: \(version) is no version that the server can put in order."
        }
        if targeted.outcome == untargeted.outcome {
            return "The targeted feed, asked with \(query), cannot tell \(library.title) otherwise either."
        }
        return "The targeted feed, asked with \(query), \(Self.words(targeted.outcome)), which is not what is meant either."
    }

    /// What is put behind a feed's address; a document of a whole app is told the platform too.
    private static func query(_ version: String, _ feed: FeedName, on platform: PlatformKey) -> String {
        let version = version.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
        return "?version=\(version)" + (feed.isPerPlatform ? "" : "&platform=\(platform)")
    }

    private static func words(_ outcome: Simulation.Outcome) -> String {
        switch outcome {
        case .open: "lets this phone in and shows nothing"
        case .notice: "shows this phone the alert"
        case .updateOffered: "offers this phone the update"
        case .updateRequired: "tells this phone to update"
        case .blocked: "blocks this phone"
        case .failed, .broken: "is of no use to this phone"
        }
    }

    /// What a targeted feed shows and why; nil where the words of a feed for everybody say it.
    /// - Parameter rule: the one that it sends, or that the library made of it.
    static func targeted(_ rule: Rule, _ decision: ClientDecision, version: String, _ target: Target) -> String? {
        switch (decision, rule) {
        case (.forced, .requiredUpdate): "Shows the required update as a forced one: \(concerned(rule, version, target))."
        case (.requiredUpdate, .forceUpdate): "Shows the forced update as a required one: it is for every version."
        case (.requiredUpdate, _): "Shows the required update: \(concerned(rule, version, target))."
        case (.optionalUpdate, _): "Offers the update, once: \(concerned(rule, version, target))."
        default: nil
        }
    }

    /// By the order of versions, which the server goes by, and not the library.
    private static func concerned(_ rule: Rule, _ version: String, _ target: Target) -> String {
        guard let limit = target.gate.version(of: rule), target.settings.versionScheme.isOlder(version, than: limit) else {
            return "version \(version) is blocked by itself"
        }
        return "version \(version) is below \(limit)"
    }

    // MARK: Whoever reads the gate itself

    static func native(_ library: ClientLibrary, _ decision: Decision, version: String, _ target: Target) -> String {
        let shown: String
        switch decision.rule {
        case nil: shown = target.gate == .open ? "Shows nothing: no rule is in force." : "Shows nothing: version \(version) gets in."
        case .killSwitch: shown = "Shows the block."
        case .forceUpdate: shown = "Shows the forced update, whatever the version."
        case .requiredUpdate: shown = "Shows the required update: \(concerned(.requiredUpdate, version, target))."
        case .optionalUpdate: shown = "Offers the update: \(concerned(.optionalUpdate, version, target))."
        case .alert: shown = decision.kind == .blocked ? "Shows the alert, which blocks." : "Shows the alert."
        }
        return library == .openFeature ? shown + " The app is told it by a flag, and draws what it likes." : shown
    }

    static func suppressed(_ reason: Decision.Reason, version: String, _ limit: String?) -> String {
        switch reason {
        case .masked(let rule): "It waits behind \(rule.inWords)."
        case .acknowledged, .postponed: "This phone was shown it before."
        case .satisfied: "It does not concern version \(version)\(limit.map { ", which is not below \($0)" } ?? "")."
        case .unknownVersion, .invalidVersion: "\(version) is no version that can be put in order."
        case .notYet, .over, .notInRollout: "It is not in force for this phone."
        }
    }
}
