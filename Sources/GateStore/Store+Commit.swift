package import GateCrypto
import GateJSON
import GateModel

extension Store {
    /// Writes a change and everything that it alters, or nothing: history, hash, current values, retired revisions, windows and the
    /// idempotency record are one transaction. When this returns, it is on the disk, and has been read back the way the next start will
    /// read it.
    ///
    /// Its cost depends on the targets that the change names, not on how many there are.
    /// - Throws: ``StoreError/Code/conflict`` when the sequence is not the next one, or a target does not have the revision that the change
    ///   says it had; ``StoreError/Code/duplicate`` when the Idempotency-Key was used meanwhile; ``StoreError/Code/ended`` when whoever
    ///   makes it lost access meanwhile; ``StoreError/Code/internal`` when something would not be read back as it was written; the disk's
    ///   own.
    /// - Returns: the change's hash, the new last link of the history's chain.
    @discardableResult
    package func commit(_ commit: Commit) throws(StoreError) -> SHA256Digest {
        let failpoint = configuration.failpoint
        let now = configuration.now()
        let quota = configuration.idempotency
        return try write("Writing a change", by: commit.authority) { db in
            let hash = try commit.carryOut(now: now, quota: quota, failpoint: failpoint, in: db)
            try tellOthers(in: db)
            return hash
        }
    }
}
