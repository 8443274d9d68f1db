import GateCrypto
package import GateStore
import Synchronization

/// Keeps a server's folder and the servers that share its database at the same keys while the server runs: what `gatehouse keys` does to
/// one folder reaches all of them.
///
/// Thread-safe; ``look(at:)`` waits for the database and the disk.
package final class KeyShare: Sendable {
    /// The state of the folder's file and the database's rows when there was nothing left to do.
    private struct Sight: Equatable {
        let stamp: FeedKeyFolder.Stamp?
        let revisions: [String: Int]
    }

    private static let name = "signing.json"

    private let folder: FeedKeyFolder
    private let tell: @Sendable (String) -> Void
    private let seen = Mutex<Sight?>(nil)

    /// - Parameter tell: writes into the log what was done; names no secret.
    package init(folder: FeedKeyFolder, tell: @escaping @Sendable (String) -> Void) {
        (self.folder, self.tell) = (folder, tell)
    }

    /// Brings both into line; to be called about once a second, whenever another server reports news, and before the first feed is
    /// published. Costs one look at the file and one query to the database when there is nothing new.
    /// - Throws: ``StoreError/Code/keysAtOdds`` when a person has to decide; errors of the file system and the database.
    package func look(at store: Store) throws(StoreError) {
        guard store.sharesKeys else { return }
        // One call at a time: the start and the watch both call this.
        try seen.withLock { seen throws(StoreError) in
            // Taken before anything is read: a change made meanwhile is seen by the next look.
            let sight = Sight(stamp: folder.stamp, revisions: try store.sharedKeyRevisions())
            guard sight != seen else { return }
            // Both steps always run: a key file that needs a person's attention must not hold back the feeds' keys.
            var fault: StoreError?
            do throws(StoreError) { for note in try store.keepSharedKeys() { tell(note) } } catch { fault = error }
            let isRead = try settle(store)
            if let fault { throw fault }
            // If something was done, the next look finds another sight, and nothing to do.
            seen = isRead ? sight : nil
        }
    }

    /// - Returns: false when the folder's file cannot be read: ``FeedSigner`` reports that, and a server must not lose its database because
    ///   of it.
    private func settle(_ store: Store) throws(StoreError) -> Bool {
        for _ in 0..<8 {
            let own: FeedKeyRing?
            do throws(StoreError) { own = try folder.read() } catch { return false }
            if try isSettled(own, store) { return true }
        }
        throw StoreError(.busy, "Others were faster again and again", hint: "It is tried again.", operation: "Sharing signing.json")
    }

    /// - Returns: false when somebody else changed one of the two meanwhile, so that everything has to be checked again.
    private func isSettled(_ own: FeedKeyRing?, _ store: Store) throws(StoreError) -> Bool {
        let bytes = own?.fileBytes
        let (known, shared) = (try store.sharedKeyMark(Self.name), try store.sharedKey(Self.name))
        func take(_ ring: FeedKeyRing, _ key: SharedKey, _ note: String) throws(StoreError) -> Bool {
            guard bytes == ring.fileBytes ? true : try folder.replace(bytes, with: ring) else { return false }
            try store.remember(key.mark, of: Self.name)
            tell(note)
            return true
        }
        func share(_ ring: FeedKeyRing) throws(StoreError) -> SharedKey? {
            let revision = SharedKeyChoice.next(after: known, shared?.mark)
            let key = SharedKey(name: Self.name, revision: revision, bytes: ring.fileBytes)
            return try store.share(key, over: shared?.revision) ? key : nil
        }
        switch SharedKeyChoice(own: bytes.map { SHA256Digest(of: $0) }, known: known, shared: shared?.mark) {
        case .nothing:
            // Recorded so that first keys made later, even at two servers at once, are known to start from none.
            if known == nil { try store.remember(.none, of: Self.name) }
            return true
        case .same:
            if let shared { try store.remember(shared.mark, of: Self.name) }
            return true
        case .take:
            guard let shared else { return false }
            return try take(Self.ring(shared), shared, "\(shared) was taken from the database")
        case .put(let isRowLost):
            guard let own else { return false }
            guard let key = try share(own) else { return false }
            try store.remember(key.mark, of: Self.name)
            tell("\(key) was put into the database\(isRowLost ? ", where it was gone or older" : "")")
            return true
        case .atOdds:
            guard let own, let shared else { return false }
            let ring = try Self.join(own, Self.ring(shared), areRelated: known != nil)
            if ring.fileBytes == shared.bytes {
                return try take(ring, shared, "\(shared) was taken from the database, with what the folder has")
            }
            guard let key = try share(ring) else { return false }
            // Remembered only once the file is written: a key made since must not be taken for one that includes these.
            return try take(ring, key, "\(key) was joined from the folder's and the database's keys")
        }
    }

    private static func ring(_ shared: SharedKey) throws(StoreError) -> FeedKeyRing {
        guard let ring = FeedKeyRing(fileBytes: shared.bytes), ring.fileBytes == shared.bytes else {
            throw StoreError(
                .keysAtOdds,
                "The shared signing.json is not what this version of gatehouse wrote",
                hint: "Start all servers with the same version; the keys in keys/ go on signing."
            )
        }
        return ring
    }

    private static func join(_ own: FeedKeyRing, _ shared: FeedKeyRing, areRelated: Bool) throws(StoreError) -> FeedKeyRing {
        do throws(ServiceError) { return try FeedKeyRing(joining: own, with: shared, areRelated: areRelated) } catch {
            throw StoreError(
                .keysAtOdds,
                "keys/signing.json of this folder and the keys that the servers of its database share cannot be joined. \(error.detail)",
                hint:
                    "To sign as the others do, move keys/signing.json away and keep it; or retire keys, gatehouse keys retire --force, in the folder whose key no app knows."
            )
        }
    }
}
