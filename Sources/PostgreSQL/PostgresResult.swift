/// What a statement brought. Thread rule: any; a value.
package struct PostgresResult: Sendable {
    /// Of a statement without rows too: then none.
    package let columns: PostgresColumns
    package let rows: [PostgresRow]
    /// How many rows were inserted, changed, deleted or given back; 0 for statements that do none of it.
    package let affectedRows: Int
}
