/// How dangerous a plan's effect on people is; decides what must be confirmed, in the dashboard and in gatectl alike.
public enum DangerTier: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing changes.
    case none = 0
    /// Lets people in, or shows them something that they can dismiss.
    case notice = 1
    /// Keeps people out of one target.
    case block = 2
    /// Keeps people out of several targets at once, or deletes.
    case many = 3

    public static func < (one: DangerTier, other: DangerTier) -> Bool { one.rawValue < other.rawValue }

    /// The tier of turning one gate into another: 2 if any rule newly keeps people out, or keeps out more people than before.
    public init(from before: Gate, to after: Gate, scheme: VersionScheme) {
        self = Self.rule(shuttingOut: before, after, scheme: scheme) != nil ? .block : before == after ? .none : .notice
    }

    /// The worst rule by which `after` keeps out people whom `before` let in, or nil. A new text on a rule that is already on keeps out
    /// nobody more; a kill switch that now lifts itself later, or no longer lifts itself, does.
    public static func rule(shuttingOut before: Gate, _ after: Gate, scheme: VersionScheme) -> Rule? {
        if lastsLonger(before.killSwitch, after.killSwitch) { return .killSwitch }
        if before.forceUpdate == nil && after.forceUpdate != nil { return .forceUpdate }
        if requiresMore(before.requiredUpdate, after.requiredUpdate, scheme) { return .requiredUpdate }
        if before.blockingAlert == nil && after.blockingAlert != nil { return .alert }
        return nil
    }

    private static func lastsLonger(_ before: KillSwitch?, _ after: KillSwitch?) -> Bool {
        guard let after else { return false }
        guard let before else { return true }
        // Those who were let in during the opening are shut out again.
        if let opening = before.opening, after.opening.map({ $0 > opening }) ?? true { return true }
        guard let end = before.until else { return false }
        return after.until.map { $0 > end } ?? true
    }

    private static func requiresMore(_ before: RequiredUpdate?, _ after: RequiredUpdate?, _ scheme: VersionScheme) -> Bool {
        guard let after else { return false }
        guard let before else { return true }
        return scheme.isOlder(before.minimumVersion, than: after.minimumVersion)
            || !Set(after.blockedVersions).isSubset(of: before.blockedVersions)
    }
}
