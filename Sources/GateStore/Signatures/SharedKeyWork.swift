import Foundation
import GateCrypto

/// Reconciles the keys of a folder with those that its database's servers share, before the first row is judged.
///
/// What the folder lacks comes from the database, what the database lacks comes from the folder, and what neither has is made: all in one
/// transaction under the writers' lock, so servers that start at the same time end up with one set. Where the two differ and it is unclear
/// which is right, nothing is altered and the server does not start. `signing.json` is not handled here, since its keys can be merged.
struct SharedKeyWork {
    static let rowsKey = "rows.key"
    static let secondFactors = "totp.key"
    /// 32 bytes each, made with the database, and all shared at once.
    static let names = [rowsKey, secondFactors, "device.key"]

    let sharing: KeySharing
    let configuration: StoreConfiguration
    private var folder: String { configuration.directory }
    private var keys: String { folder + "/keys" }
    static let doing = "Sharing keys with the other servers of the database"

    private struct Step {
        let name: String
        /// The new content of the file, if it changes.
        var file: [UInt8]?
        /// The new content of the row, if it changes.
        var row: SharedKey?
        /// The row's previous revision; nil if there was no row.
        var before: Int?
        /// The mark of both afterwards.
        var mark: SharedKey.Mark
        var note: String?
    }

    /// - Returns: what was done, for the log.
    /// - Throws: ``StoreError/Code/keysAtOdds``, and then nothing was altered.
    func settle(_ db: SQLConnection) throws -> [String] {
        let (steps, set) = try db.transaction(.writing) { try commit(in: db) }
        // A crash before this point leaves the keys in the database, where the next start finds them.
        try DurableFile.makePrivateFolder(keys, ownedAs: folder, doing: Self.doing)
        try DurableFile.syncFolder(folder, doing: Self.doing)
        for step in steps { if let bytes = step.file { try write(bytes, to: step.name) } }
        try DurableFile.syncFolder(keys, doing: Self.doing)
        let known = try SharedKeyRecord.read(from: folder)
        var record = known?.set == set ? known : nil
        if record == nil { record = SharedKeyRecord(set: set) }
        for step in steps { record?.marks[step.name] = step.mark }
        if let record, record != known { try record.write(to: folder) }
        return steps.compactMap(\.note)
    }

    private func commit(in db: SQLConnection) throws -> ([Step], set: [UInt8]) {
        let opened = try Self.open(SharedKeyRows.all(in: db), with: sharing)
        let record = try SharedKeyRecord.read(from: folder)
        let set = opened.set ?? record?.set ?? configuration.random.bytes(KeySharing.setByteCount)
        let marks = record?.set == set ? record?.marks ?? [:] : [:]
        // A file that is not a key is reported by name, before it is used as one.
        for name in Self.names { _ = try own(name) }
        // There may be a new key that had signed everything when its process ended.
        try Signatures.promoteNext(db, RowKeyFile(dataFolder: folder))
        let isSigned = try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM signatures)") ?? false
        let steps = try Self.names.map { name in
            try step(name, marks[name], opened.keys[name], isShared: opened.set != nil, isSigned: isSigned, in: db)
        }
        for step in steps {
            guard let key = step.row else { continue }
            let row = sharing.row(of: key, in: set, random: configuration.random)
            guard try SharedKeyRows.put(row, over: step.before, in: db) else {
                throw StoreError.internal("The row of \(key.name) was altered behind the writers' lock")
            }
        }
        return (steps, set)
    }

    /// Replaces what is shared, whatever that is, with a file of this folder, in the open transaction of `db`.
    /// - Throws: ``StoreError/Code/conflict`` while a server is working with the old one.
    func replace(_ name: String, with bytes: [UInt8], in db: SQLConnection) throws -> SharedKey {
        guard try !DutyLock.isInUse(in: db) else {
            throw StoreError(
                .conflict,
                "A server is using this database with the key that would be replaced",
                hint: "Stop all servers that share it first."
            )
        }
        let shared = try Self.open(SharedKeyRows.all(in: db), with: sharing).keys[name]
        guard let record = try SharedKeyRecord.read(from: folder) else { throw StoreError.internal("The folder's keys are not shared") }
        let key = SharedKey(name: name, revision: SharedKeyChoice.next(after: record.marks[name], shared?.mark), bytes: bytes)
        let row = sharing.row(of: key, in: record.set, random: configuration.random)
        guard try SharedKeyRows.put(row, over: shared?.revision, in: db) else {
            throw StoreError.internal("The row of \(name) was altered behind the writers' lock")
        }
        return key
    }

    /// Opens all rows or none: a row altered by somebody without the secret must not be mistaken for one that was never shared.
    static func open(_ rows: [SharedKeyRow], with sharing: KeySharing) throws(StoreError) -> (keys: [String: SharedKey], set: [UInt8]?) {
        var keys: [String: SharedKey] = [:]
        var set: [UInt8]?
        var unopened: [String] = []
        for row in rows {
            guard let opened = sharing.open(row.sealed, name: row.name, revision: row.revision), set ?? opened.set == opened.set else {
                unopened.append(row.name)
                continue
            }
            keys[row.name] = opened.key
            set = opened.set
        }
        guard unopened.isEmpty else { throw unopened.count == rows.count ? .wrongSecret : .alteredRows(unopened) }
        return (keys, set)
    }

    private func step(
        _ name: String,
        _ known: SharedKey.Mark?,
        _ shared: SharedKey?,
        isShared: Bool,
        isSigned: Bool,
        in db: SQLConnection
    ) throws -> Step {
        let file = keys + "/" + name
        let own = try own(name)
        // If the database has signatures, the key that made them decides.
        func isOfDatabase(_ key: [UInt8]?) throws -> Bool {
            guard name == Self.rowsKey, isSigned else { return true }
            guard let hash = key.flatMap({ KeyedHash(key: $0) }) else { return false }
            return try SignedBook.read(from: db, hash).book.chains != nil
        }
        func put(_ bytes: [UInt8], note: String?) -> Step {
            let key = SharedKey(name: name, revision: SharedKeyChoice.next(after: known, shared?.mark), bytes: bytes)
            return Step(name: name, row: key, before: shared?.revision, mark: key.mark, note: note)
        }
        switch SharedKeyChoice(own: own.map { SHA256Digest(of: $0) }, known: known, shared: shared?.mark) {
        case .same: return Step(name: name, mark: shared?.mark ?? .none)
        case .take:
            guard let shared else { break }
            guard try isOfDatabase(shared.bytes) else { throw StoreError.notOfDatabase("the shared \(name)", file) }
            return Step(name: name, file: shared.bytes, mark: shared.mark, note: "\(name) was taken from the database")
        case .put(let isRowLost):
            guard let own else { break }
            // An altered file cannot be trusted; only the row key can be checked, against what it signed.
            guard isRowLost || shared == nil || name == Self.rowsKey else { throw StoreError.differs(file) }
            guard try isOfDatabase(own) else {
                if isRowLost, shared != nil { throw StoreError.older(file) }
                throw shared == nil ? StoreError.notOfDatabase(file, file) : StoreError.differs(file)
            }
            let isGone = isRowLost ? ", where it was gone or older" : ""
            return put(own, note: "\(name) was put into the database\(isGone)")
        case .atOdds:
            guard name == Self.rowsKey, isSigned, let own, try isOfDatabase(own), try !isOfDatabase(shared?.bytes) else {
                throw StoreError.differs(file)
            }
            return put(own, note: "\(name) was put into the database, whose rows are signed with it")
        case .nothing:
            // Keys are made all together or not at all: a missing one was in use before.
            if isShared { throw StoreError.gone(name) }
            if name == Self.rowsKey, try isSigned || !Signatures.isEmpty(db) { throw StoreError.notSharedYet(file) }
            if name == Self.secondFactors, try db.value(Bool.self, sql: Self.hasSecondFactors) ?? true {
                throw StoreError.lostFactors(file)
            }
            let made = configuration.random.bytes(KeyedHash.keyByteCount)
            var step = put(made, note: "\(name) was made, and put into the database")
            step.file = made
            return step
        }
        throw StoreError.internal("There is no \(name)")
    }

    /// The folder's own file; nil if there is none.
    private func own(_ name: String) throws(StoreError) -> [UInt8]? {
        let file = keys + "/" + name
        let own = try DurableFile.read(file, doing: "Reading a key")
        if let own, own.count != KeyedHash.keyByteCount {
            throw StoreError(
                .keysAtOdds,
                "\(file) holds no key",
                hint: "Put it back from a copy of keys/, or move it away for the shared one."
            )
        }
        return own
    }

    private static let hasSecondFactors = "SELECT EXISTS (SELECT 1 FROM users WHERE totp_secret IS NOT NULL)"

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = keys + "/" + name
        // The old key is kept, as when a new one is made: it is needed to check the rows of an older backup.
        if DataDirectory.exists(file), rename(file, file + ".old") != 0 { throw StoreError(errno: errno, doing: Self.doing, at: file) }
        try DurableFile.replace(file, with: bytes, ownedAs: folder, doing: Self.doing)
    }
}

