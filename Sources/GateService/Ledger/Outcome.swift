package import GateModel

/// What came of a command.
package struct Outcome: Sendable {
    /// Nil when nothing had to be changed, and for a trial.
    package let change: Change?
    package let plan: Plan
    package let isDryRun: Bool
    /// The app that the command was about as it is now, where it is about one; nil once it is deleted.
    package let app: App?
    /// The sequence of the last change before this one: what was planned against.
    package let plannedAt: Int
    /// About as many bytes as the document of ``change`` has.
    package let bytes: Int

    package init(change: Change?, plan: Plan, isDryRun: Bool, app: App?, plannedAt: Int, bytes: Int = 0) {
        self.change = change
        self.bytes = bytes
        self.plan = plan
        self.isDryRun = isDryRun
        self.app = app
        self.plannedAt = plannedAt
    }
}
