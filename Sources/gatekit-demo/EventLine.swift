import Foundation
import GateJSON
import GateKit

/// The line that is printed for an event.
struct EventLine {
    let text: String
    /// Whether a check brought nothing.
    let isFailure: Bool

    /// Nil for an event that adds nothing to the others.
    init?(_ event: GateEvent) {
        switch event {
        case .state(let state):
            text = JSONValue.object(Self.line(of: state)).text
            isFailure = false
        case .error(let error, let state):
            let line: JSONValue = [
                "event": .string("error"), "code": .string(error.code.rawValue), "keeps": .string(state.decision.kind.rawValue),
                "detail": .string(error.detail),
            ]
            text = line.text
            // Where nothing can be remembered, a check can still bring a document.
            isFailure = error.code != .memory
        case .willEngage, .didEngage, .messageChanged, .willDisengage, .didDisengage, .notice, .noticeWithdrawn: return nil
        }
    }

    private static func line(of state: GateState) -> JSONObject {
        let decision = state.decision
        var line: JSONObject = [
            "event": .string("state"),
            "decision": .string(decision.kind.rawValue),
            "message": decision.message.map(JSONValue.string) ?? .null,
            "retryInterval": decision.retryInterval.map(JSONValue.integer) ?? .null,
            "storeURL": decision.storeURL.map { .string($0.absoluteString) } ?? .null,
            "sequence": state.sequence.map(JSONValue.integer) ?? .null,
            "stale": .bool(state.isStale),
            "suppressed": .array(decision.suppressed.map { ["rule": .string($0.rule.rawValue), "reason": .string($0.reason)] }),
        ]
        // Only where something was left out: a rule in a document written by hand would otherwise be missing without a word.
        if !state.diagnostics.isEmpty {
            line["diagnostics"] = .array(state.diagnostics.map { ["path": .string($0.path), "detail": .string($0.detail)] })
        }
        return line
    }
}