extension StoreError {
    private static func atOdds(_ detail: String, _ hint: String) -> StoreError { StoreError(.keysAtOdds, detail, hint: hint) }

    static let wrongSecret = atOdds(
        "The keys that the servers of this database share do not open with this secret",
        "Give this server the secret of the others: GATEHOUSE_KEYS_SECRET, or the file of --keys-secret-file. Nothing was changed."
    )

    static func alteredRows(_ names: [String]) -> StoreError {
        atOdds(
            "Rows of shared_keys were not written by a server with this secret: \(names.joined(separator: ", "))",
            "Somebody has altered them. Delete these rows, and first start a server whose folder has the files: it puts them there again."
        )
    }

    fileprivate static func notOfDatabase(_ what: String, _ file: String) -> StoreError {
        atOdds(
            "\(what) is not the key that the rows of this database are signed with",
            "Check that --data and --database belong together. Move \(file) away if it belongs to another database; if the right key is lost, run gatehouse admin sign."
        )
    }

    fileprivate static func differs(_ file: String) -> StoreError {
        atOdds(
            "\(file) is not the key that the servers of this database share",
            "Check that --data and --database belong together. If they do, move the file away: the shared one takes its place at the next start."
        )
    }

    fileprivate static func older(_ file: String) -> StoreError {
        atOdds(
            "The database is older than the one this folder has served: its rows are not signed with \(file), which replaced an earlier key",
            "Put the right database back. If this one was put back on purpose, move \(file) and keys/shared.json away: the database's key takes its place."
        )
    }

    fileprivate static func gone(_ name: String) -> StoreError {
        atOdds(
            "The database's row of \(name) is gone from shared_keys, and this folder has no such file",
            "First start a server whose folder has the file: it puts the row there again."
        )
    }

    fileprivate static func notSharedYet(_ file: String) -> StoreError {
        atOdds(
            "The database has no shared keys yet, and this folder has no \(file)",
            "With the same secret, first start the server whose folder has the keys, or put them into this folder."
        )
    }

    fileprivate static func lostFactors(_ file: String) -> StoreError {
        atOdds(
            "People have second factors in this database, and this folder has no \(file) to open them with",
            "First start the server whose folder has it, or put it back. If it is lost: head -c 32 /dev/urandom > \(file), and people sign in with recovery codes."
        )
    }
}
