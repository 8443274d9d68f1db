import GateJSON
import GateModel

/// A proposal in the making: the parts of a document add to it one after another.
struct ImportDraft {
    let app: App
    /// Nil clears the rule; a rule without an entry stays.
    private var rules: [PlatformKey: [Rule: JSONValue?]] = [:]
    private var settings: [PlatformKey: JSONValue] = [:]
    private var refused: [RefusedValue] = []
    private var hidden: [PlatformKey: [HiddenRule]] = [:]
    private var warnings: [Warning] = []

    init(app: App) { self.app = app }

    func proposal(format: ImportFormat) -> ImportProposal {
        ImportProposal(
            format: format,
            edits: rules.mapValues { GateEdit($0) },
            settings: settings,
            refused: refused,
            hidden: hidden,
            warnings: warnings
        )
    }

    /// The value that the document gives a rule so far; nil if it clears the rule or does not mention it.
    func json(of rule: Rule, on platform: PlatformKey) -> JSONObject? { rules[platform]?[rule]??.object }

    /// Whether another part of the document named the rule on this platform and was refused, or might have named it but was refused whole.
    func hasRefused(_ rule: Rule, on platform: PlatformKey) -> Bool {
        refused.contains { $0.path == platform.text || $0.path.hasPrefix("\(platform).\(rule.rawValue)") }
    }

    mutating func clear(_ rule: Rule, on platform: PlatformKey) { rules[platform, default: [:]].updateValue(nil, forKey: rule) }

    mutating func forget(_ rule: Rule, on platform: PlatformKey) { rules[platform]?.removeValue(forKey: rule) }

    /// Sets a rule to the gate's own cleaned document if the platform accepts it; otherwise refuses it and leaves the target's rule alone.
    /// - Parameter origin: returns where the member with that name is in the file, and its value there.
    mutating func set(_ rule: Rule, on target: Target, to json: JSONObject, origin: (_ member: String) -> (path: String, value: JSONValue))
    {
        let platform = target.key.platform
        do {
            var gate = Gate.open
            try gate.apply(GateEdit([rule: .object(json)]), settings: target.settings)
            rules[platform, default: [:]].updateValue(gate.json(of: rule), forKey: rule)
        } catch {
            let member = error.field.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            let (path, value) = origin(member)
            refuse(path, value, code: error.code, error.detail)
        }
    }

    /// Turns off an optional update to a version that the required one has reached: to every library that is the same as none, but a gate
    /// cannot have it.
    /// - Returns: whether it was one.
    mutating func clearOffer(of optional: String, at path: String, on target: Target) -> Bool {
        let scheme = target.settings.versionScheme
        guard let minimum = json(of: .requiredUpdate, on: target.key.platform)?["minimumVersion"]?.string, scheme.accepts(optional),
            !scheme.isOlder(minimum, than: optional)
        else { return false }
        clear(.optionalUpdate, on: target.key.platform)
        warn(
            "optional_for_nobody",
            "\(path) is \(optional), which is not above the required \(minimum), so nobody is offered it; it is off on \(target.key)."
        )
        return true
    }

    /// Refuses a rule that was set although its library does not look at it; unless it is in force already, or is not on.
    /// - Parameter why: says why nobody sees it today, without a full stop.
    mutating func hide(_ rule: Rule, on target: Target, at path: String, _ value: JSONValue?, because why: String) {
        let platform = target.key.platform
        guard let json = rules[platform]?[rule] ?? nil, json != target.gate.json(of: rule) else { return }
        forget(rule, on: platform)
        let detail = "\(why); on \(target.key) it would be shown. Leave it out, or accept \"hidden_in_file\" if that is what you want."
        let refusal = RefusedValue(path: path, value: value ?? .null, code: "hidden_in_file", detail: detail, overridable: true)
        refused.append(refusal)
        hidden[platform, default: []].append(HiddenRule(rule: rule, json: json, refusal: refusal))
    }

    mutating func set(defaultRetryInterval seconds: Int, on platform: PlatformKey) {
        settings[platform] = ["defaultRetryInterval": .integer(seconds)]
    }

    mutating func refuse(_ path: String, _ value: JSONValue?, code: String, _ detail: String) {
        refused.append(RefusedValue(path: path, value: value ?? .null, code: code, detail: detail))
    }

    mutating func refuseUnknownPlatform(_ platform: String, _ path: String, _ value: JSONValue) {
        refuse(
            path,
            value,
            code: "unknown_platform",
            "\(app.key) has no platform \(platform); create it first, or leave this part of the file out."
        )
    }

    mutating func warn(_ code: String, _ detail: String) { warnings.append(Warning(code: code, detail: detail)) }

    /// Warns of members of one part of the document that its library does not read, if there are any.
    mutating func warnOfIgnored(_ names: [String], in path: String) {
        if !names.isEmpty { warn("ignored_member", "\(path) also holds \(names.quoted.inWords), which is not taken over.") }
    }
}

extension [String] {
    /// Names of members of a file, as they stand in a sentence.
    var quoted: [String] { map { JSONValue.quoted($0) } }
}
