extension FolderRelease {
    /// Refuses a folder whose server works on PostgreSQL and which still has the database of before: whoever opens it has left out
    /// `--database`, and would read, write or keep what nobody uses any more. Without later changes than its own, as the folder's anchor
    /// shows, the old database is still the way back.
    /// - Parameter heads: the last links of the folder's own database.
    /// - Throws: ``StoreError/Code/unreadable``.
    static func requireNotLeft(_ directory: String, at heads: ChainAnchor) throws(StoreError) {
        // An anchor that cannot be read shows nothing, and whoever compares the history with it says so.
        guard read(from: directory)?.isOfServer == true, let anchor = try? ChainAnchor.kept(in: directory), anchor.isAhead(of: heads)
        else { return }
        throw left(directory, lack: ", and \(directory)/gatehouse.sqlite lacks what it has written there")
    }
}
