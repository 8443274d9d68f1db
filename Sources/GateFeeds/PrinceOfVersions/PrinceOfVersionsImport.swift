import GateJSON
import GateModel

/// Takes over a version list of Prince of Versions: the config that phones without special requirements obey.
///
/// The library has no texts, no alert and no kill switch; so `alert`, `killSwitch` and `forceUpdate` stay as they are.
struct PrinceOfVersionsImport {
    private let target: Target
    /// The config's place in the file: `ios2.0`.
    private let path: String
    private let config: JSONObject

    static func read(_ name: String, _ platform: PlatformKey, _ value: JSONValue, into draft: inout ImportDraft) {
        guard let target = draft.app.platforms[platform] else { return draft.refuseUnknownPlatform(platform.text, name, value) }
        let configs: [(path: String, value: JSONValue)]
        switch value {
        case .array(let items): configs = items.enumerated().map { ("\(name).\($0.offset)", $0.element) }
        case .object where platform == .android: configs = [(name, value)]
        default: return draft.refuse(name, value, code: "malformed", "\(name) is \(value.kindInWords) and must be a list of configs.")
        }
        guard !configs.isEmpty else {
            return draft.refuse(
                name,
                value,
                code: "malformed",
                "\(name) is an empty list, which Prince of Versions takes for an error; leave it out or give it one config."
            )
        }
        // Phones obey the first config whose requirements they meet; every phone meets the first one without requirements.
        var taken: PrinceOfVersionsImport?
        // What the library does not read shuts nobody out today, and must not start to.
        var isRead = true
        for (path, value) in configs {
            // On Android phones read no further than the config that they select; on Apple platforms they read all configs or none.
            let isReached = platform != .android || taken == nil
            guard let config = value.object else {
                draft.refuse(path, value, code: "malformed", "A config is an object, not \(value.kindInWords).")
                if isReached { isRead = false }
                continue
            }
            let asksMore = config.requirements.contains { isRequirement($0, on: platform) }
            if isReached, platform != .android || !asksMore {
                isRead = refuseUnreadable(config, at: path, on: platform, into: &draft) && isRead
            }
            if asksMore {
                draft.refuse(
                    path + ".requirements",
                    config["requirements"],
                    code: "requirements_unsupported",
                    "Rules for some phones only cannot be published; this config is left out."
                )
            } else if taken == nil {
                taken = PrinceOfVersionsImport(target: target, path: path, config: config)
            } else {
                draft.warn("ignored_member", "\(path) is not taken over: no phone gets past the config before it.")
            }
        }
        if isRead { taken?.read(into: &draft) }
    }

    /// Refuses whatever keeps the library from reading the list.
    /// - Returns: whether there was nothing to refuse.
    private static func refuseUnreadable(
        _ config: JSONObject,
        at path: String,
        on platform: PlatformKey,
        into draft: inout ImportDraft
    ) -> Bool {
        let isAndroid = platform == .android
        let members =
            isAndroid
            ? PrinceOfVersionsAndroidClient.unreadableMembers(of: config) : PrinceOfVersionsAppleClient.unreadableMembers(of: config)
        for member in members {
            let isVersion = member == "required_version" || member == "last_version_available"
            let must =
                switch (member, isAndroid) {
                case (_, true) where isVersion: "a whole number without quotes, at most \(Int32.max), on Android"
                case (_, false) where isVersion: "a version in quotes on Apple platforms"
                case ("notify_last_version_frequency", true): "a text"
                case ("notify_last_version_frequency", false): "ALWAYS or ONCE, in capitals, on Apple platforms"
                case ("meta", _): "an object without lists or objects in it on Apple platforms"
                default: "an object on Apple platforms"
                }
            draft.refuse(
                "\(path).\(member)",
                config[member],
                code: isVersion ? "invalid_version" : "malformed",
                "\(member) must be \(must); for anything else Prince of Versions \(isAndroid ? "fails" : "drops the whole list") and lets everybody in."
            )
        }
        return members.isEmpty
    }

    private func read(into draft: inout ImportDraft) {
        update(.requiredUpdate, from: "required_version", as: "minimumVersion", default: "Please update the app to continue.", &draft)
        update(.optionalUpdate, from: "last_version_available", as: "optionalVersion", default: "A new version is available.", &draft)
        if draft.json(of: .optionalUpdate, on: target.key.platform) != nil,
            config["notify_last_version_frequency"]?.string?.uppercased() == "ALWAYS"
        {
            draft.warn("shown_once", "\(path) offers its update at every check; Gatehouse offers one once per version.")
        }
        let known = ["required_version", "last_version_available", "notify_last_version_frequency", "requirements"]
        draft.warnOfIgnored(config.names.filter { !known.contains($0) }, in: path)
        // Whoever wrote a requirement that the library passes over meant it.
        draft.warnOfIgnored(config.requirements.filter { !$0.value.isNull }.map(\.name), in: path + ".requirements")
    }

    private func update(_ rule: Rule, from member: String, as versionMember: String, default text: String, _ draft: inout ImportDraft) {
        let platform = target.key.platform
        let version = version(member)
        if let other = draft.json(of: rule, on: platform)?[versionMember]?.string {
            // LaunchGate's or Gandalf's part of the same document already has this rule, complete and with a text.
            if !version.isEmpty, version != other, version != PrinceVersion.text(of: other) {
                draft.warn(
                    "versions_differ",
                    "\(path).\(member) is \(version), and the other part of the file says \(other) for \(target.key); \(other) is taken."
                )
            }
            return
        }
        if version.isEmpty {
            // If the other part's rule was refused, clearing it here would turn off what stays on the target.
            if !draft.hasRefused(rule, on: platform) { draft.clear(rule, on: platform) }
            return
        }
        if rule == .optionalUpdate, draft.clearOffer(of: version, at: "\(path).\(member)", on: target) { return }
        let isForced = draft.json(of: .forceUpdate, on: platform) != nil
        if rule == .requiredUpdate, isForced, let newest = target.settings.newestRelease,
            version == newest || version == PrinceVersion.text(of: newest)
        {
            return
        }
        let present = target.gate.message(of: rule)?.json
        if present == nil {
            draft.warn(
                "default_message",
                "Prince of Versions has no texts, so the \(rule == .requiredUpdate ? "required" : "optional") update of \(target.key) says \"\(text)\" to the other libraries; edit it if need be."
            )
        }
        let json: JSONObject = [versionMember: .string(version), "message": present ?? .string(text)]
        draft.set(rule, on: target, to: json) { _ in ("\(path).\(member)", config[member] ?? .null) }
    }

    /// The version; "" if there is none or if no phone is below it. A version that the library cannot read has already been refused.
    private func version(_ member: String) -> String {
        guard let value = config[member] else { return "" }
        if let code = value.integer { return code <= 1 ? "" : String(code) }
        let text = value.string ?? ""
        return text.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") } ? "" : text
    }

    /// Whether the platform's library asks it of a phone; what asks nothing leaves the config to every phone.
    private static func isRequirement(_ member: (name: String, value: JSONValue), on platform: PlatformKey) -> Bool {
        platform == .android
            ? PrinceOfVersionsAndroidClient.isRequirement(member.name, member.value)
            : PrinceOfVersionsAppleClient.isRequirement(member.name, member.value)
    }
}

extension JSONObject {
    /// The members of a config's `requirements`.
    fileprivate var requirements: [(name: String, value: JSONValue)] { self["requirements"]?.object?.members ?? [] }
}
