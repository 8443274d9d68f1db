import GateJSON
package import GateModel

/// An app's feeds for one phone, which sends its version and language in the address (design sections 3 and 9).
///
/// A feed for everybody is wrong for somebody: LaunchGate compares versions as texts and lets one rule hide another, and Bellerophon knows
/// no versions. Here the server decides by the rules alone, and sends the resulting rule in a form that makes the library decide the same
/// (wire formats section 6; 6.1 items 16, 30, 32). Made once for each published state of an app, for any number of phones and threads.
package struct TargetedFeeds: Sendable {
    /// A platform of the app, with its rules parsed once for each kind of library.
    private struct Platform: Sendable {
        let target: Target
        /// By all rules: for LaunchGate, Gandalf and the native feed.
        let whole: GateMeaning
        /// By the rules without a version: for a library that reads platform objects but cannot be sent the platform's versions.
        let versionless: GateMeaning
        /// By the rules that Bellerophon can express.
        let status: GateMeaning
        /// By the rules that Prince of Versions can express: a kill switch changes nothing there.
        let list: GateMeaning
        /// Whether any message has several languages.
        let hasLanguages: Bool

        init(_ target: Target) {
            self.target = target
            let gate = target.gate
            whole = GateMeaning(gate, settings: target.settings)
            versionless = GateMeaning(gate.with([.killSwitch, .alert]), settings: target.settings)
            status = GateMeaning(gate.with([.killSwitch, .forceUpdate, .requiredUpdate]), settings: target.settings)
            list = GateMeaning(gate.with([.forceUpdate, .requiredUpdate, .optionalUpdate]), settings: target.settings)
            hasLanguages = gate.hasLanguages
        }
    }

    private let targets: [Target]
    private let platforms: [PlatformKey: Platform]
    /// The platform to which documents of the whole app apply if none is named: the app's only one.
    package let onlyPlatform: PlatformKey?

    package init(_ app: App) {
        targets = app.targetsInFeedOrder
        platforms = Dictionary(uniqueKeysWithValues: targets.map { ($0.key.platform, Platform($0)) })
        onlyPlatform = targets.count == 1 ? targets[0].key.platform : nil
    }

    // MARK: What is sent

    /// What a feed says to a phone.
    /// - Parameter phone: a version that cannot be read, or may not be sent back, counts as none.
    /// - Returns: nil if that is what the feed says to everybody: the app does not have the platform, or nothing that matters is known
    ///   about the phone.
    package func answer(_ feed: FeedName, to phone: Phone, on key: PlatformKey) -> TargetedAnswer? {
        guard let platform = platforms[key] else { return nil }
        // Libraries on Apple's systems compare the version that people see, also where the server decides by the build.
        let shown = phone.version.flatMap { Phone.maySend($0) ? $0 : nil }
        let phone = known(phone, on: platform)
        if phone.version == nil, phone.languages.isEmpty || !platform.hasLanguages { return nil }
        var answer = TargetedAnswer(feed: feed, platform: key)
        switch feed {
        case .bellerophon: answer.status = status(phone, platform)
        case .launchgate: answer.object = object(phone, platform, shown: shown)
        case .princeOfVersions: answer.list = list(phone, platform, shown: shown)
        case .gate: answer.gate = gate(phone, platform)
        case .combined:
            answer.status = status(phone, platform)
            answer.object = object(phone, platform, shown: shown)
            answer.list = list(phone, platform, shown: shown)
        }
        return answer
    }

    /// The flags of a phone for OpenFeature; nil for a platform that the app does not have.
    package func flags(of phone: Phone, on key: PlatformKey) -> FlagEvaluation? {
        guard let platform = platforms[key] else { return nil }
        let phone = known(phone, on: platform)
        return FlagEvaluation(platform.whole.decision(for: phone), of: platform.target, for: phone)
    }

    /// The version that a phone names; nil if it names none, if the platform cannot have it, or if the app does not have the platform.
    package func version(of phone: Phone, on key: PlatformKey) -> String? { platforms[key].flatMap { known(phone, on: $0).version } }

    /// A phone with the version that a platform compares: an impossible version is dropped, and where version codes are compared, the build
    /// replaces the version that people see.
    private func known(_ phone: Phone, on platform: Platform) -> Phone {
        guard let version = phone.version else { return phone }
        let scheme = platform.target.settings.versionScheme
        func isKnown(_ text: String) -> Bool { Phone.maySend(text) && OrderedVersion(text, scheme) != nil }
        var phone = phone
        if scheme == .code, let build = phone.build, isKnown(build) {
            phone.version = build
        } else if !isKnown(version) {
            phone.version = nil
        }
        return phone
    }

    private func status(_ phone: Phone, _ platform: Platform) -> TargetedAnswer.Part {
        guard phone.version != nil else { return everything(phone, platform) }
        let decision = platform.status.decision(for: phone)
        guard let rule = decision.rule else { return .nothing }
        return .rule(rule, language: decision.language, version: nil)
    }

    private func object(_ phone: Phone, _ platform: Platform, shown: String?) -> TargetedAnswer.Part {
        guard let installed = phone.version else { return everything(phone, platform) }
        let decision = platform.whole.decision(for: phone)
        guard let rule = decision.rule else { return .nothing }
        guard let update = platform.target.update(of: rule) else { return .rule(rule, language: decision.language, version: nil) }
        let settings = platform.target.settings
        switch ObjectDialect(platform: platform.target.key.platform, scheme: settings.versionScheme) {
        case .launchGate:
            return .rule(rule, language: decision.language, version: TargetedVersion.text(update.version, above: shown ?? installed))
        case .gandalf:
            // Gandalf cannot compare the platform's versions, for this phone as for everybody; rules without a version are still sent.
            let version =
                platform.target.key.platform == .android
                ? TargetedVersion.code(update.version, above: installed)
                : TargetedVersion.code(update.version, above: installed, shown: shown ?? installed)
            guard platform.target.publishesVersionCodes, let version else {
                let decision = platform.versionless.decision(for: phone)
                return decision.rule.map { .rule($0, language: decision.language, version: nil) } ?? .nothing
            }
            return .rule(rule, language: decision.language, version: version)
        }
    }

    private func list(_ phone: Phone, _ platform: Platform, shown: String?) -> TargetedAnswer.Part {
        guard let installed = phone.version else { return .everything(languages: [:]) }
        let decision = platform.list.decision(for: phone)
        guard let rule = decision.rule, let update = platform.target.update(of: rule) else { return .nothing }
        let version =
            platform.target.key.platform == .android
            ? platform.target.publishesVersionCodes ? TargetedVersion.code(update.version, above: installed) : nil
            : TargetedVersion.threeNumbers(update.version, above: shown ?? installed)
        // Prince of Versions has no texts, so no language either.
        return version.map { .rule(rule, language: nil, version: $0) } ?? .nothing
    }

    private func gate(_ phone: Phone, _ platform: Platform) -> TargetedAnswer.Part {
        guard phone.version != nil else { return everything(phone, platform) }
        let decision = platform.whole.decision(for: phone)
        guard let rule = decision.rule else { return .nothing }
        return .rule(rule, language: decision.language, version: nil)
    }

    private func everything(_ phone: Phone, _ platform: Platform) -> TargetedAnswer.Part {
        var languages: [Rule: String] = [:]
        for rule in Rule.allCases { languages[rule] = platform.target.gate.message(of: rule)?.text(for: phone.languages).language }
        return .everything(languages: languages)
    }

    // MARK: How it is written

    /// The document for an answer.
    /// - Throws: ``FeedError`` if a value must not reach phones; publishing the app has already ruled that out.
    package func bytes(of answer: TargetedAnswer) throws(FeedError) -> [UInt8] {
        guard let platform = platforms[answer.platform] else { return [] }
        let base = platform.target
        let status = answer.status.map { BellerophonFeed.document(for: base.saying($0, in: .status)) }
        let objects = try answer.object.map { part throws(FeedError) in
            try PlatformObjects.members(of: replacing(base.saying(part, in: .object)))
        }
        let lists = try answer.list.map { part throws(FeedError) in
            try PrinceOfVersionsFeed.members(of: replacing(base.saying(part, in: .list)))
        }
        let document =
            switch answer.feed {
            case .bellerophon: status ?? [:]
            case .launchgate: objects ?? [:]
            case .princeOfVersions: lists ?? [:]
            case .combined: CombinedFeed.document(status: status ?? [:], objects: objects ?? [:], lists: lists ?? [:])
            case .gate: NativeFeed.document(for: base.saying(answer.gate ?? .nothing, in: .gate))
            }
        return JSONValue.object(document).bytes
    }

    private func replacing(_ target: Target) -> [Target] { targets.map { $0.key == target.key ? target : $0 } }
}

