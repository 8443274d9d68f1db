import GateFeeds
import GateModel

extension Planner {
    /// Refuses rules with which the target could not be published: otherwise a dry run would promise what the commit cannot do, and a
    /// window would wait for a start that never comes.
    ///
    /// A rule that the command leaves alone is left to the commit: what is wrong with it is not the caller's doing.
    func checkPublication(of after: Target, instead before: Target, by command: TargetCommand) throws(ServiceError) {
        do throws(FeedError) { try FeedRenderer.check(after) } catch {
            guard let rule = error.rule, after.gate.json(of: rule) != before.gate.json(of: rule) else { return }
            guard case .revert(let revision) = command.action else {
                throw ServiceError(.invalid, error.code, error.detail, field: command.editPointer + error.field)
            }
            throw ServiceError(
                .invalid,
                error.code,
                "Revision \(revision) cannot be published any more: \(error.detail)",
                field: "/revertTo"
            )
        }
    }
}
