import GateJSON

extension FeedKeyRing {
    /// Joins two rings of which neither comes from the other: two servers were given different orders at the same time.
    ///
    /// No key is lost. For a key in both, the state it entered last counts. If each has a different key that signs, the one activated last
    /// goes on, and the other is retired as of that moment. The result does not depend on the order in which rings are joined.
    /// - Parameter areRelated: whether both were once one ring. If they never were, nobody can say which key apps know.
    /// - Throws: `key_in_use` when that must be known and is not; `too_many_keys`.
    init(joining own: FeedKeyRing, with shared: FeedKeyRing, areRelated: Bool) throws(ServiceError) {
        var joined: [String: FeedKey] = [:]
        for key in own.keys + shared.keys {
            guard let other = joined[key.id] else {
                joined[key.id] = key
                continue
            }
            let isLater = (key.since, key.state.rawValue) > (other.since, other.state.rawValue)
            if isLater { joined[key.id] = key }
        }
        let signing = joined.values.filter { $0.state == .active }.sorted { ($0.since, $0.id) > ($1.since, $1.id) }
        guard areRelated || signing.count <= 1 else {
            throw ServiceError(
                .conflict,
                "key_in_use",
                "The folder's key \(own.active?.id ?? "") signs feeds, and so does \(shared.active?.id ?? "") of the other servers."
            )
        }
        for key in signing.dropFirst() {
            joined[key.id]?.state = .retired
            joined[key.id]?.since = signing[0].since
        }
        var kept = joined.values.sorted { ($0.made, $0.id) < ($1.made, $1.id) }
        // The same rule as in ``add(random:at:)``.
        while kept.count > Self.most {
            let oldest = kept.indices.filter { kept[$0].state == .retired }.min {
                (kept[$0].since, kept[$0].id) < (kept[$1].since, kept[$1].id)
            }
            guard let oldest else {
                throw ServiceError(.conflict, "too_many_keys", "Together there are \(kept.count) keys and none is retired; retire some.")
            }
            kept.remove(at: oldest)
        }
        keys = kept
    }
}
