public import GateJSON

/// What a change alters of an app itself and not of one of its targets: a row of a plan's list of apps.
public struct AppDifference: Sendable, Hashable {
    public let app: AppKey
    /// `name`, `aliases`, or of a feed of an own shape `ownFeeds.status`, which is its definition, and `ownFeeds.status.document`, which is what
    /// comes out. An app that comes or goes has at least its name.
    public let field: String
    /// Nil for an app that was not there, and where there was no alias.
    public let before: JSONValue?
    /// Nil for an app that goes, and where no alias is left.
    public let after: JSONValue?

    public init(app: AppKey, field: String, before: JSONValue?, after: JSONValue?) {
        self.app = app
        self.field = field
        self.before = before
        self.after = after
    }

    /// The rows by which two states of an app differ, targets aside.
    /// - Parameters:
    ///   - before: nil for an app that comes.
    ///   - after: nil for an app that goes.
    public static func between(_ before: App?, _ after: App?) -> [AppDifference] {
        guard let key = after?.key ?? before?.key else { return [] }
        let rows: [(String, (App) -> JSONValue?)] = [
            ("name", { .string($0.name) }), ("aliases", { $0.aliases.isEmpty ? nil : .array($0.aliases.map(\.json)) }),
        ]
        return rows.compactMap { field, value in
            let (old, new) = (before.flatMap(value), after.flatMap(value))
            return old == new ? nil : AppDifference(app: key, field: field, before: old, after: new)
        }
            + OwnFeedEdit.between(before, after).map { edit in
                let old = before?.ownFeeds[edit.name]
                return AppDifference(app: key, field: "ownFeeds.\(edit.name)", before: old?.json, after: edit.feed?.json)
            }
    }
}
