package import GateJSON
package import GateModel

/// Says what a phone shows, by running the bytes that it would poll through the model of its client library.
package enum Simulator {
    /// What a phone is asked about.
    package struct Question: Sendable {
        /// Nil for the likeliest library of the platform.
        package let client: ClientLibrary?
        /// Nil for the usual one; of no other library than Gandalf.
        package let release: GandalfRelease?
        /// The installed version.
        package let version: String
        /// Whether the phone was shown before all that its library remembers of this gate.
        package let seen: Bool
        /// The language that the person has asked for; nil for none in particular.
        package let locale: String?

        package init(client: ClientLibrary?, release: GandalfRelease? = nil, version: String, seen: Bool, locale: String?) {
            self.client = client
            self.release = release
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
    ///   - polled: the libraries that seem to be in use, where the platform's settings do not say which are.
    /// - Throws: `invalid_client`, `invalid_release` and `invalid_version` (422); `unpublishable_feed` where a feed must not reach phones at all.
    package static func simulate(
        _ app: App,
        _ platform: PlatformKey,
        _ question: Question,
        at: Timestamp,
        revision: Int,
        polled: [ClientLibrary]? = nil
    ) throws(ModelError) -> Simulation {
        guard let target = app.platforms[platform] else {
            throw .invalid("invalid_platform", "\(app.key) has no platform \(platform).", field: "/platform")
        }
        let libraries = likeliest(
            ClientLibrary.reading(platform, scheme: target.settings.versionScheme),
            of: target,
            used: target.settings.clients ?? polled
        )
        let library = question.client ?? libraries[0]
        guard libraries.contains(library) else {
            let names = libraries.map(\.rawValue).joined(separator: ", ")
            throw .invalid("invalid_client", "\(library.title) reads no feed of \(target.key): use \(names).", field: "/client")
        }
        guard question.release == nil || library == .gandalf else {
            throw .invalid(
                "invalid_release",
                "Only Gandalf's releases differ: name one with the client \"gandalf\", or none.",
                field: "/release"
            )
        }
        let fresh = try SimulatedPhone(library, question.release ?? .usual, on: platform, version: question.version)
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
            target: target.key,
            revision: revision,
            client: library,
            release: question.release,
            clients: libraries,
            version: question.version,
            at: at,
            seen: question.seen,
            outcome: view.outcome,
            letsIn: decision.letsIn,
            rule: shown,
            presentation: view.presentation,
            title: view.title,
            message: view.message,
            buttons: view.buttons,
            retryInterval: view.retryInterval,
            detail: ([view.detail] + [language(question.locale, shown, target)].compactMap { $0 }).joined(separator: " "),
            hidden: hidden,
            feed: library.feed.path(for: target.key)
        )
    }

    /// First those that the app uses, as far as that is known, and among them those that can show the worst rule that is on.
    private static func likeliest(_ libraries: [ClientLibrary], of target: Target, used: [ClientLibrary]?) -> [ClientLibrary] {
        let worst = Rule.allCases.first(where: target.gate.isOn)
        let ranks = libraries.enumerated().map { place, library in
            (isUsed: used?.contains(library) ?? true, shows: worst.map(library.knows) ?? true, place: place, library: library)
        }
        return ranks.sorted { one, other in
            if one.isUsed != other.isUsed { return one.isUsed }
            return one.shows != other.shows ? one.shows : one.place < other.place
        }.map(\.library)
    }

    /// The bytes that the library polls.
    private static func feed(_ library: ClientLibrary, of app: App, _ platform: PlatformKey) throws(ModelError) -> [UInt8] {
        let feeds: [RenderedFeed]
        do { feeds = try FeedRenderer.render(app) } catch {
            throw .invalid("unpublishable_feed", "Phones cannot be given this: \(error.detail)", field: "/set")
        }
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
        _ rule: Rule,
        behind shown: Rule?,
        of target: Target,
        _ app: App,
        fresh: SimulatedPhone,
        seen: Bool
    ) throws(ModelError) -> String {
        let library = fresh.library
        guard library.knows(rule) else { return "\(library.title) has no word for \(rule.inWords)." }
        if rule == .forceUpdate, library != .bellerophon, target.settings.newestRelease == nil {
            return "No release of \(target.key) is known, so \(library.title) cannot be told to update to the newest."
        }
        let isAndroid = library == .gandalf || target.key.platform == .android
        if [.requiredUpdate, .optionalUpdate].contains(rule), isAndroid, library != .bellerophon, !target.publishesVersionCodes {
            return
                "The versions of \(target.key) are no version codes, which \(library.title) counts in, so the rule is left out of its feed."
        }
        var alone = target
        for other in Rule.allCases where other != rule { alone.gate.clear(other) }
        let feed = try self.feed(
            library,
            of: App(key: app.key, name: app.name, platforms: [target.key.platform: alone]),
            target.key.platform
        )
        guard Self.rule(fresh.decide(feed), of: alone) != nil else {
            guard let wanted = alone.gate.version(of: rule, settings: target.settings) else {
                return "It does not concern version \(fresh.version)."
            }
            let order = library == .launchgate ? " by the order of their texts" : ""
            return "It does not concern version \(fresh.version), which is not below \(wanted)\(order)."
        }
        if seen, try wasShown(rule, of: target, app, fresh) { return "This phone was shown it before." }
        if let shown { return "It waits behind \(shown.inWords)." }
        guard library == .launchgate else { return "It is left out of the feed of \(library.title) beside the other rules that are on." }
        let first = LaunchGateFeed.rule(speakingFor: target.gate, settings: target.settings)
        let other = first.map { $0 == rule ? "another rule" : $0.inWords } ?? "another rule"
        return "\(library.title) looks at one rule only, and \(other) stands before it, also for versions that it does not concern."
    }

    /// Whether the library shows the rule at all, at once or after what it shows before it.
    private static func wasShown(_ rule: Rule, of target: Target, _ app: App, _ fresh: SimulatedPhone) throws(ModelError) -> Bool {
        let feed = try self.feed(fresh.library, of: app, target.key.platform)
        var phone = fresh
        for _ in 0..<3 {
            let decision = phone.decide(feed)
            if Self.rule(decision, of: target) == rule { return true }
            phone.remember(decision)
        }
        return false
    }

    /// Feeds that are the same for everybody have one text.
    private static func language(_ locale: String?, _ rule: Rule?, _ target: Target) -> String? {
        guard let locale, let rule, case .localized(let texts)? = target.gate.message(of: rule) else { return nil }
        guard let found = LanguageLookup.best(of: texts.keys.filter { $0 != "default" }, for: [locale]) else { return nil }
        return "There is a text in \(found), but this feed is the same for everybody and carries the default one."
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
    /// The version that phones are compared with; nil for a rule without one.
    fileprivate func version(of rule: Rule, settings: PlatformSettings) -> String? {
        rule == .forceUpdate ? settings.newestRelease : version(of: rule)
    }
}
