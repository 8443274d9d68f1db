import GateCrypto
import GateJSON
import GateModel

extension Store {
    /// Writes a change and everything that it alters, or nothing: history, hash, current values, retired revisions, windows and the idempotency
    /// record stand in one transaction. When this returns, it is on the disk, and the readers of the next start have read it.
    ///
    /// Its cost depends on the targets that the change names, not on how many there are.
    /// - Throws: ``StoreError/Code/conflict`` when the sequence is not the next one, or a target does not have the revision that the change says
    ///   it had; ``StoreError/Code/duplicate`` when the Idempotency-Key was used meanwhile; ``StoreError/Code/ended`` when whoever makes it was
    ///   kept out meanwhile; ``StoreError/Code/internal`` when something would not be read back as it is; the disk's own.
    package func commit(_ commit: Commit) throws(StoreError) {
        let failpoint = configuration.failpoint
        let now = configuration.now()
        let quota = configuration.idempotency
        try write("Writing a change", by: commit.authority) { db in
            try commit.carryOut(now: now, quota: quota, failpoint: failpoint, in: db)
            try tellOthers(in: db)
        }
    }
}
