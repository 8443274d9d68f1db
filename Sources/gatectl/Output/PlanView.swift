import GateAPI
import GateJSON
import GateModel

/// A plan in words: for each target the state before and after, what users will see, every field that changes, and the warnings.
struct PlanView {
    let targets: [TargetBody]
    let plan: Plan
    /// The server's clock.
    let now: Timestamp
    /// Whether times are shown in UTC alone.
    let inUTC: Bool

    func lines(_ style: Style) -> [String] {
        var lines: [String] = []
        for key in keys {
            let diff = plan.diff.filter { $0.target == key && Self.says($0) }
            lines += head(key, diff, style)
            lines += diff.map(Self.row)
        }
        lines += plan.apps.map(Self.row)
        lines += EffectsView(plan.effects).lines(style)
        lines += plan.warnings.map(Self.warning)
        if let omitted = plan.omitted { lines.append("  … and \(Self.words(omitted)), more than fit into one answer") }
        return lines
    }

    /// `1,200 more fields, 3 more warnings`
    static func words(_ omitted: Plan.Omitted) -> String {
        [(omitted.diff, "field"), (omitted.apps, "row about apps"), (omitted.effects, "effect"), (omitted.warnings, "warning")].filter { $0.0 > 0 }
            .map { count, noun in "\(count) more \(noun)\(count == 1 || noun == "row about apps" ? "" : "s")" }.joined(separator: ", ")
    }

    /// The targets in their order, then those that the plan alone names.
    private var keys: [TargetKey] {
        plan.diff.map(\.target).reduce(into: targets.map(\.target.key)) { if !$0.contains($1) { $0.append($1) } }
    }

    private func head(_ key: TargetKey, _ diff: [FieldDifference], _ style: Style) -> [String] {
        guard let target = targets.first(where: { $0.target.key == key }) else { return ["  \(key)  new" + newState(diff, style)] }
        let before = target.target.gate
        if let presence = Self.presence(diff) { return ["  \(key)  \(badge(before.state, style))   \(presence)"] }
        guard let after = try? before.applying(diff) else { return ["  \(key)"] }  // the rows below still say everything
        guard !diff.isEmpty else { return ["  \(key)  \(badge(before.state, style))   no change"] }
        guard diff.contains(where: { !$0.field.hasPrefix("settings.") }) else {
            return ["  \(key)  \(badge(before.state, style))   settings"]
        }
        var line = "  \(key)  " + (before.state == after.state ? "" : badge(before.state, style) + " → ") + badge(after.state, style)
        if after != .open { line += "   " + Words.detail(after) }
        if let kill = after.killSwitch { line += "   asks again every \(kill.retryInterval) s" }
        if let until = after.killSwitch?.until {
            line += "   until \(Words.time(until, inUTC: inUTC)), in \(Words.left(from: now, to: until))"
        }
        var lines = [line]
        if let message = Words.message(after), message != Words.message(before) || before.state != after.state {
            lines.append("  Users see: “\(message)”")
        }
        if before.state != .blocked, after.state == .blocked {
            lines.append("  Phones inside the app learn it at their next check.")
            if let polls = target.reach?.pollsPerMinute, polls > 0 {
                lines.append("  Its feeds were polled \(polls) times within the last minute here; caches in front answer others. --wait 95% waits for them.")
            }
        }
        if let kill = before.killSwitch, after.killSwitch == nil {
            lines.append("  Blocked phones ask again within \(kill.retryInterval) s.")
        }
        if before.state == .blocked, after.state == .blocked || after.state == .updateRequired, before.killSwitch != nil,
            after.killSwitch == nil
        {
            lines.append("  Still on afterwards: \(Words.rules(after).joined(separator: ", "))")
        }
        return lines
    }

    /// What users of a target that comes will face.
    private func newState(_ diff: [FieldDifference], _ style: Style) -> String {
        guard let gate = try? Gate.open.applying(diff), gate != .open else { return "" }  // the rows below still say everything
        return "   " + badge(gate.state, style) + "   " + Words.detail(gate)
    }

    /// Whether the rows of a target say that it comes or goes; nil for one that stays. Every target has a version scheme.
    static func presence(_ diff: [FieldDifference]) -> String? {
        guard let scheme = diff.first(where: { $0.field == "settings.versionScheme" }) else { return nil }
        if scheme.after == nil { return "removed" }
        return scheme.before == nil ? "new" : nil
    }

    static func row(_ difference: AppDifference) -> String {
        switch (difference.before, difference.after) {
        case (nil, let after): "  + app \(difference.app) \(difference.field): \(Words.value(after))"
        case (let before, nil): "  - app \(difference.app) \(difference.field): \(Words.value(before))"
        case (let before, let after): "  ~ app \(difference.app) \(difference.field): \(Words.value(before)) → \(Words.value(after))"
        }
    }

    private func badge(_ state: GateState, _ style: Style) -> String { style.tinted(Words.badge(state), Words.tint(state)) }

    /// Whether a row tells anything: a setting that is null has nothing on either side where a target comes or goes.
    static func says(_ difference: FieldDifference) -> Bool { !(difference.before ?? .null).isNull || !(difference.after ?? .null).isNull }

    static func row(_ difference: FieldDifference) -> String {
        switch (difference.before, difference.after) {
        case (nil, let after): "    + \(difference.field): \(Words.value(after))"
        case (let before, nil): "    - \(difference.field): \(Words.value(before))"
        case (let before, let after): "    ~ \(difference.field): \(Words.value(before)) → \(Words.value(after))"
        }
    }

    static func warning(_ warning: Warning) -> String {
        let versions = warning.versions.isEmpty ? "" : " (\(warning.versions.joined(separator: ", ")))"
        return "  warning: \(Style.safe(warning.detail))\(versions) [\(warning.code)]"
    }
}

extension Gate {
    /// The gate with a plan's rows carried out.
    /// - Throws: `ModelError` when the rows make no gate that this version knows.
    func applying(_ diff: [FieldDifference]) throws(ModelError) -> Gate {
        var document = json.object ?? [:]
        for row in diff {
            let path = row.field.split(separator: ".", maxSplits: 1).map(String.init)
            guard path.count == 2, path[0] != "settings" else { continue }
            var rule = document[path[0]]?.object ?? [:]
            rule[path[1]] = row.after
            document[path[0]] = rule.isEmpty ? nil : .object(rule)
        }
        return try Gate(lenient: .object(document))
    }
}
