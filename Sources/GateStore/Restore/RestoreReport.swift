package import GateJSON
package import GateModel

/// What a restore has done, or would do.
package struct RestoreReport: Sendable {
    /// What became of the signatures that people, tokens and windows carry.
    package enum Trust: Sendable, Equatable {
        /// The folder has the key that they were signed with; what did not carry its signature was ended.
        case checked(ended: [StoreFault])
        /// The key is not there, so that everything was taken over as it stands in the backup.
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
    /// Of the restore's own row in the history: the next change has the one after it.
    package let sequence: Int
    /// Sequences that stand for no change, because they may have been handed out; nil for none.
    package let skipped: ClosedRange<Int>?
    /// The last change that the folder, or an anchor, knows of; nil when nothing is known of what came after the backup.
    package let lastKnown: Int?
    /// The newest of the changes that are lost, as far as the folder's database can be read.
    package let lost: [LostChange]
    /// What of the folder could not be read, as sentences.
    package let unread: [String]
    /// Where what was there is now; nil when nothing was, and in a trial.
    package let aside: String?
    /// Nil in a trial.
    package let trust: Trust?
    /// People who may do everything, by name.
    package let administrators: [String]
    /// The folder's key for second factors is not there, and somebody has one.
    package let lacksSecondFactorKey: Bool
    /// Files of `keys/` that the backup had and the folder had not, and has now.
    package let keys: [String]

    /// How many changes are lost; nil when nobody knows.
    package var lostCount: Int? { lastKnown.map { max(0, $0 - manifest.sequence) } }
}
