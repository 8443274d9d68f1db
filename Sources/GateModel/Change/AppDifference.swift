public import GateJSON

/// Something that a change alters in an app itself rather than in one of its targets: a row in a plan's list of apps.
public struct AppDifference: Sendable, Hashable {
    public let app: AppKey
    /// `name` or `aliases`; for a feed of the app's own shape, `ownFeeds.status` is its definition and `ownFeeds.status.document` the
    /// document that it produces. An app that is added or removed has at least its name here.
    public let field: String
    /// Nil for an app that is being added, and where there was no alias.
    public let before: JSONValue?
    /// Nil for an app that is being removed, and where no alias is left.
    public let after: JSONValue?

    public init(app: AppKey, field: String, before: JSONValue?, after: JSONValue?) {
        self.app = app
        self.field = field
        self.before = before
        self.after = after
    }

    /// The rows in which two states of an app differ, apart from its targets.
    /// - Parameters:
    ///   - before: nil for an app that is being added.
    ///   - after: nil for an app that is being removed.
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
