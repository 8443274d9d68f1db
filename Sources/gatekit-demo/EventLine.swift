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
            text = Self.line(of: state).text
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

    private static func line(of state: GateState) -> JSONValue {
        let decision = state.decision
        return [
            "event": .string("state"),
            "decision": .string(decision.kind.rawValue),
            "message": decision.message.map(JSONValue.string) ?? .null,
            "retryInterval": decision.retryInterval.map(JSONValue.integer) ?? .null,
            "storeURL": decision.storeURL.map { .string($0.absoluteString) } ?? .null,
            "sequence": state.sequence.map(JSONValue.integer) ?? .null,
            "stale": .bool(state.isStale),
            "suppressed": .array(decision.suppressed.map { ["rule": .string($0.rule.rawValue), "reason": .string($0.reason)] }),
        ]
    }
}
