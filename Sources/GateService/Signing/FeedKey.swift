package import GateCrypto
package import GateJSON

/// A key for native feeds, and its present role.
package struct FeedKey: Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// Signs. There is at most one such key.
        case active
        /// Published so that apps can be built with it; does not sign yet.
        case next
        /// Published so that signed feeds still in caches verify; no longer signs.
        case retired
    }

    package let key: SigningKey
    package internal(set) var state: State
    package let made: Timestamp
    /// When it entered its state.
    package internal(set) var since: Timestamp

    /// Its name: see ``VerifyingKey/id``.
    package var id: String { key.verifyingKey.id }

    static let algorithm = "Ed25519"

    /// What anybody may know about it, as published in `/feeds/keys.json`.
    package var publicDocument: JSONObject {
        [
            "id": .string(id), "algorithm": .string(Self.algorithm), "publicKey": .string(key.verifyingKey.text),
            "state": .string(state.rawValue),
        ]
    }
}
