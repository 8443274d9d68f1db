package import GateJSON
package import GateModel

/// Says what a phone shows, by running the bytes that it would poll through the model of its client library.
package enum Simulator {
    /// What a phone is asked about.
    package struct Question: Sendable {
        /// Nil for the likeliest library of the platform.
        package let client: ClientLibrary?
        /// The installed version.
        package let version: String
        /// Whether the phone was shown before all that its library remembers of this gate.
        package let seen: Bool
        /// The language that the person has asked for; nil for none in particular.
        package let locale: String?

        package init(client: ClientLibrary?, version: String, seen: Bool, locale: String?) {
            self.client = client
            self.version = version
            self.seen = seen
            self.locale = locale
        }
    }

    /// - Parameters:
    ///   - app: as it stands at that moment, drafts included.
    ///   - platform: one of the app's.
    ///   - at: the moment, for the answer.
    ///   - revision: the live one, for the answer.
    /// - Throws: `invalid_client` and `invalid_version` (422); `unpublishable_feed` where a feed must not reach phones at all.
    package static func simulate(
        _ app: App, _ platform: PlatformKey, _ question: Question, at: Timestamp, revision: Int
    ) throws(ModelError) -> Simulation {
        guard let target = app.platforms[platform] else { throw .invalid("invalid_platform", "\(app.key) has no platform \(platform).", field: "/platform") }
        let libraries = ClientLibrary.reading(platform, scheme: target.settings.versionScheme)
        let library = question.client ?? libraries[0]
        guard libraries.contains(library) else {
            let names = libraries.map(\.rawValue).joined(separator: ", ")
            throw .invalid("invalid_client", "\(library.title) reads no feed of \(target.key): use \(names).", field: "/client")
        }
        let fresh = try SimulatedPhone(library, on: platform, version: question.version)
        let feed = try feed(library, of: app, platform)
        let phone = question.seen ? fresh.shown(feed) : fresh
        let decision = phone.decide(feed)
        let shown = rule(decision, of: target)
        let view = SimulatedView(decision, rule: shown, on: phone, target: target)
        var hidden: [Simulation.Hidden] = []
        for rule in Rule.allCases where target.gate.isOn(rule) && rule != shown {
            hidden.append(.init(rule: rule, detail: try reason(rule, behind: shown, of: target, app, fresh: fresh, seen: question.seen)))
        }
        return Simulation(
            target: target.key, revision: revision, client: library, clients: libraries, version: question.version, at: at, seen: question.seen,
            outcome: view.outcome, letsIn: decision.letsIn, rule: shown, presentation: view.presentation, title: view.title, message: view.message, buttons: view.buttons,
            retryInterval: view.retryInterval, detail: ([view.detail] + [language(question.locale, shown, target)].compactMap { $0 }).joined(separator: " "),
            hidden: hidden, feed: library.feed.path(for: target.key)
        )
    }

    /// The bytes that the library polls.
    private static func feed(_ library: ClientLibrary, of app: App, _ platform: PlatformKey) throws(ModelError) -> [UInt8] {
        let feeds: [RenderedFeed]
        do { feeds = try FeedRenderer.render(app) } catch { throw .invalid("unpublishable_feed", "Phones cannot be given this: \(error.detail)", field: "/set") }
        let feed = feeds.first { $0.name == library.feed && ($0.platform == nil || $0.platform == platform) }
        guard let feed else { throw .invalid("invalid_client", "\(app.key) has no feed for \(library.title).", field: "/client") }
        return feed.bytes
    }

    /// The rule of the gate that a decision comes from.
    private static func rule(_ decision: ClientDecision, of target: Target) -> Rule? {
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
    private static func reason(
        _ rule: Rule, behind shown: Rule?, of target: Target, _ app: App, fresh: SimulatedPhone, seen: Bool
    ) throws(ModelError) -> String {
        let library = fresh.library
        guard library.knows(rule) else { return "\(library.title) has no word for \(rule.inWords)." }
        if rule == .forceUpdate, library != .bellerophon, target.settings.newestRelease == nil {
            return "No release of \(target.key) is known, so \(library.title) cannot be told to update to the newest."
        }
        let isAndroid = library == .gandalf || target.key.platform == .android
        if [.requiredUpdate, .optionalUpdate].contains(rule), isAndroid, library != .bellerophon, !target.publishesVersionCodes {
            return "The versions of \(target.key) are no version codes, which \(library.title) counts in, so the rule is left out of its feed."
        }
        var alone = target
        for other in Rule.allCases where other != rule { alone.gate.clear(other) }
        let feed = try self.feed(library, of: App(key: app.key, name: app.name, platforms: [target.key.platform: alone]), target.key.platform)
        guard Self.rule(fresh.decide(feed), of: alone) != nil else {
            guard let wanted = alone.gate.version(of: rule, settings: target.settings) else { return "It does not concern version \(fresh.version)." }
            let order = library == .launchgate ? " by the order of their texts" : ""
            return "It does not concern version \(fresh.version), which is not below \(wanted)\(order)."
        }
        if seen, Self.rule(fresh.shown(feed).decide(feed), of: alone) == nil { return "This phone was shown it before." }
        if let shown { return "It waits behind \(shown.inWords)." }
        let first = LaunchGateFeed.rule(speakingFor: target.gate, settings: target.settings)
        let other = first.map { $0 == rule ? "another rule" : $0.inWords } ?? "another rule"
        return "\(library.title) looks at one rule only, and \(other) stands before it, also for versions that it does not concern."
    }

    /// Feeds that are the same for everybody have one text.
    private static func language(_ locale: String?, _ rule: Rule?, _ target: Target) -> String? {
        guard let locale, let rule, case .localized(let texts)? = target.gate.message(of: rule) else { return nil }
        let language = locale.lowercased().prefix { $0 != "-" }
        guard texts.keys.contains(where: { $0 != "default" && $0.lowercased().prefix { $0 != "-" } == language }) else { return nil }
        return "There is a text in \(locale), but this feed is the same for everybody and carries the default one."
    }
}

extension Rule {
    /// The rule inside a sentence.
    var inWords: String {
        switch self {
        case .killSwitch: "the kill switch"
        case .forceUpdate: "the forced update"
        case .requiredUpdate: "the minimum version"
        case .optionalUpdate: "the optional update"
        case .alert: "the alert"
        }
    }
}

extension Gate {
    fileprivate func message(of rule: Rule) -> Message? {
        switch rule {
        case .killSwitch: killSwitch?.message
        case .forceUpdate: forceUpdate?.message
        case .requiredUpdate: requiredUpdate?.message
        case .optionalUpdate: optionalUpdate?.message
        case .alert: alert?.message
        }
    }

    /// The version that phones are compared with; nil for a rule without one.
    fileprivate func version(of rule: Rule, settings: PlatformSettings) -> String? {
        switch rule {
        case .forceUpdate: settings.newestRelease
        case .requiredUpdate: requiredUpdate?.minimumVersion
        case .optionalUpdate: optionalUpdate?.optionalVersion
        case .killSwitch, .alert: nil
        }
    }
}
