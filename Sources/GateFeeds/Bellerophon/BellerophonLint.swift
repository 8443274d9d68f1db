import GateModel

/// What Bellerophon will do with a change.
enum BellerophonLint {
    static func findings(_ change: GateChange) -> [Finding] {
        guard change.after.killSwitch != nil, change.after.forceUpdate != nil else { return [] }
        return [
            Finding(
                code: "force_suspended_by_kill",
                detail:
                    "While \(change.target) is killed its forced update is suspended, so that phones show the kill switch's text; it returns when the kill switch is cleared.",
                field: "/forceUpdate"
            )
        ]
    }
}
