package import GateModel

/// Everything that is in force, as it was last committed.
package struct StoredState: Sendable, Equatable {
    /// In the order of their keys.
    package let apps: [App]
    /// Sequence of the last change, 0 before the first.
    package let lastSequence: Int
    /// The last revision of every deleted target: if the key is used again, counting continues from it.
    package let retired: [TargetKey: Int]
    /// Apps that are not in ``apps``, because a part of them cannot be read.
    package let sealed: [SealedApp]
    /// Rows that cannot be read, including those of ``sealed``.
    package let unreadable: [StoreFault]

    package init(apps: [App], lastSequence: Int, retired: [TargetKey: Int], sealed: [SealedApp] = [], unreadable: [StoreFault] = []) {
        self.apps = apps
        self.lastSequence = lastSequence
        self.retired = retired
        self.sealed = sealed
        self.unreadable = unreadable
    }
}

/// An app that is partly unreadable, so its feeds cannot be made. It stays as it was last published.
package struct SealedApp: Sendable, Equatable {
    package let key: AppKey
    /// The app's old addresses, which no other app may use, as far as they can be read.
    package let aliases: [Alias]

    package init(key: AppKey, aliases: [Alias]) {
        self.key = key
        self.aliases = aliases
    }
}

/// What any server committed after a sequence.
package struct StoredNews: Sendable {
    /// Oldest first, up to the newest; if there are too many, the oldest are left out.
    package let changes: [Change]
    /// The last change's link; nil when it cannot be read.
    package let last: ChainHead?
    /// Every app that the changes touch: one that is neither in ``state`` nor sealed is deleted.
    package let apps: Set<AppKey>
    /// What is now in force for ``apps``.
    package let state: StoredState
    package let schedule: StoredSchedule
}
