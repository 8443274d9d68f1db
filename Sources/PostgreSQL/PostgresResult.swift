/// The result of a statement. Thread rule: any; a value.
package struct PostgresResult: Sendable {
    /// Empty for a statement that returns no rows.
    package let columns: PostgresColumns
    package let rows: [PostgresRow]
    /// How many rows were inserted, changed, deleted or returned; 0 for statements that do none of these.
    package let affectedRows: Int
}
