package import GateModel

/// Everything that is in force, as it was last committed.
package struct StoredState: Sendable, Equatable {
    /// In the order of their keys.
    package let apps: [App]
    /// Sequence of the last change, 0 before the first.
    package let lastSequence: Int
    /// The last revision of every deleted target: a key that is used again goes on counting from it.
    package let retired: [TargetKey: Int]

    package init(apps: [App], lastSequence: Int, retired: [TargetKey: Int]) {
        self.apps = apps
        self.lastSequence = lastSequence
        self.retired = retired
    }
}
