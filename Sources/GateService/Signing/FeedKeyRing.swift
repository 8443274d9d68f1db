package import GateCrypto
package import GateJSON

/// All keys for native feeds, and the rules by which one replaces another. A value: nothing has happened until it is written to the
/// ``FeedKeyFolder``.
package struct FeedKeyRing: Sendable {
    /// In the order in which they were made.
    package internal(set) var keys: [FeedKey] = []

    /// Keeps the list that phones may read small. Making one more drops the key that has been retired for longest.
    package static let most = 32

    package init() {}

    /// The key that signs; nil when none does.
    package var active: FeedKey? { keys.first { $0.state == .active } }

    /// Makes a key. The first one is active at once, because no app can know another yet. Any later one is ``FeedKey/State/next``.
    /// - Throws: `too_many_keys` when none of ``most`` is retired.
    package mutating func add(random: RandomSource, at now: Timestamp) throws(ServiceError) -> FeedKey {
        var (kept, key) = (keys, SigningKey(random: random))
        // Apps and tools get the public half as an argument, and one that begins with a hyphen would be taken for an option.
        while key.verifyingKey.text.hasPrefix("-") { key = SigningKey(random: random) }
        if kept.count >= Self.most {
            let oldest = kept.indices.filter { kept[$0].state == .retired }.min { kept[$0].since < kept[$1].since }
            guard let oldest else {
                throw ServiceError(
                    .conflict,
                    "too_many_keys",
                    "There are \(kept.count) keys and none is retired; retire those that no app knows."
                )
            }
            kept.remove(at: oldest)
        }
        let made = FeedKey(key: key, state: keys.isEmpty ? .active : .next, made: now, since: now)
        keys = kept + [made]
        return made
    }

    /// Makes a key sign from now on; the one that did is retired. A retired key may come back, for when the new one was activated too
    /// early.
    /// - Returns: whether anything changed.
    /// - Throws: `unknown_key`.
    package mutating func activate(_ id: String, at now: Timestamp) throws(ServiceError) -> Bool {
        let index = try index(of: id)
        guard keys[index].state != .active else { return false }
        for other in keys.indices where keys[other].state == .active { set(.retired, other, now) }
        set(.active, index, now)
        return true
    }

    /// Takes a key out of use; it stays published.
    /// - Parameter force: whether to retire even the key that signs; nothing is signed after that.
    /// - Returns: whether anything changed.
    /// - Throws: `unknown_key`; `key_in_use` without `force`.
    package mutating func retire(_ id: String, force: Bool = false, at now: Timestamp) throws(ServiceError) -> Bool {
        let index = try index(of: id)
        switch keys[index].state {
        case .retired: return false
        case .next: break
        case .active:
            guard force else {
                let other = keys.first { $0.state == .next }
                let remedy = other.map { "Run gatehouse keys activate \($0.id)" } ?? "Run gatehouse keys add, and activate the new key"
                throw ServiceError(
                    .conflict,
                    "key_in_use",
                    "Key \(id) signs the feeds, and without it apps that know it would refuse them. \(remedy), which retires this one; or insist with --force."
                )
            }
        }
        set(.retired, index, now)
        return true
    }

    private func index(of id: String) throws(ServiceError) -> Int {
        guard let index = keys.firstIndex(where: { $0.id == id }) else {
            throw ServiceError(.notFound, "unknown_key", "There is no key \(id); gatehouse keys list shows the keys.")
        }
        return index
    }

    private mutating func set(_ state: FeedKey.State, _ index: Int, _ now: Timestamp) {
        keys[index].state = state
        keys[index].since = now
    }

    // MARK: Documents

    /// `/feeds/keys.json`: the key that signs, then the next ones, then the retired ones.
    package var publicDocument: JSONValue {
        let sorted = FeedKey.State.allCases.flatMap { state in keys.filter { $0.state == state } }
        return ["keys": .array(sorted.map { .object($0.publicDocument) })]
    }

    /// What is stored, including the private keys: a secret.
    var secretDocument: JSONValue {
        [
            "keys": .array(
                keys.map { key in
                    var document = key.publicDocument
                    document["made"] = .string(key.made.description)
                    document["since"] = .string(key.since.description)
                    document["seed"] = .string(key.key.secretText)
                    return .object(document)
                }
            )
        ]
    }

    /// ``secretDocument`` as a file.
    var fileBytes: [UInt8] { secretDocument.bytes + [0x0A] }

    /// Reads ``fileBytes``; nil for anything else.
    init?(fileBytes: [UInt8]) {
        // Nil reports it.
        guard let document = try? JSONReader.read(fileBytes, limits: .own) else { return nil }
        self.init(secretDocument: document)
    }

    /// Reads ``secretDocument``; nil for anything that it would not produce: one altered letter could lead to signatures that nobody can
    /// verify, or that are made with a key that nobody activated. It does not say what is wrong, since that could reveal parts of the
    /// secret.
    init?(secretDocument: JSONValue) {
        guard let object = secretDocument.object, object.names == ["keys"], let items = object["keys"]?.array, items.count <= Self.most
        else {
            return nil
        }
        for item in items {
            guard let object = item.object, let key = object["seed"]?.string.flatMap({ SigningKey($0) }),
                let state = object["state"]?.string.flatMap(FeedKey.State.init(rawValue:)),
                let made = object["made"]?.string.flatMap({ Timestamp($0) }), let since = object["since"]?.string.flatMap({ Timestamp($0) })
            else { return nil }
            keys.append(FeedKey(key: key, state: state, made: made, since: since))
        }
        guard keys.filter({ $0.state == .active }).count <= 1, Set(keys.map(\.id)).count == keys.count,
            self.secretDocument == secretDocument
        else { return nil }
    }
}
