import GateAPI
import GateFeeds
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
    /// Of the times that are shown beside it.
    var zone = Zone.current
    /// Whether the command that is planned could have been told to wait for the polls that it speaks of, and was not.
    var offersWait = false

    /// - Parameter width: columns of the terminal; nil breaks no lines.
    func lines(_ style: Style, width: Int?) -> [String] { lines(style).flatMap { Prose.wrapped($0, width: width) } }

    private func lines(_ style: Style) -> [String] {
        var lines: [String] = []
        // Lines that are the same for several targets in a row are printed once, below all of them.
        var pending: [String] = []
        for key in keys {
            let diff = plan.diff.filter { $0.target == key && Self.says($0) }
            let head = head(key, diff, style)
            let rest = head.dropFirst() + diff.map(Self.row)
            if !rest.elementsEqual(pending) { lines += pending }
            lines += head.prefix(1)
            pending = Array(rest)
        }
        lines += pending
        lines += plan.apps.flatMap(Self.rows)
        lines += EffectsView(plan.effects).lines(style)
        if let load = plan.load { lines.append("  " + Words.load(load)) }
        lines += warnings
        if let omitted = plan.omitted { lines.append("  … and \(Self.words(omitted)), more than fit into one answer") }
        return lines
    }

    /// One line for each warning; those that say the same about several targets share one.
    private var warnings: [String] {
        let names = Set(keys.map(\.description))
        var order: [String] = []
        var alike: [String: [(warning: Warning, target: String?)]] = [:]
        for warning in plan.warnings {
            let target = Self.words(in: warning.detail).first(where: names.contains)
            let key =
                warning.code + (target.map { warning.detail.replacing($0, with: "\u{0}") } ?? warning.detail) + warning.versions.joined()
            if alike[key] == nil { order.append(key) }
            alike[key, default: []].append((warning, target))
        }
        return order.compactMap { key in
            guard let same = alike[key], let first = same.first else { return nil }
            let others = same.dropFirst().compactMap(\.target)
            return Self.warning(first.warning, also: others)
        }
    }

    /// The words of a sentence that could name a target. A plan of a thousand targets has as many warnings, so each is searched only once.
    private static func words(in sentence: String) -> some Sequence<String> {
        sentence.utf8.split { !($0.isASCIILowercase || $0.isASCIIDigit || "-/".utf8.contains($0)) }.lazy.compactMap { String($0) }
    }

    /// `1,200 more fields, 3 more warnings`
    static func words(_ omitted: Plan.Omitted) -> String {
        [(omitted.diff, "field"), (omitted.apps, "row about apps"), (omitted.effects, "effect"), (omitted.warnings, "warning")].filter {
            $0.0 > 0
        }
        .map { count, noun in "\(count) more \(noun)\(count == 1 || noun == "row about apps" ? "" : "s")" }.joined(separator: ", ")
    }

    /// The targets in their order, then those that only the plan names.
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
        if after != .open { line += "   " + Words.detail(after, at: now) }
        if let kill = after.killSwitch { line += "   asks again every \(kill.retryInterval) s" }
        if let until = after.killSwitch?.until {
            line += "   until \(Words.time(until, inUTC: inUTC, zone: zone)), in \(Words.left(from: now, to: until))"
        }
        var lines = [line]
        if let opening = after.opening, opening != before.opening {
            lines.append("  Callers are let in at a growing share until then; whoever is not in yet sees what they see now.")
        }
        if let message = Words.message(after), message != Words.message(before) || before.state != after.state {
            lines.append("  Users see: “\(message)”")
        }
        if before.state != .blocked, after.state == .blocked {
            lines.append("  Phones inside the app learn it at their next check.")
            if let polls = target.reach?.pollsPerMinute, polls > 0 {
                let times = polls == 1 ? "once" : "\(polls) times"
                lines.append(
                    "  Its feeds were polled \(times) within the last minute here; caches in front answer others."
                        + (offersWait ? " --wait 95% waits for them." : "")
                )
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

    /// What users of a new target will face.
    private func newState(_ diff: [FieldDifference], _ style: Style) -> String {
        guard let gate = try? Gate.open.applying(diff), gate != .open else { return "" }  // the rows below still say everything
        return "   " + badge(gate.state, style) + "   " + Words.detail(gate, at: now)
    }

    /// Whether a target is new or removed, going by its rows; nil for one that stays. The version scheme shows it, because every target has
    /// one.
    static func presence(_ diff: [FieldDifference]) -> String? {
        guard let scheme = diff.first(where: { $0.field == "settings.versionScheme" }) else { return nil }
        if scheme.after == nil { return "removed" }
        return scheme.before == nil ? "new" : nil
    }

    /// The lines of a row; for a document, one for each place that changes.
    static func rows(_ difference: AppDifference) -> [String] {
        let parts = difference.field.split(separator: ".")
        guard parts.count > 1, parts[0] == "ownFeeds" else { return [row(difference)] }
        let name = "app \(difference.app) own/\(parts[1]).json"
        guard parts.count > 2 else {
            switch (difference.before, difference.after) {
            case (nil, _): return ["  + \(name)"]
            case (_, nil): return ["  - \(name)"]
            default: return ["  ~ \(name)"]
            }
        }
        guard let before = difference.before, let after = difference.after else {
            let (sign, value) = difference.before == nil ? ("+", difference.after) : ("-", difference.before)
            return ["  \(sign) \(name) says \(cut(Words.value(value)))"]
        }
        return DocumentDifference.between(before, after).map { difference in
            // Each line names its document, because a gate change has no other line about it.
            let path = Style.safe(TakeoverMeaning.path(of: difference.place))
            return "    own/\(parts[1]).json \(path): \(cut(Words.value(difference.before))) → \(cut(Words.value(difference.after)))"
        }
    }

    private static func cut(_ text: String) -> String { text.count > 400 ? text.prefix(400) + "…" : text }

    static func row(_ difference: AppDifference) -> String {
        switch (difference.before, difference.after) {
        case (nil, let after): "  + app \(difference.app) \(difference.field): \(Words.value(after))"
        case (let before, nil): "  - app \(difference.app) \(difference.field): \(Words.value(before))"
        case (let before, let after): "  ~ app \(difference.app) \(difference.field): \(Words.value(before)) → \(Words.value(after))"
        }
    }

    private func badge(_ state: GateState, _ style: Style) -> String { style.tinted(Words.badge(state), Words.tint(state)) }

    /// Whether a row says anything: for a new or removed target, a null setting has nothing on either side.
    static func says(_ difference: FieldDifference) -> Bool { !(difference.before ?? .null).isNull || !(difference.after ?? .null).isNull }

    static func row(_ difference: FieldDifference) -> String {
        switch (difference.before, difference.after) {
        case (nil, let after): "    + \(difference.field): \(Words.value(after))"
        case (let before, nil): "    - \(difference.field): \(Words.value(before))"
        case (let before, let after): "    ~ \(difference.field): \(Words.value(before)) → \(Words.value(after))"
        }
    }

    /// A row for programs: its owner, the field, and what it was and is, empty for nothing.
    static func plain(_ difference: FieldDifference) -> String {
        plain([difference.target.description, difference.field], difference.before, difference.after)
    }

    static func plain(_ difference: AppDifference) -> String {
        plain([difference.app.text, difference.field], difference.before, difference.after)
    }

    static func plain(_ names: [String], _ before: JSONValue?, _ after: JSONValue?) -> String {
        (names + [before?.text ?? "", after?.text ?? ""]).joined(separator: "\t")
    }

    /// - Parameter others: targets besides the one that the warning names.
    static func warning(_ warning: Warning, also others: [String] = []) -> String {
        let versions = warning.versions.isEmpty ? "" : " (\(warning.versions.joined(separator: ", ")))"
        let same = others.isEmpty ? "" : " The same for \(Words.some(others))."
        return "  warning: \(Style.safe(warning.detail))\(versions)\(same) [\(warning.code)]"
    }
}

extension Gate {
    /// The gate with a plan's rows applied.
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
