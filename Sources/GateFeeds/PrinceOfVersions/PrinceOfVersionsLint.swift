import GateModel

/// What Prince of Versions will do with a change.
enum PrinceOfVersionsLint {
    static func findings(_ change: GateChange) -> [Finding] {
        guard PrinceOfVersionsFeed.listName(of: change.target.platform) != nil else { return [] }
        return kill(change) + truncated(change)
    }

    private static func kill(_ change: GateChange) -> [Finding] {
        guard change.after.killSwitch != nil else { return [] }
        return [
            Finding(
                code: "prince_has_no_kill",
                detail:
                    "Prince of Versions knows no kill switch: apps on \(change.target) that use it stay open; a forced or required update is all that reaches them.",
                field: "/killSwitch"
            )
        ]
    }

    private static func truncated(_ change: GateChange) -> [Finding] {
        guard change.target.platform != .android else { return [] }
        return change.versionsSet.filter { PrinceVersion.isCut($0.version) }.map { version, field in
            Finding(
                code: "truncated_for_prince",
                detail:
                    "Prince of Versions compares three components, so on \(change.target) it gets \(PrinceVersion.text(of: version) ?? "none") of \(version); use a version of three components.",
                field: field
            )
        }
    }
}
