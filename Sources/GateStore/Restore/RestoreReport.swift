package import GateJSON
package import GateModel

/// What a restore has done, or would do.
package struct RestoreReport: Sendable {
    /// What happened to the signatures of people, tokens and windows.
    package enum Trust: Sendable, Equatable {
        /// The key that they were signed with was there; rows without a right signature were ended.
        case checked(ended: [StoreFault])
        /// So it was, but it is a former key of the folder. If somebody may have it, rows that carry its signature prove nothing.
        case checkedWithFormerKey(ended: [StoreFault])
        /// The key was missing, so everything was taken over as it was in the backup.
        case takenOver
    }

    /// A change that is lost, because it was made after the backup.
    package struct LostChange: Sendable, Equatable {
        package let sequence: Int
        package let at: Timestamp
        package let actor: Actor
        package let targets: [TargetKey]
    }

    package let manifest: BackupManifest
    /// The sequence of the restore's own change in the history; the next change follows it.
    package let sequence: Int
    /// Sequences that are skipped, because they may have been handed out; nil for none.
    package let skipped: ClosedRange<Int>?
    /// The last change that the folder, or an anchor, knows of; nil when nothing is known about changes after the backup.
    package let lastKnown: Int?
    /// How many changes are lost; nil when nobody knows.
    package let lostCount: Int?
    /// The newest of the changes that are lost, as far as the folder's database can be read.
    package let lost: [LostChange]
    /// What could not be read in the folder, as sentences.
    package let unread: [String]
    /// Where the folder's former files are now; nil when there were none, and in a trial.
    package let aside: String?
    /// Nil in a trial.
    package let trust: Trust?
    /// People who may do everything, by name.
    package let administrators: [String]
    /// Whether the folder's key for second factors is missing although somebody has a second factor.
    package let lacksSecondFactorKey: Bool
    /// Files of `keys/` that the folder lacked and has got from the backup.
    package let keys: [String]
}
