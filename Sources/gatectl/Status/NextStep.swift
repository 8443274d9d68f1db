import GateJSON
import GateModel

/// What will happen to a target by itself, and when: its kill switch lifts itself, or a window starts or ends.
struct NextStep {
    let at: Timestamp
    /// `opens`, `restores`, or the verb of a window's start: `block`.
    let what: String
    /// Nil if it is the kill switch that lifts itself.
    let window: Int?
    /// Whether the rules that the window was made for have changed, so that its start will fail.
    let isVain: Bool

    /// The earliest one; nil where nothing is planned.
    init?(_ target: Target, _ outlook: Outlook) {
        var steps: [NextStep] = []
        if let until = target.gate.killSwitch?.until { steps.append(NextStep(at: until, what: "opens", window: nil, isVain: false)) }
        for window in outlook.windows(about: target.key) {
            guard let due = window.due else { continue }
            let what = window.state == .pending ? WindowView.verb(window) : window.then == .open ? "opens" : "restores"
            steps.append(NextStep(at: due, what: what, window: window.id, isVain: outlook.willFail(window)))
        }
        guard let first = steps.min(by: { $0.at < $1.at }) else { return nil }
        self = first
    }

    private init(at: Timestamp, what: String, window: Int?, isVain: Bool) {
        (self.at, self.what, self.window, self.isVain) = (at, what, window, isVain)
    }

    /// `opens 09:32 UTC (16m)`
    /// - Parameter isShort: leaves out how long that is from now.
    func said(_ now: Timestamp, isShort: Bool = false) -> String {
        guard at > now else { return "\(what) now" }
        let when = "\(what) \(Words.clock(at, now: now))" + (isShort ? "" : " (\(Words.left(from: now, to: at)))")
        return isVain ? when + ", will fail" : when
    }

    var json: JSONValue {
        var object: JSONObject = ["at": .string(at.description), "what": .string(what)]
        object["window"] = window.map(JSONValue.integer)
        if isVain { object["willFail"] = .bool(true) }
        return .object(object)
    }
}
