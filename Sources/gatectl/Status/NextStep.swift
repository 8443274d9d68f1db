import GateJSON
import GateModel

/// What will happen to a target by itself, and when: its kill switch lifts itself, or a window starts or ends.
struct NextStep {
    let at: Timestamp
    /// `opens`, `restores`, or the verb of a window's start: `block`.
    let what: String
    /// Nil if it is the kill switch that lifts itself.
    let window: Int?
    /// Whether the rules that the window was made for, or has set, have changed, so that its start will fail, or its end leave them.
    let isVain: Bool
    /// Whether it is a window's end.
    let isEnd: Bool

    /// The earliest one; nil where nothing is planned.
    init?(_ target: Target, _ outlook: Outlook) {
        var steps: [NextStep] = []
        if let until = target.gate.killSwitch?.until {
            steps.append(NextStep(at: until, what: "opens", window: nil, isVain: false, isEnd: false))
        }
        for window in outlook.windows(about: target.key) {
            guard let due = window.due, !Self.lacksAll(target.key, of: window) else { continue }
            let what = window.state == .pending ? WindowView.verb(window) : window.then == .open ? "opens" : "restores"
            let isEnd = window.state == .running
            let isVain = isEnd ? Self.leaves(target, window) : outlook.willFail(window)
            steps.append(NextStep(at: due, what: what, window: window.id, isVain: isVain, isEnd: isEnd))
        }
        guard let first = steps.min(by: { $0.at < $1.at }) else { return nil }
        self = first
    }

    /// Whether a window runs without having put anything on a target: then its end is none there.
    private static func lacksAll(_ target: TargetKey, of window: Window) -> Bool {
        window.state == .running && window.lackingSinceStart.contains { $0.target == target && $0.rules == window.rules }
    }

    private init(at: Timestamp, what: String, window: Int?, isVain: Bool, isEnd: Bool) {
        (self.at, self.what, self.window, self.isVain, self.isEnd) = (at, what, window, isVain, isEnd)
    }

    /// Whether the end of a running window leaves what users face: what somebody changed meanwhile stays, rule by rule, and the first rule
    /// that the end would alter is what users see.
    private static func leaves(_ target: Target, _ window: Window) -> Bool {
        guard let mine = window.targets.first(where: { $0.key == target.key }) else { return false }
        let first: Rule? =
            switch window.then {
            case .restore: mine.before?.rules.first { $0.json != target.gate.json(of: $0.rule) }?.rule
            case .open: window.set.rules.first { $0.json != nil && target.gate.isOn($0.rule) }?.rule
            }
        return first.map { !mine.expects(target.gate.json(of: $0), of: $0) } ?? false
    }

    /// `opens 09:32 UTC (16m)`
    /// - Parameter isShort: leaves out how long that is from now.
    func said(_ now: Timestamp, isShort: Bool = false) -> String {
        guard at > now else { return "\(what) now" }
        let when =
            "\(isVain && isEnd ? "ends" : what) \(Words.clock(at, now: now))" + (isShort ? "" : " (\(Words.left(from: now, to: at)))")
        return isVain ? when + (isEnd ? ", stays as it is" : ", will fail") : when
    }

    var json: JSONValue {
        var object: JSONObject = ["at": .string(at.description), "what": .string(what)]
        object["window"] = window.map(JSONValue.integer)
        if isVain { object["willFail"] = .bool(true) }
        return .object(object)
    }
}
