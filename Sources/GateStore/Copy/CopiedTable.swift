/// The tables that are copied, in an order in which rows refer only to rows that are already there. Left out are the ledger of the
/// migrations, since each engine has its own; the tables of the servers that share a database and of their polls, which the servers write
/// again; and the shared files of `keys/`, which are in the data folder.
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

    /// How its rows get into the copy.
    enum Way {
        case rows
        /// With the changes: the triggers accept a change with all of its targets, and then the next.
        case history
        /// The triggers fill it by counting other rows.
        case triggers
    }

    var way: Way {
        switch self {
        case .changes, .changeTargets: .history
        case .idempotencyUsage: .triggers
        default: .rows
        }
    }

    /// A column that is written as 0, because triggers count later rows into it.
    var countedColumn: String? { self == .apps ? "own_feed_count" : nil }

    /// Whether it assigns numbers to its rows that are never used again.
    var hasOwnNumbers: Bool { self == .users }
}
