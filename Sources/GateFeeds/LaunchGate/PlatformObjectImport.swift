import GateJSON
import GateModel

/// Takes over a platform object of LaunchGate's or Gandalf's file, read as the library of that platform reads it.
///
/// A rule that the object lacks is cleared; such a file cannot contain `killSwitch` and `forceUpdate`, so these stay.
struct PlatformObjectImport {
    private let name: String
    private let object: JSONObject
    private let target: Target
    private let reader: ObjectDialect

    static func read(_ name: String, _ value: JSONValue, into draft: inout ImportDraft) {
        guard let platform = PlatformKey(name), let target = draft.app.platforms[platform] else {
            return draft.refuseUnknownPlatform(name, name, value)
        }
        guard let object = value.isNull ? [:] : value.object else {
            return draft.refuse(
                name,
                value,
                code: "malformed",
                "\(name) is \(value.kindInWords) and must be an object of rules; an idle platform is {}."
            )
        }
        let reader = ObjectDialect(platform: platform, scheme: target.settings.versionScheme)
        PlatformObjectImport(name: name, object: object, target: target, reader: reader).read(into: &draft)
    }

    private func read(into draft: inout ImportDraft) {
        update(.requiredUpdate, version: "minimumVersion", &draft)
        update(.optionalUpdate, version: "optionalVersion", &draft)
        alert(&draft)
        hideUnread(&draft)
        draft.warnOfIgnored(object.names.filter { name in !ImportParts.ruleNames.contains { $0.rawValue == name } }, in: name)
    }

    /// What the library does not look at shuts nobody out today, and must not start to.
    private func hideUnread(_ draft: inout ImportDraft) {
        switch unread {
        case .nothing: break
        case .everything(let why):
            for rule in ImportParts.ruleNames { hide(rule, "\(why), so nobody sees \(rule.rawValue) today", &draft) }
        case .alert(let first):
            guard let alert = draft.json(of: .alert, on: target.key.platform), alert["blocking"] == .bool(true),
                // The kill switch's second appearance is not a rule of its own.
                alert["message"] != draft.json(of: .killSwitch, on: target.key.platform)?["message"]
            else { return }
            hide(.alert, "beside \(first.rawValue) LaunchGate never looks at the alert, so it blocks nobody today", &draft)
        }
    }

    private func hide(_ rule: Rule, _ why: String, _ draft: inout ImportDraft) {
        draft.hide(rule, on: target, at: "\(name).\(rule.rawValue)", object[rule.rawValue], because: why)
    }

    /// The rules of an object that its library does not look at.
    private enum Unread {
        case nothing
        /// With the reason.
        case everything(String)
        /// The alert, for the rule before it.
        case alert(Rule)
    }

    private var unread: Unread {
        let file = JSONValue.object(JSONObject(uniqueMembers: [(name, .object(object))])).bytes
        let platform = target.key.platform
        switch reader {
        case .launchGate:
            switch LaunchGateClient.read(file, platform: platform) {
            case .rejected(let reason): return .everything("LaunchGate drops the whole file because \(reason)")
            case .accepted(let rules):
                return rules.requiredUpdate != nil
                    ? .alert(.requiredUpdate) : rules.optionalUpdate != nil ? .alert(.optionalUpdate) : .nothing
            }
        // Where versions are dotted, no app reads the file with Gandalf.
        case .gandalf where target.settings.versionScheme == .dotted: return .nothing
        case .gandalf:
            switch GandalfClient.read(file, platform: platform) {
            case .noPlatform: return .nothing
            case .syntaxError: return .everything("Gandalf cannot read the file")
            case .accepted(let rules):
                guard let version = rules.requiredUpdate?.version, !isOff(version), GandalfClient.javaInteger(version) == nil else {
                    return .nothing
                }
                return .everything("Gandalf gets no further than a minimumVersion that is no version code")
            }
        }
    }

    private func update(_ rule: Rule, version member: String, _ draft: inout ImportDraft) {
        guard let source = source(rule, &draft) else { return }
        guard let version = text(source, member, rule, &draft) else { return }
        if isOff(version) { return turnOff(rule, "an empty \(member)", &draft) }
        guard let message = message(source, rule, &draft) else { return }
        if message.isEmpty, reader == .launchGate { return turnOff(rule, "an empty message", &draft) }
        if rule == .optionalUpdate, draft.clearOffer(of: version, at: "\(name).\(rule.rawValue).\(member)", on: target) { return }
        draft.set(rule, on: target, to: [member: .string(version), "message": .string(message)], origin: origin(rule, source))
    }

