/// The append-only tables, with the columns that their hashes cover.
enum HistoryTable: String, CaseIterable {
    case changes
    case changeTargets = "change_targets"
    case audit

    /// Every column but `hash`. Order and names are part of the hash: a column added by a later migration goes to the end, and its NULLs
    /// leave the hashes of older rows unchanged.
    var columns: [String] {
        switch self {
        case .changes:
            [
                "sequence", "at", "actor_kind", "actor_name", "source", "kind", "reason", "request_id", "app", "target_count", "apps_after",
                "actor_id",
                "actor_user", "skipped",
            ]
        case .changeTargets:
            [
                "sequence", "position", "app", "platform", "previous", "revision", "before", "after", "settings_before", "settings_after",
                "feeds",
            ]
        case .audit:
            [
                "sequence", "at", "actor_kind", "actor_name", "action", "outcome", "subject", "address", "request_id", "detail", "actor_id",
                "actor_user",
            ]
        }
    }

    /// The columns with their raw bytes (``SQLConnection/rawBytes(of:)``), so nothing that is stored escapes the hash, not even a NUL or
    /// invalid UTF-8. Columns that an older schema lacks are NULL.
    func columnsAsBytes(in db: SQLConnection) throws -> String {
        let present = Set(try db.columns(of: rawValue))
        return columns.map { present.contains($0) ? db.rawBytes(of: $0) : "NULL" }.joined(separator: ", ")
    }
}
