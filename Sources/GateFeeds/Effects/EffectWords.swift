import GateModel

/// Why a library shows what it shows, in one sentence.
struct EffectWords {
    let row: EffectFinder.Row
    /// One of the versions that the row is about.
    let version: String
    /// The gate after the change; nil for a target that is removed.
    let gate: Gate?
    let settings: PlatformSettings
    let platform: PlatformKey

    private var library: String {
        switch (row.library, row.release) {
        case (.gandalf, .upTo1_3_1): "Gandalf up to 1.3.1"
        case (.gandalf, .head): "Gandalf 1.4.1"
        default: row.library.title
        }
    }

    var sentence: String {
        guard let gate else { return "The feeds are removed: \(library) \(row.withoutFeed)." }
        if row.isAgain {
            return
                "To people who had dismissed what the file shows, \(library) shows \(Self.words(row.after)): its text or version is not spelled as in the file."
        }
        if row.after == row.meant { return asMeant }
        switch row.after {
        case .crash: return "With this document, \(library) crashes the app at every launch."
        case .stuck: return "With this document, \(library) never calls the app back."
        // All others can be let in or kept out by the same document.
        case .rejected where isUnreadable: return "\(library) cannot read the version \(version), and lets it in."
        case .rejected: return "\(library) cannot use this document, and lets everybody in."
        case .blocked, .forced, .required, .optional, .alert, .nothing: break
        }
        return other(gate)
    }

    /// Whether the library reports an error for the version, whatever the document says.
    private var isUnreadable: Bool {
        row.library == .princeOfVersions && platform != .android && PrinceOfVersionsAppleClient.Version(version) == nil
    }

    /// The limit for which LaunchGate's text order misplaces the version, if that is what ``sentence`` says.
    var limitOfTexts: String? {
        guard let gate, row.library == .launchgate else { return nil }
        return gate.versions(settings: settings).first { [order(version, $0), below(version, $0)].contains(sentence) }
    }

    private var asMeant: String {
        switch row.before {
        case .crash, .stuck: return "\(library) breaks on what it polls today; after the change it shows \(Self.words(row.after))."
        case .rejected: return "\(library) cannot use what it polls today; after the change it shows \(Self.words(row.after))."
        case .blocked where row.after == .nothing && row.library != .bellerophon && row.library != .gatekit:
            return "\(library) lets people in again; a dialog that is up stays until the app is restarted."
        default: return "\(library) showed \(Self.words(row.before)), and shows \(Self.words(row.after)) now."
        }
    }

    /// The sentence for something shown that is not what is meant.
    private func other(_ gate: Gate) -> String {
        let rule = Self.rule(meant: row.meant, gate)
        if let rule, !row.library.knows(rule) || rule == .alert && row.library == .bellerophon {
            return
                "\(library) has no word for \(rule.inWords)\(row.after.shutsOut ? "" : row.meant.shutsOut ? ", and lets everybody in" : "")."
        }
        if let rule, [.forceUpdate, .requiredUpdate, .optionalUpdate].contains(rule), row.library == .gandalf || platform == .android,
            row.library != .bellerophon,
            settings.versionScheme == .dotted
        {
            return "\(library) reads only version codes, and the versions here are dotted, so \(rule.inWords) is left out of its feed."
        }
        switch row.meant {
        case .forced: return forced
        case .required: return required(gate)
        default: break
        }
        if row.after == .required || row.after == .optional, let order = textOrder(gate) { return order }
        if row.after == .required, row.library == .princeOfVersions {
            return "\(library) compares three numbers of a version, and \(version) comes out below the minimum."
        }
        return hidden(gate)
    }

    private var forced: String {
        if row.after == .required { return "\(library) shows the forced update as a required one." }
        guard let newest = settings.newestRelease else {
            return "No release is known, so \(library) cannot be told to update to the newest."
        }
        if row.after == .blocked { return "\(library) shows the alert, which nobody can dismiss, in place of the forced update." }
        if row.library == .launchgate, version >= newest, settings.versionScheme.isOlder(version, than: newest) {
            return order(version, newest)
        }
        return "\(library) forces nobody who has \(newest), the newest release, and lets \(version) in."
    }