    private func alert(_ draft: inout ImportDraft) {
        guard let source = source(.alert, &draft), let message = message(source, .alert, &draft) else { return }
        guard let blocking = blocking(source["blocking"]) else {
            return refuse(.alert, "blocking", source["blocking"], "blocking must be true or false", &draft)
        }
        if message.isEmpty, reader == .launchGate { return turnOff(.alert, "an empty message", &draft) }
        draft.set(.alert, on: target, to: ["message": .string(message), "blocking": .bool(blocking)], origin: origin(.alert, source))
    }

    /// The rule's object. Nil if there is none, which clears the rule, or if it is something else, which is refused.
    private func source(_ rule: Rule, _ draft: inout ImportDraft) -> JSONObject? {
        guard let value = object[rule.rawValue], !value.isNull else {
            draft.clear(rule, on: target.key.platform)
            return nil
        }
        if let object = value.object { return object }
        draft.refuse(
            "\(name).\(rule.rawValue)",
            value,
            code: "malformed",
            "\(rule.rawValue) is \(value.kindInWords) and must be an object; leave it out to turn it off."
        )
        return nil
    }

    /// A version as its library reads it; "" if it turns the rule off; nil if it was refused.
    private func text(_ source: JSONObject, _ member: String, _ rule: Rule, _ draft: inout ImportDraft) -> String? {
        switch (source[member], reader) {
        case (.string(let text), _): return text
        case (nil, .gandalf), (.null, .gandalf): return ""
        case (.number(let text), .gandalf): return text
        default:
            refuse(rule, member, source[member], "\(member) must be a version in quotes", &draft)
            return nil
        }
    }

    /// A message as its library reads it; nil if it was refused. A missing one is refused too: LaunchGate drops the whole feed for it, and
    /// Gandalf shows a blank dialog.
    private func message(_ source: JSONObject, _ rule: Rule, _ draft: inout ImportDraft) -> String? {
        switch (source["message"], reader) {
        case (.string(let text), _): return text
        case (.number(let text), .gandalf): return text
        case (.bool(let flag), .gandalf): return flag ? "true" : "false"
        default:
            refuse(rule, "message", source["message"], "message must be a text", &draft)
            return nil
        }
    }

    private func blocking(_ value: JSONValue?) -> Bool? {
        switch (value, reader) {
        case (.bool(let flag), _): flag
        case (.number, .launchGate): AppleJSON.flag(value)
        case (nil, .gandalf), (.null, .gandalf): false
        case (.string(let word), .gandalf): word.lowercased() == "true"
        default: nil
        }
    }

    /// LaunchGate drops a rule with an empty version; Gandalf ignores one with a blank version.
    private func isOff(_ version: String) -> Bool { reader == .launchGate ? version.isEmpty : GandalfClient.isBlank(version) }

    private func turnOff(_ rule: Rule, _ why: String, _ draft: inout ImportDraft) {
        draft.clear(rule, on: target.key.platform)
        draft.warn(
            "empty_rule_is_off",
            "\(name).\(rule.rawValue) has \(why), which its client library takes for off; so it is off on \(target.key)."
        )
    }

    private func refuse(_ rule: Rule, _ member: String, _ value: JSONValue?, _ wanted: String, _ draft: inout ImportDraft) {
        let found = value.map { "is \($0.kindInWords)" } ?? "is missing"
        let effect =
            reader == .launchGate ? "LaunchGate drops the whole file for it" : "Gandalf drops the whole file or shows a blank dialog for it"
        draft.refuse("\(name).\(rule.rawValue).\(member)", value, code: "malformed", "\(wanted) and \(found); \(effect).")
    }

    private func origin(_ rule: Rule, _ source: JSONObject) -> (String) -> (path: String, value: JSONValue) {
        { member in
            let path = "\(name).\(rule.rawValue)"
            return member.isEmpty ? (path, .object(source)) : ("\(path).\(member)", source[member] ?? .null)
        }
    }
}
