import GateModel

/// What is to be said of phones that read the feeds in an object store.
extension Planner {
    /// - Parameter targets: those with rules that are not the same for every phone.
    static func storedWarnings(of targets: [TargetKey]) -> [Warning] {
        guard !targets.isEmpty else { return [] }
        let shown = targets.sorted().prefix(5).map(\.description).joined(separator: ", ")
        let more = targets.count > 5 ? " and \(targets.count - 5) more" : ""
        return [
            Warning(
                code: "stored_untargeted",
                detail:
                    "\(shown)\(more): phones that read the object store all get the feed of those that tell nothing of themselves; what they tell is not looked at there, and nobody is let in gradually."
            )
        ]
    }
}

extension Gate {
    /// Whether a server answers one phone otherwise than another: by version, system or language, or by lot while the gate is being opened.
    var tellsPhonesApart: Bool {
        killSwitch?.opening != nil || forceUpdate != nil || requiredUpdate != nil || optionalUpdate != nil
    }
}
