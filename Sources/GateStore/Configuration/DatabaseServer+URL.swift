extension DatabaseServer {
    /// - Throws: ``StoreError/Code/unreadable`` for a text that is not a libpq URL; the message repeats nothing of it.
    package init(_ url: String) throws(StoreError) {
        do throws(SQLError) { try self.init(url: url) } catch {
            throw StoreError(
                .unreadable,
                error.message,
                hint: "Write postgresql://USER@HOST/DATABASE, and give the password by PGPASSFILE or PGPASSWORD."
            )
        }
    }
}
