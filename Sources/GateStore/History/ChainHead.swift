package import GateCrypto
package import GateJSON
import GateModel

/// The last link of a chain. Kept outside the database it is an anchor, which also reveals when the end was cut off or everything
/// rewritten.
package struct ChainHead: Sendable, Hashable {
    /// 0 for an empty chain.
    package let sequence: Int
    /// 32 zero bytes for an empty chain.
    package let hash: SHA256Digest

    package init(sequence: Int, hash: SHA256Digest) {
        self.sequence = sequence
        self.hash = hash
    }

    package static let empty = ChainHead(sequence: 0, hash: .zero)

    package var json: JSONValue { ["sequence": .integer(sequence), "hash": .string(hash.hexadecimal)] }

    /// - Throws: malformed.
    package init(json: JSONValue) throws(ModelError) {
        guard let sequence = json.object?["sequence"]?.integer, sequence >= 0,
            let hash = json.object?["hash"]?.string.flatMap(SHA256Digest.init(hexadecimal:))
        else {
            throw .malformed("The head of a chain is {\"sequence\": 12, \"hash\": \"64 hexadecimal digits\"}.")
        }
        self.init(sequence: sequence, hash: hash)
    }
}

/// The heads of both chains: `{"changes": {…}, "audit": {…}}`, what `gatehouse verify --anchor` reads.
package struct ChainAnchor: Sendable, Hashable {
    package let changes: ChainHead
    /// Nil when only the changes are anchored.
    package let audit: ChainHead?

    package init(changes: ChainHead, audit: ChainHead?) {
        self.changes = changes
        self.audit = audit
    }

    package var json: JSONValue {
        var object: JSONObject = ["changes": changes.json]
        object["audit"] = audit?.json
        return .object(object)
    }

    /// - Throws: malformed. Other members are ignored, so an anchor may be part of a larger document such as a backup's manifest.
    package init(json: JSONValue) throws(ModelError) {
        guard let object = json.object, let changes = object["changes"] else {
            throw .malformed("An anchor is an object with a member \"changes\".")
        }
        self.init(
            changes: try ChainHead(json: changes),
            audit: try object["audit"].map { json throws(ModelError) in try ChainHead(json: json) }
        )
    }
}