/// The parts of a document that are for one library each.
private enum DocumentPart {
    case status, object, list, gate
}

/// An update for which a rule asks.
private struct Update {
    /// The version to install; nil for a forced update if no release is known.
    let version: String?
}

extension Gate {
    /// This gate with only these rules.
    fileprivate func with(_ rules: Set<Rule>) -> Gate {
        var gate = self
        for rule in Rule.allCases where !rules.contains(rule) { gate.clear(rule) }
        return gate
    }
}

extension Target {
    /// What a rule asks phones to do; nil if the rule is not an update.
    fileprivate func update(of rule: Rule) -> Update? {
        switch rule {
        case .forceUpdate, .requiredUpdate, .optionalUpdate: Update(version: gate.version(of: rule, settings: settings))
        case .killSwitch, .alert: nil
        }
    }

    /// This target as it appears in one part of a document for a phone: in a form that the feeds for everybody write like any other.
    fileprivate func saying(_ part: TargetedAnswer.Part, in place: DocumentPart) -> Target {
        var target = self
        switch part {
        case .nothing: target.gate = .open
        case .everything(let languages):
            for (rule, language) in languages { target.gate.say(rule, in: language) }
        case .rule(let rule, let language, let version):
            target.gate = gate.with([rule])
            if place != .gate || language != nil { target.gate.say(rule, in: language) }
            switch (place, rule) {
            case (.status, .requiredUpdate):
                // Bellerophon knows no versions: this phone must update (6.1 item 30).
                target.gate = Gate(forceUpdate: target.gate.requiredUpdate.map { ForceUpdate(message: $0.message) })
            case (.object, .forceUpdate), (.list, .forceUpdate):
                guard let version, let message = target.gate.forceUpdate?.message else { break }
                target.gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: version, message: message))
            default:
                guard let version else { break }
                target.gate.requiredUpdate?.minimumVersion = version
                target.gate.optionalUpdate?.optionalVersion = version
            }
        }
        return target
    }
}

extension Gate {
    /// Keeps only one text of a rule's message: that in the given language, or the default one.
    fileprivate mutating func say(_ rule: Rule, in language: String?) {
        func text(_ message: Message) -> Message {
            guard let language, case .localized(let texts) = message, let text = texts[language] else { return .text(message.defaultText) }
            return .text(text)
        }
        switch rule {
        case .killSwitch: if let message = killSwitch?.message { killSwitch?.message = text(message) }
        case .forceUpdate: if let message = forceUpdate?.message { forceUpdate?.message = text(message) }
        case .requiredUpdate: if let message = requiredUpdate?.message { requiredUpdate?.message = text(message) }
        case .optionalUpdate: if let message = optionalUpdate?.message { optionalUpdate?.message = text(message) }
        case .alert: if let message = alert?.message { alert?.message = text(message) }
        }
    }
}
