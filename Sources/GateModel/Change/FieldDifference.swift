public import GateJSON

/// One field that a change alters: a row of a plan's diff.
public struct FieldDifference: Sendable, Hashable {
    public let target: TargetKey
    /// Such as `killSwitch.message`; settings are `settings.releases` and so on.
    public let field: String
    /// Nil if the field did not exist.
    public let before: JSONValue?
    public let after: JSONValue?

    public init(target: TargetKey, field: String, before: JSONValue?, after: JSONValue?) {
        self.target = target
        self.field = field
        self.before = before
        self.after = after
    }

    /// The fields in which two gates of a target differ, in the order of the gate document.
    public static func between(_ before: Gate, _ after: Gate, of target: TargetKey) -> [FieldDifference] {
        Rule.allCases.flatMap { rule in
            members(of: before.json(of: rule), and: after.json(of: rule)).map { name, old, new in
                FieldDifference(target: target, field: "\(rule.rawValue).\(name)", before: old, after: new)
            }
        }
    }

    /// The settings in which two platforms differ.
    public static func between(_ before: PlatformSettings?, _ after: PlatformSettings?, of target: TargetKey) -> [FieldDifference] {
        members(of: before?.json, and: after?.json).map { name, old, new in
            FieldDifference(target: target, field: "settings.\(name)", before: old, after: new)
        }
    }

    private static func members(of before: JSONValue?, and after: JSONValue?) -> [(String, JSONValue?, JSONValue?)] {
        let old = before?.object ?? [:]
        let new = after?.object ?? [:]
        let names = new.names + old.names.filter { new[$0] == nil }
        return names.compactMap { old[$0] == new[$0] ? nil : ($0, old[$0], new[$0]) }
    }
}
