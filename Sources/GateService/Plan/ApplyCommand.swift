package import GateModel

/// A whole document that is to be made true: every app in it becomes what it says, all or none.
package struct ApplyCommand: Sendable {
    /// UTF-8 bytes that the change's document has at most: what a document of the largest size puts in the place of as much.
    static let mostBytes = 16_777_216

    /// What the document holds. Of its targets, settings and gate count; a revision is held against the present one, where there is one;
    /// sequences and times do not count.
    package let apps: [App]
    /// The apps that may go when they are not in the document.
    package let scope: AppScope
    /// Whether apps of ``scope`` and platforms of ``apps`` that the document lacks go.
    package let prunes: Bool
    /// The sequence that the caller planned at; nil is refused unless nothing is going to be written.
    package let sequence: Int?

    /// - Parameters:
    ///   - scope: the apps that the document speaks for.
    ///   - caller: what they do not see they do not take away either.
    package init(apps: [App], scope: AppScope, prunes: Bool, sequence: Int?, by caller: Caller) {
        self.apps = apps
        self.scope = scope.intersection(caller.scope)
        self.prunes = prunes
        self.sequence = sequence
    }
}

extension ServiceError {
    /// An apply is to be carried out without the sequence that it was planned at.
    package static let sequenceMissing = ServiceError(
        .revisionMissing,
        "sequence_required",
        "Name the sequence that you planned at (the answer to a dry run has it), so that nobody's change is overwritten unseen.",
        field: "/sequence"
    )
}
