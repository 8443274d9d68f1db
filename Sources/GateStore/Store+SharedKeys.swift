import GateCrypto

/// The keys that the servers of a database share, while they run.
extension Store {
    /// Whether this server has a secret to share keys with.
    package var sharesKeys: Bool { configuration.sharing != nil && isShared }

    /// The revisions in the database, by file name: they show whether there is anything new without decrypting anything.
    package func sharedKeyRevisions() throws(StoreError) -> [String: Int] {
        try look("Asking for shared keys") { try SharedKeyRows.revisions(in: $0) }
    }

    /// The shared version of a file; nil when nobody has shared it yet.
    /// - Throws: ``StoreError/Code/keysAtOdds`` for a row that was not written by a server with this secret for this database.
    package func sharedKey(_ name: String) throws(StoreError) -> SharedKey? {
        guard let sharing = configuration.sharing else { return nil }
        let row = try look("Reading a shared key") { try SharedKeyRows.row(name, in: $0) }
        guard let row else { return nil }
        let known = try SharedKeyRecord.read(from: configuration.directory)
        guard let opened = sharing.open(row.sealed, name: row.name, revision: row.revision), known.map({ $0.set == opened.set }) ?? true
        else {
            throw .alteredRows([name])
        }
        return opened.key
    }

    /// What file and row were when they last agreed; nil where they never did.
    package func sharedKeyMark(_ name: String) throws(StoreError) -> SharedKey.Mark? {
        try SharedKeyRecord.read(from: configuration.directory)?.marks[name]
    }

    /// Remembers that a file and its row are the same now.
    package func remember(_ mark: SharedKey.Mark, of name: String) throws(StoreError) {
        guard var record = try sharedKeyRecord(), record.marks[name] != mark else { return }
        record.marks[name] = mark
        try record.write(to: configuration.directory)
    }

    /// Replaces the row of that revision with a file, and notifies the other servers.
    /// - Parameter revision: the revision that was seen; nil if there was no row.
    /// - Returns: false where somebody else was faster; then nothing is written.
    package func share(_ key: SharedKey, over revision: Int?) throws(StoreError) -> Bool {
        guard let sharing = configuration.sharing, let set = try sharedKeyRecord()?.set else { return false }
        let row = sharing.row(of: key, in: set, random: configuration.random)
        return try write("Sharing a key") { db in
            let isDone = try SharedKeyRows.put(row, over: revision, in: db)
            if isDone { try tellOthers(in: db) }
            return isDone
        }
    }

    /// The folder's record; where somebody has removed that file, one with the set that the rows name.
    private func sharedKeyRecord() throws(StoreError) -> SharedKeyRecord? {
        if let record = try SharedKeyRecord.read(from: configuration.directory) { return record }
        guard let sharing = configuration.sharing else { return nil }
        let rows = try look("Reading the shared keys") { try SharedKeyRows.all(in: $0) }
        return try SharedKeyWork.open(rows, with: sharing).set.map { SharedKeyRecord(set: $0) }
    }

    /// Checks that the keys every server was started with are still the shared ones. A key whose row is gone from the database, or was put
    /// back in an older state, is stored there again.
    /// - Returns: what was done, for the log.
    /// - Throws: ``StoreError/Code/keysAtOdds`` where the shared key is no longer the one that this server runs with.
    package func keepSharedKeys() throws(StoreError) -> [String] {
        var notes: [String] = []
        for name in SharedKeyWork.names {
            let file = configuration.directory + "/keys/" + name
            guard let bytes = try DurableFile.read(file, doing: "Reading a key") else { continue }
            let own = SHA256Digest(of: bytes)
            let (known, shared) = (try sharedKeyMark(name), try sharedKey(name))
            switch SharedKeyChoice(own: own, known: known, shared: shared?.mark) {
            case .same:
                if let shared { try remember(shared.mark, of: name) }
            case .put(let isRowLost) where isRowLost:
                let key = SharedKey(name: name, revision: SharedKeyChoice.next(after: known, shared?.mark), bytes: bytes)
                guard try share(key, over: shared?.revision) else { continue }
                try remember(key.mark, of: name)
                notes.append("\(name) was put into the database, where it was gone or older")
            case .nothing, .take, .put, .atOdds:
                throw StoreError(
                    .keysAtOdds,
                    "keys/\(name) of this server is no longer the one that the servers of the database share",
                    hint: "Restart this server: its start takes the shared one, or says which file is in its way."
                )
            }
        }
        return notes
    }
}
