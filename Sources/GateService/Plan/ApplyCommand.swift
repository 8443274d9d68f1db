package import GateModel

/// A whole document to apply: every app in it becomes what the document says, all or none.
package struct ApplyCommand: Sendable {
    /// Most UTF-8 bytes of the change's document: enough for a document of the largest size to replace one just as large.
    static let mostBytes = 16_777_216

    /// The apps in the document. Their targets' settings and gates count; a revision is compared with the present one, if it is given;
    /// sequences and times are ignored.
    package let apps: [App]
    /// The apps that may be removed when they are not in the document.
    package let scope: AppScope
    /// Whether to remove apps of ``scope`` and platforms of ``apps`` that are not in the document.
    package let prunes: Bool
    /// The sequence that the caller planned at; nil is refused unless nothing will be written.
    package let sequence: Int?

    /// - Parameters:
    ///   - scope: the apps that the document covers.
    ///   - caller: apps that they cannot see are not removed either.
    package init(apps: [App], scope: AppScope, prunes: Bool, sequence: Int?, by caller: Caller) {
        self.apps = apps
        self.scope = scope.intersection(caller.scope)
        self.prunes = prunes
        self.sequence = sequence
    }
}

extension ServiceError {
    /// For an apply without the sequence that it was planned at.
    package static let sequenceMissing = ServiceError(
        .revisionMissing,
        "sequence_required",
        "Name the sequence that you planned at (the answer to a dry run has it), so that nobody's change is overwritten unseen.",
        field: "/sequence"
    )
}
