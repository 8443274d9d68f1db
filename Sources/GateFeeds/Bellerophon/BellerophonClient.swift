import GateJSON
import GateModel

/// Bellerophon 1.2.2 on a phone, with the model of its example app, which most apps copied: what it does with the bytes of a status
/// (`BellerophonModel.swift`, `BellerophonManager.swift`; wire formats section 3).
package enum BellerophonClient {
    package struct Status: Sendable, Hashable {
        package let apiInactive: Bool
        package let forceUpdate: Bool
        /// Seconds; the library does not check whether the value makes sense.
        package let retryInterval: Double
        package let userMessage: String
    }

    package enum Reading: Sendable, Hashable {
        /// Not JSON: an error. The display stays as it is, and polling stops.
        case failed
        /// JSON, but not an object: the completion is never called, and the manager never checks again.
        case stuck
        /// An object that is not a status. It counts as the all-clear and lifts a kill switch.
        case rejected
        case accepted(Status)
    }

    /// What a phone does on a cold start of the app.
    package static func decide(_ bytes: [UInt8]) -> ClientDecision {
        switch read(bytes) {
        case .failed: return .failed(reason: "not JSON")
        case .stuck: return .stuck(reason: "the root is no object")
        case .rejected: return .proceed
        case .accepted(let status):
            if status.forceUpdate { return .forced(text: status.userMessage, retryInterval: status.retryInterval) }
            if status.apiInactive { return .killed(text: status.userMessage, retryInterval: status.retryInterval) }
            return .proceed
        }
    }

    package static func read(_ bytes: [UInt8]) -> Reading {
        guard let document = AppleJSON.read(bytes) else { return .failed }
        guard let root = document.object else { return .stuck }
        guard let seconds = AppleJSON.number(root["retryInterval"]), let text = root["userMessage"]?.string else { return .rejected }
        return .accepted(
            Status(
                apiInactive: AppleJSON.flag(root["apiInactive"]) ?? false,
                forceUpdate: AppleJSON.flag(root["forceUpdate"]) ?? false,
                retryInterval: seconds,
                userMessage: text
            )
        )
    }
}
