/// The tables that a copy has, in an order in which each names only rows that are there already. Left out are the
/// ledger of the migrations, for each engine has its own, the servers that share a database, which write themselves and their polls down, and
/// the files of `keys/`, which are in the data folder.
enum CopiedTable: String, CaseIterable, Sendable {
    case apps, changes
    case changeTargets = "change_targets"
    case targets
    case retiredTargets = "retired_targets"
    case ownFeeds = "own_feeds"
    case idempotencyRecords = "idempotency_records"
    case idempotencyUsage = "idempotency_usage"
    case users, sessions
    case recoveryCodes = "recovery_codes"
    case tokens, throttles, audit, windows
    case windowTargets = "window_targets"
    case signatures

    /// The columns of the primary key, in whose order rows are read. Both engines sort texts by their bytes.
    var key: [String] {
        switch self {
        case .apps: ["key"]
        case .changes, .audit: ["sequence"]
        case .changeTargets: ["sequence", "position"]
        case .targets, .retiredTargets: ["app", "platform"]
        case .ownFeeds: ["app", "name"]
        case .idempotencyRecords: ["actor", "key"]
        case .idempotencyUsage: ["actor"]
        case .users, .sessions, .tokens, .windows: ["id"]
        case .recoveryCodes: ["user_id", "digest"]
        case .throttles: ["scope"]
        case .windowTargets: ["app", "window_id", "platform"]
        case .signatures: ["name"]
        }
    }

    /// How its rows come to be in the copy.
    enum Way {
        case rows
        /// With the changes: the triggers take a change with all of its targets, and then the next.
        case history
        /// The triggers count other rows into it.
        case triggers
    }

    var way: Way {
        switch self {
        case .changes, .changeTargets: .history
        case .idempotencyUsage: .triggers
        default: .rows
        }
    }

    /// A column that begins at 0 because triggers count rows into it that come later.
    var countedColumn: String? { self == .apps ? "own_feed_count" : nil }

    /// Whether it gives its rows numbers that are never used again.
    var hasOwnNumbers: Bool { self == .users }
}
