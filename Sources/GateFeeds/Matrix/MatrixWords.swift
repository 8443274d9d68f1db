import GateJSON
import GateModel

/// Why a cell is as it is, in words for somebody who is on call at night.
struct MatrixWords {
    let library: ClientLibrary
    let version: String
    let target: Target
    /// The release of Gandalf.
    let release: GandalfRelease
    let meant: Effect.Shown
    let untargeted: SimulationMatrix.View
    /// What ``untargeted`` shows, in the terms of effects.
    let shown: Effect.Shown
    let targeted: SimulationMatrix.View

    // MARK: The feed for everybody

    /// Nil if it shows what is meant.
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
        case .letsIn where !sentence.hasBytes(of: " lets "):
            sentences.append("So \(version) gets in, but is meant \(meant == .blocked ? "to be blocked" : "to update").")
        case .shutsOut: sentences.append("So \(version) is kept out, but is meant to get in.")
        case .letsIn, .differs: break
        }
        return sentences.joined(separator: " ")
    }

    /// How two versions compare as texts: at the first character in which they differ.
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

    // MARK: The feed requested with the version

    /// Nil if the one for everybody is right.
    var cure: String? {
        guard untargeted.deviation != nil else { return nil }
        let query = Self.query(version, library.feed, on: target.key.platform)
        if targeted.deviation == nil {
            return "The targeted feed is right: requested with \(query), it \(Self.words(targeted.shown.outcome))."
        }
        if !Phone.maySend(version) || OrderedVersion(version, target.settings.versionScheme) == nil {
            return "The targeted feed is no different: \(version) is not a version that the server can compare."
        }
        if targeted.shown.outcome == untargeted.shown.outcome {
            return "The targeted feed, requested with \(query), cannot make \(library.title) show anything else either."
        }
        return "The targeted feed, requested with \(query), \(Self.words(targeted.shown.outcome)), which is not what is meant either."
    }

    /// What is appended to a feed's address; a document of a whole app needs the platform too.
    private static func query(_ version: String, _ feed: FeedName, on platform: PlatformKey) -> String {
        let version = version.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
        return "?version=\(version)" + (feed.isPerPlatform ? "" : "&platform=\(platform)")
    }

    private static func words(_ outcome: PhoneView.Outcome) -> String {
        switch outcome {
        case .open: "lets this phone in and shows nothing"
        case .notice: "shows this phone the alert"
        case .updateOffered: "offers this phone the update"
        case .updateRequired: "tells this phone to update"
        case .blocked: "blocks this phone"
        case .failed, .broken: "is of no use to this phone"
        }
    }

    /// What a targeted feed shows, and why; nil if the words for a feed for everybody fit.
    /// - Parameter rule: the rule that the feed sends, or what the library made of it.
    static func targeted(_ rule: Rule, _ decision: ClientDecision, version: String, _ target: Target) -> String? {
        switch (decision, rule) {
        case (.forced, .requiredUpdate): "Shows the required update as a forced one: \(concerned(rule, version, target))."
        case (.requiredUpdate, .forceUpdate): "Shows the forced update as a required one: it is for every version."
        case (.requiredUpdate, _): "Shows the required update: \(concerned(rule, version, target))."
        case (.optionalUpdate, _): "Offers the update, once: \(concerned(rule, version, target))."
        default: nil
        }
    }

    /// In version order, which the server uses, not in the library's order.
    private static func concerned(_ rule: Rule, _ version: String, _ target: Target) -> String {
        guard let limit = target.gate.version(of: rule), target.settings.versionScheme.isOlder(version, than: limit) else {
            return "version \(version) is blocked"
        }
        return "version \(version) is below \(limit)"
    }

    // MARK: Libraries that read the gate itself

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
        return library == .openFeature ? shown + " A flag tells the app, which draws what it likes." : shown
    }

    static func suppressed(_ reason: Decision.Reason, version: String, _ limit: String?) -> String {
        switch reason {
        case .masked(let rule): "It waits behind \(rule.inWords)."
        case .acknowledged, .postponed: "This phone has shown it before."
        case .satisfied: "It does not concern version \(version)\(limit.map { ", which is not below \($0)" } ?? "")."
        case .unknownVersion, .invalidVersion: "\(version) is not a version that can be compared."
        case .notYet, .over, .notInRollout: "It is not in force for this phone."
        }
    }
}
