import GateService
import GateStore
import Logging

/// Keeps the keys in this server's folder and in the others' the same, where the servers are given a secret to share them with.
struct SharedKeysKeeper: Sendable {
    private let share: KeyShare
    private let ledger: Ledger

    private static let sharing = Chore("Sharing keys with the other servers", by: "watch")

    init(dataFolder: String, ledger: Ledger, log: Logger) {
        share = KeyShare(folder: FeedKeyFolder(dataFolder: dataFolder)) { log.notice("shared keys: \($0)") }
        self.ledger = ledger
    }

    /// At the start, before anything is published.
    /// - Throws: as ``KeyShare/look(at:)``.
    func begin(with store: Store) throws(StoreError) { try share.look(at: store) }

    /// To be called while the server runs. It goes on with the keys that it has, whatever is wrong with those in the database.
    func keep() {
        guard let store = ledger.reachableStore, store.sharesKeys else { return }
        do throws(StoreError) {
            try share.look(at: store)
            ledger.failures.worked(Self.sharing)
            ledger.sharedKeys(fault: nil)
        } catch {
            ledger.failures.failed(Self.sharing, error)
            switch (error.code, error.cause) {
            case (.keysAtOdds, _): ledger.sharedKeys(fault: "keys: \(error.detail)")
            case (_, .system): ledger.sharedKeys(fault: "keys: they cannot be read or written in this server's folder")
            // A database that is away is reported as such.
            default: break
            }
        }
    }
}