    private func required(_ gate: Gate) -> String {
        let minimum = gate.requiredUpdate?.minimumVersion ?? ""
        if row.after == .blocked { return "\(library) shows the alert, which nobody can dismiss, in place of the required update." }
        if !settings.versionScheme.isOlder(version, than: minimum) {
            return "A blocked version reaches only targeted and native feeds, so \(library) lets \(version) in."
        }
        if row.library == .launchgate, version >= minimum { return order(version, minimum) }
        if row.library == .princeOfVersions {
            return "\(library) compares three numbers of a version, and \(version) does not come out below \(minimum)."
        }
        return "\(library) shows \(Self.words(row.after)) in place of the required update."
    }

    /// The sentence for a version that LaunchGate's text order misplaces.
    private func textOrder(_ gate: Gate) -> String? {
        guard row.library == .launchgate else { return nil }
        let limit = gate.versions(settings: settings).first { version < $0 && !settings.versionScheme.isOlder(version, than: $0) }
        guard let limit else { return nil }
        return below(version, limit)
    }

    private func below(_ version: String, _ limit: String) -> String {
        "LaunchGate orders versions as text: \"\(version)\" is below \"\(limit)\"."
    }

    private func order(_ version: String, _ limit: String) -> String {
        "LaunchGate orders versions as text: \"\(version)\" is not below \"\(limit)\"."
    }

    /// The sentence for a rule that comes before the one that is meant, and hides it.
    private func hidden(_ gate: Gate) -> String {
        let meant = Self.words(row.meant)
        if row.library == .launchgate, row.after == .nothing, let first = LaunchGateFeed.rule(speakingFor: gate, settings: settings) {
            let limit = gate.optionalUpdate?.optionalVersion
            if first == .optionalUpdate, row.meant == .optional, let limit { return order(version, limit) }
            return "LaunchGate looks only at \(first.inWords), even for versions that it does not concern, and does not show \(meant)."
        }
        if row.library == .princeOfVersions, row.meant == .optional {
            return "\(library) compares three numbers of a version, and does not offer the update to \(version)."
        }
        if row.after == .nothing { return "\(library) shows nothing in place of \(meant)." }
        return "\(library) shows \(Self.words(row.after)) in place of \(meant)."
    }

    /// The rule of the gate that causes what is meant.
    private static func rule(meant: Effect.Shown, _ gate: Gate) -> Rule? {
        switch meant {
        case .blocked: gate.killSwitch != nil ? .killSwitch : .alert
        case .forced: .forceUpdate
        case .required: .requiredUpdate
        case .optional: .optionalUpdate
        case .alert: .alert
        case .nothing, .crash, .stuck, .rejected: nil
        }
    }

    private static func words(_ shown: Effect.Shown) -> String {
        switch shown {
        case .blocked: "the block"
        case .forced: "the forced update"
        case .required: "the required update"
        case .optional: "the optional update"
        case .alert: "the alert"
        case .nothing: "nothing"
        case .crash: "a crash"
        case .stuck: "a screen that stays"
        case .rejected: "an error"
        }
    }
}

extension EffectFinder.Row {
    /// What the library makes of an error at its address (`wire-formats.md` 5.3), as the end of a sentence about it. Apps that are running
    /// keep on the screen what is there; nearly all let in whoever starts them.
    var withoutFeed: String {
        switch library {
        case .bellerophon where before.shutsOut:
            "gets an error and asks no more: a screen that is up stays until the app is started again, and everybody else gets in"
        case .launchgate where before.shutsOut, .gandalf where before.shutsOut:
            "gets an error, and lets everybody in; a dialog that is up stays until the app is started again"
        case .bellerophon, .launchgate, .gandalf: "gets an error, and lets everybody in"
        case .princeOfVersions: "gets an error, and the app decides; most let everybody in"
        case .gatekit where before.shutsOut:
            "gets an error, and goes on asking; a phone that is shut out stays so, for a day after a new start too"
        case .gatekit: "gets an error, and lets everybody in"
        case .openFeature: "gets an error, and the app goes by the values that it has built in"
        }
    }
}
