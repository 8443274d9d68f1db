package import GateCrypto
package import GateJSON

/// A key for native feeds, and what it is there for at the moment.
package struct FeedKey: Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// Signs. There is one such key at most.
        case active
        /// Published, so that apps can be built that know it, and signs nothing yet.
        case next
        /// Published, so that what caches still hold of it verifies, and signs nothing any more.
        case retired
    }

    package let key: SigningKey
    package internal(set) var state: State
    package let made: Timestamp
    /// Since when it is in its state.
    package internal(set) var since: Timestamp

    /// What it is called: see ``VerifyingKey/id``.
    package var id: String { key.verifyingKey.id }

    static let algorithm = "Ed25519"

    /// What anybody may know of it, as `/feeds/keys.json` tells it.
    package var publicDocument: JSONObject {
        [
            "id": .string(id), "algorithm": .string(Self.algorithm), "publicKey": .string(key.verifyingKey.text),
            "state": .string(state.rawValue),
        ]
    }
}
