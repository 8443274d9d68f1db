package import GateModel

/// Everything that is in force, as it was last committed.
package struct StoredState: Sendable, Equatable {
    /// In the order of their keys.
    package let apps: [App]
    /// Sequence of the last change, 0 before the first.
    package let lastSequence: Int
    /// The last revision of every deleted target: a key that is used again goes on counting from it.
    package let retired: [TargetKey: Int]
    /// Apps that are none of ``apps``, because something of them cannot be read.
    package let sealed: [SealedApp]
    /// Rows that cannot be read, those of ``sealed`` too.
    package let unreadable: [StoreFault]

    package init(apps: [App], lastSequence: Int, retired: [TargetKey: Int], sealed: [SealedApp] = [], unreadable: [StoreFault] = []) {
        self.apps = apps
        self.lastSequence = lastSequence
        self.retired = retired
        self.sealed = sealed
        self.unreadable = unreadable
    }
}

/// An app of which something cannot be read, so that nobody can say what its feeds are. It stays as it was published last.
package struct SealedApp: Sendable, Equatable {
    package let key: AppKey
    /// Old addresses that are nobody else's, as far as they can be read.
    package let aliases: [Alias]

    package init(key: AppKey, aliases: [Alias]) {
        self.key = key
        self.aliases = aliases
    }
}

/// What was committed after a sequence, by whomever.
package struct StoredNews: Sendable {
    /// Oldest first, up to the newest; where they are too many, the oldest of them are left out.
    package let changes: [Change]
    /// Every app that they touch: one that is none of those of ``state``, nor sealed, is gone.
    package let apps: Set<AppKey>
    /// What is in force of ``apps`` now.
    package let state: StoredState
    package let schedule: StoredSchedule
}
