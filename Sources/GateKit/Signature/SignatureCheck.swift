import Foundation
import GateFeeds

/// Checks a document against the signature line sent with it.
struct SignatureCheck: Sendable {
    static let header = "gatehouse-signature"

    /// The pinned keys; if there are none, no signature is required.
    let keys: [GatePublicKey]

    /// - Throws: `signature`, saying what is wrong.
    func check(_ body: Data, line: String?) throws(GateKitError) {
        guard !keys.isEmpty else { return }
        guard let line else { throw GateKitError(.signature, "The document is not signed.") }
        guard let signature = FeedSignature(line) else {
            throw GateKitError(.signature, "The signature does not have the form <key id>:<base64url>.")
        }
        guard let key = keys.first(where: { $0.id == signature.keyID }) else {
            throw GateKitError(.signature, "The document is signed by the key \(signature.keyID), which is not pinned.")
        }
        guard key.verify(signature.bytes, over: Array(body)) else {
            throw GateKitError(.signature, "The signature is not that of the key \(key.id) over this document.")
        }
    }
}
