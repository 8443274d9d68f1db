package import GateJSON
package import GateModel

/// A target as the admin API shows it: its state, where its feeds are, and the change that led to this state.
package struct TargetBody: TabledBody {
    package var target: Target
    /// The state in the server's own word, which is to be believed where a newer server knows a rule that this version does not.
    package var state: GateState
    /// The path of each feed on both listeners.
    package var feeds: [FeedName: String]
    private var last: LastChange
    /// How far the present revision has reached the phones; nil where nobody has polled, and in lists.
    package var reach: ReachBody?

    package init(_ target: Target, lastChange: Change?, reach: ReachBody? = nil) {
        self.target = target
        state = target.gate.state
        feeds = Dictionary(uniqueKeysWithValues: FeedName.allCases.map { ($0, $0.path(for: target.key)) })
        last = .known(lastChange)
        self.reach = reach
    }

    /// Nil where the history no longer holds it, and where this version cannot read it: whoever has to close or open a target need not know
    /// who did so before.
    package var lastChange: Change? {
        get { last.change }
        set { last = .known(newValue) }
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
        last: LastChange,
        reach: ReachBody?
    ) throws(ModelError) {
        target = Target(
            key: key,
            settings: settings,
            gate: gate,
            revision: revision,
            sequence: sequence,
            since: since,
            changedAt: try last.time ?? since
        )
        self.state = state
        self.feeds = feeds
        self.last = last
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
        .needed("lastChange", .lastChange, \.last, missing: .known(nil)),
        .optional("reach", .body, \.reach),
        make: TargetBody.init(key:revision:sequence:state:since:gate:settings:feeds:last:reach:)
    )
}

/// The change that led to a target's state. One that a server's answer tells of is read when it is asked for: a list of targets is mostly
/// shown without, and reading it takes longer than reading all the rest of a target.
private enum LastChange: Sendable, Hashable {
    case known(Change?)
    /// An object.
    case unread(JSONValue)

    var change: Change? {
        switch self {
        case .known(let change): change
        // Whether it has a word that only newer versions know or is malformed: neither is worth failing for.
        case .unread(let json): try? Change(json: json)
        }
    }

    /// When it was made; all that is read at once.
    var time: Timestamp? {
        get throws(ModelError) {
            guard case .unread(let json) = self else { return change?.at }
            do throws(ModelError) {
                var reader = try ObjectReader(json, "A change", refusesOthers: false)
                return try reader.value("at", .toldTime)
            } catch {
                throw error.within("/lastChange")
            }
        }
    }

    static func == (one: LastChange, other: LastChange) -> Bool { one.change == other.change }

    func hash(into hasher: inout Hasher) { hasher.combine(change) }
}

extension JSONCodec where Value == LastChange {
    fileprivate static var lastChange: JSONCodec {
        JSONCodec(.nullable(Change.schema)) { value, name throws(ModelError) in
            value.isNull ? .known(nil) : .unread(.object(try JSONCodec<JSONObject>.anyObject.read(value, name)))
        } write: {
            $0.change?.json ?? .null
        }
    }
}
