package import GateModel

/// A window that somebody asks for. Nothing in it has been checked against the current state.
package struct WindowDraft: Sendable {
    /// Targets, with the revision of each that the caller saw.
    package let targets: [(key: TargetKey, revision: Int?)]
    package let set: GateEdit
    /// ``set``, parsed once for all targets.
    let edit: PreparedEdit
    package let start: ZonedTime
    package let end: ZonedTime?
    package let then: Window.Ending

    /// - Throws: `malformed` when `set` is.
    package init(
        targets: [(key: TargetKey, revision: Int?)],
        set: GateEdit,
        start: ZonedTime,
        end: ZonedTime?,
        then: Window.Ending
    ) throws(ServiceError) {
        self.targets = targets
        self.set = set
        do { edit = try PreparedEdit(set) } catch { throw ServiceError(error, at: "/set") }
        self.start = start
        self.end = end
        self.then = then
    }

    /// The change at the window's start, as if it were made now.
    var command: Command {
        .gates(
            targets.enumerated().map { index, target in
                TargetCommand(
                    target: target.key,
                    revision: target.revision,
                    action: .set(edit),
                    pointer: "/targets/\(index)",
                    editPointer: "/set"
                )
            },
            kind: .set
        )
    }
}

/// The result of a request about a window.
package struct WindowOutcome: Sendable {
    package let window: Window
    /// Nil when nothing had to be changed, and for a dry run.
    package let change: Change?
    /// About the size of the document of ``change`` in bytes.
    package var bytes = 0
    /// Nil for a cancellation, which changes no gate.
    package let plan: Plan?
    package let isDryRun: Bool
}
