import GateJSON
import GateModel

/// What a template can name: the values of its platform or, under each platform's key, those of all of the app's platforms.
struct TemplateNames: Sendable {
    struct Step: Sendable {
        let name: String
        let isBracketed: Bool
    }

    /// The platforms that can be named, in order. Only one if ``isOfPlatform``.
    let platforms: [PlatformKey]
    /// Whether values are named without a platform.
    let isOfPlatform: Bool
    /// The platforms whose versions are version codes.
    let withCodes: Set<PlatformKey>

    private static let values =
        "kill, force, required, optional, alert, blocked, state, message, messages, storeURL, retryInterval, sequence"

    /// - Throws: `invalid_template`, without a place.
    func path(_ steps: [Step]) throws(TemplateRefusal) -> TemplatePath {
        let spelling = Self.spelled(steps)
        var rest = steps[...]
        var platform = 0
        if !isOfPlatform {
            var name = rest.removeFirst().name
            if name == "platforms", rest.first?.isBracketed == true { name = rest.removeFirst().name }
            guard let found = platforms.firstIndex(where: { $0.text == name }) else {
                let all = platforms.map(\.text).joined(separator: ", ")
                throw refusal(
                    "\(shown(name)) is no platform of the app. In a feed of the whole app values stand under a platform's key, such as ios.kill.message; there is \(all.isEmpty ? "no platform yet" : all). A key with a hyphen is written platforms[\"my-tv\"]."
                )
            }
            platform = found
        }
        guard let first = rest.popFirst()?.name else { throw refusal("Name a value of \(spelling): \(Self.values).") }
        let owner = Self.spelled(Array(steps.dropLast(rest.count)))
        let value = try self.value(first, &rest, spelling)
        if value == .minimumVersionCode || value == .optionalVersionCode, !withCodes.contains(platforms[platform]) {
            let plain = spelling.dropLast("Code".count)
            throw refusal("\(spelling) is a number, but the versions of \(platforms[platform]) are not: name \(plain), which is a text.")
        }
        guard rest.isEmpty else {
            throw refusal("\(spelling) goes too deep: what stands before \(shown(rest.first?.name ?? "")) has no members.")
        }
        return TemplatePath(platform: platform, value: value, spelling: spelling, ownerSpelling: owner)
    }

    private func value(_ name: String, _ rest: inout ArraySlice<Step>, _ spelling: String) throws(TemplateRefusal) -> TemplatePath.Value {
        switch name {
        case "blocked": return .blocked
        case "state": return .state
        case "message": return .firstText(language: nil)
        case "messages": return .firstText(language: try language(&rest, spelling))
        case "storeURL": return .storeURL
        case "retryInterval": return .retryInterval
        case "sequence": return .sequence
        default: break
        }
        guard let rule = Rule.allCases.first(where: { $0.templateWord == name }) else {
            throw refusal("There is no value \(shown(name)): there are \(Self.values).")
        }
        guard let member = rest.popFirst()?.name else { return .rule(rule) }
        switch (rule, member) {
        case (_, "message"): return .text(rule, language: nil)
        case (_, "messages"): return .text(rule, language: try language(&rest, spelling))
        case (.killSwitch, "retryInterval"): return .killInterval
        case (.killSwitch, "until"): return .killUntil
        case (.requiredUpdate, "minimumVersion"): return .minimumVersion
        case (.requiredUpdate, "minimumVersionCode"): return .minimumVersionCode
        case (.optionalUpdate, "optionalVersionCode"): return .optionalVersionCode
        case (.requiredUpdate, "blockedVersions"): return .blockedVersions
        case (.optionalUpdate, "optionalVersion"): return .optionalVersion
        case (.alert, "blocking"): return .blocking
        default: throw refusal("\(name) has no member \(shown(member)): it has \(Self.members(of: rule)).")
        }
    }

    private func language(_ rest: inout ArraySlice<Step>, _ spelling: String) throws(TemplateRefusal) -> String {
        guard let tag = rest.popFirst()?.name, tag == "default" || LanguageTag.accepts(tag) else {
            throw refusal("\(spelling) needs a language: messages.de, messages[\"pt-BR\"] or messages.default.")
        }
        return tag
    }

    private static func members(of rule: Rule) -> String {
        switch rule {
        case .killSwitch: "message, messages, retryInterval, until"
        case .forceUpdate: "message, messages"
        case .requiredUpdate: "minimumVersion, minimumVersionCode, blockedVersions, message, messages"
        case .optionalUpdate: "optionalVersion, optionalVersionCode, message, messages"
        case .alert: "message, messages, blocking"
        }
    }

    private func refusal(_ detail: String) -> TemplateRefusal { .invalid(detail, at: "") }

    private func shown(_ name: String) -> String { JSONValue.quoted(name, most: 40) }

    static func spelled(_ steps: [Step]) -> String {
        steps.enumerated().map { index, step in
            step.isBracketed ? "[\"\(step.name.prefix(80))\"]" : (index == 0 ? "" : ".") + step.name.prefix(80)
        }.joined()
    }
}
