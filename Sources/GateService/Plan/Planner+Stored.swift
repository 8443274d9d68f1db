import GateModel

/// Warnings about phones that read the feeds in an object store.
extension Planner {
    /// - Parameter targets: those whose rules do not treat every phone alike.
    static func storedWarnings(of targets: [TargetKey]) -> [Warning] {
        guard !targets.isEmpty else { return [] }
        return [
            Warning(
                code: "stored_untargeted",
                detail:
                    "\(targets.sorted().inWords): phones that read the object store all get the feed for phones that say nothing about themselves; what they send is ignored there, and nobody is let in gradually."
            )
        ]
    }
}

extension Gate {
    /// Whether the server answers phones differently: by version, system or language, or by lot while the gate is being opened.
    var tellsPhonesApart: Bool {
        killSwitch?.opening != nil || forceUpdate != nil || requiredUpdate != nil || optionalUpdate != nil
    }
}
