package import GateJSON
package import GateModel

/// A target as the admin API shows it: its state, where its feeds are, and the change that led to this state.
package struct TargetBody: TabledBody {
    package var target: Target
    /// The state in the server's own word, which is to be believed where a newer server knows a rule that this version does not.
    package var state: GateState
    /// The path of each feed on both listeners.
    package var feeds: [FeedName: String]
    /// Nil where the history no longer holds it, and where it has a word that only newer versions know.
    package var lastChange: Change?
    /// How far the present revision has reached the phones; nil where nobody has polled, and in lists.
    package var reach: ReachBody?

    package init(_ target: Target, lastChange: Change?, reach: ReachBody? = nil) {
        self.target = target
        state = target.gate.state
        feeds = Dictionary(uniqueKeysWithValues: FeedName.allCases.map { ($0, $0.path(for: target.key)) })
        self.lastChange = lastChange
        self.reach = reach
    }

    /// A target as a server's answer describes it.
    private init(
        key: TargetKey,
        revision: Int,
        sequence: Int,
        state: GateState,
        since: Timestamp,
        gate: Gate,
        settings: PlatformSettings,
        feeds: [FeedName: String],
        lastChange: Change?,
        reach: ReachBody?
    ) {
        target = Target(
            key: key,
            settings: settings,
            gate: gate,
            revision: revision,
            sequence: sequence,
            since: since,
            changedAt: lastChange?.at ?? since
        )
        self.state = state
        self.feeds = feeds
        self.lastChange = lastChange
        self.reach = reach
    }

    package static let table = FieldTable<TargetBody>(
        answer: "Target",
        "A target",
        .target(\.target.key),
        .needed("revision", .integer(1...), \.target.revision),
        .needed("sequence", .integer(1...), \.target.sequence),
        .needed("state", .word, \.state),
        .needed("since", .time, \.target.since),
        .needed("gate", .gate, \.target.gate),
        .needed("settings", .settings, \.target.settings),
        .needed("feeds", .feedPaths, \.feeds),
        .needed("lastChange", .lastChange, \.lastChange, missing: nil),
        .optional("reach", .body, \.reach),
        make: TargetBody.init(key:revision:sequence:state:since:gate:settings:feeds:lastChange:reach:)
    )
}

extension JSONCodec where Value == Change? {
    /// A change of a kind, from a source or by an actor that only newer versions know is read as null: whoever has to close or open a
    /// target need not know who did so before.
    fileprivate static var lastChange: JSONCodec {
        let known = JSONCodec.document { change in
            change.isStrange("source", Change.Source.self) || change.isStrange("kind", Change.Kind.self)
                || change["actor"]?.object?.isStrange("kind", Actor.Kind.self) == true
        }
        return JSONCodec(.nullable(known.schema)) { value, name throws(ModelError) in
            value.isNull ? nil : try known.read(value, name)
        } write: {
            known.write($0)
        }
    }
}
