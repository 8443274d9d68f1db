import GateAPI
import GateJSON
import GateModel

/// The windows of an export that ran when it was written, as far as what they set is still in force in it. Only a server ends them: where
/// none does, what they set would stay for good.
///
/// Whatever cannot be read of them is left out: only a server can check their zones, and on the night on which it is down, nothing that is
/// merely listed may be in the way.
struct RunningWindows {
    private struct Running {
        let targets: Set<TargetKey>
        let set: GateEdit
        let end: Timestamp?
        let then: Window.Ending
    }

    private let running: [Running]
    private let now: Timestamp

    init(in json: JSONValue, of export: ExportBody, now: Timestamp) {
        self.now = now
        let written = min(export.exportedAt ?? now, now)
        running = (json.object?["windows"]?.array ?? []).compactMap { window in
            guard let window = window.object, let start = Self.time(window["start"]), start <= written,
                let set = window["set"].flatMap({ try? GateEdit(json: $0) })
            else { return nil }
            let targets = (window["targets"]?.array ?? []).compactMap { target in
                TargetKey("\(target.object?["app"]?.string ?? "")/\(target.object?["platform"]?.string ?? "")")
            }
            let then = window["then"]?.string.flatMap(Window.Ending.init) ?? .open
            return Running(targets: Set(targets), set: set, end: Self.time(window["end"]), then: then)
        }
    }

    /// A time as an export spells it, `{"at":…}`, or as a text.
    private static func time(_ json: JSONValue?) -> Timestamp? {
        (json?.object?["at"]?.string ?? json?.string).flatMap { try? Timestamp(entering: $0) }
    }

    /// Clears the rules of windows that have ended since the export was written.
    func end(in export: inout ExportBody) -> [Warning] {
        var warnings: [Warning] = []
        for index in export.apps.indices {
            for key in export.apps[index].platformKeys {
                guard let target = export.apps[index].platforms[key] else { continue }
                for (rule, end, then) in endings(of: target) where end <= now {
                    if then == .open {
                        // A rule can always be cleared.
                        try? export.apps[index].platforms[key]?.gate.apply(GateEdit([rule], of: .open), settings: target.settings)
                        warnings.append(.past(end, of: rule, target.key))
                    } else {
                        warnings.append(.unknown(end, of: rule, target.key))
                    }
                }
            }
        }
        return warnings
    }

    /// What will stay in the rendered feeds although a window is to end it.
    func stayings(in export: ExportBody) -> [Warning] {
        export.apps.flatMap { app in
            app.platformKeys.flatMap { key in
                guard let target = app.platforms[key] else { return [Warning]() }
                return endings(of: target).filter { $0.end > now }.map { .staying($0.end, of: $0.rule, target.key, $0.then) }
            }
        }
    }

    /// The rules of a target that are as a window has set them, with the time at which the last such window ends.
    private func endings(of target: Target) -> [(rule: Rule, end: Timestamp, then: Window.Ending)] {
        Rule.allCases.compactMap { rule in
            let setters = running.filter { $0.targets.contains(target.key) && Self.isInForce($0.set, rule, in: target) }
            // One without an end has set it for good.
            guard !setters.isEmpty, setters.allSatisfy({ $0.end != nil }),
                let last = setters.max(by: { ($0.end ?? now) < ($1.end ?? now) }), let end = last.end
            else { return nil }
            // Nothing is put back where it was off and is cleared.
            guard last.then == .restore || target.gate.json(of: rule) != nil else { return nil }
            return (rule, end, last.then)
        }
    }

    /// Whether a rule is as an edit has set it. Anything else was set by a person, whom no window overrules.
    private static func isInForce(_ edit: GateEdit, _ rule: Rule, in target: Target) -> Bool {
        guard let named = edit.rules.first(where: { $0.rule == rule }) else { return false }
        var gate = Gate.open
        guard (try? gate.apply(GateEdit([rule: named.json]), settings: target.settings, from: .kept)) != nil else { return false }
        return gate.json(of: rule) == target.gate.json(of: rule)
    }
}

extension Warning {
    fileprivate static func past(_ end: Timestamp, of rule: Rule, _ target: TargetKey) -> Warning {
        Warning(
            code: "past_window",
            detail: "\(target): the window that set \(rule.rawValue) was to end at \(end), which is past; what it set is left out."
        )
    }

    fileprivate static func unknown(_ end: Timestamp, of rule: Rule, _ target: TargetKey) -> Warning {
        Warning(
            code: "past_restore",
            detail: "\(target): a window was to put back at \(end) what \(rule.rawValue) was before, and the document does not say what "
                + "that was: it is rendered as it stands there; edit the file if it must not stay."
        )
    }

    fileprivate static func staying(_ end: Timestamp, of rule: Rule, _ target: TargetKey, _ then: Window.Ending) -> Warning {
        let remedy = then == .open ? "the file is rendered again after that time" : "somebody edits the file and renders it again"
        return Warning(
            code: "static_window",
            detail:
                "\(target): a window is to \(then == .open ? "clear \(rule.rawValue)" : "put back what \(rule.rawValue) was before") at "
                + "\(end), and only a server does that: what is rendered now stays until \(remedy)."
        )
    }
}
