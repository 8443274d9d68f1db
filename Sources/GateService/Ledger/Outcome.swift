package import GateModel

/// The result of a command.
package struct Outcome: Sendable {
    /// Nil when nothing had to be changed, and for a dry run.
    package let change: Change?
    package let plan: Plan
    package let isDryRun: Bool
    /// The app that the command was about, as it is now; nil once it is deleted, and for commands that are not about one app.
    package let app: App?
    /// The sequence of the last change before this one: what was planned against.
    package let plannedAt: Int
    /// About the size of the document of ``change`` in bytes.
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
