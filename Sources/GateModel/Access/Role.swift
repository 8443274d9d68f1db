/// What a person or a token may do; each role includes the ones before it.
public enum Role: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Reads.
    case viewer
    /// Also changes gates and windows of the apps in its ``AppScope``.
    case `operator`
    /// Also manages apps, people, tokens and backups.
    case admin

    public static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }
}
