import GateJSON
import GateModel

/// Targets that are deleted while windows are about them. One that is made anew under the same key is another target, of which no window knows.
extension Schedule {
    /// The windows about targets that a change deletes, as that change leaves them.
    ///
    /// One that waits fails: it is carried out for all of its targets or for none. One that runs goes on with those that are left, so that
    /// nobody stays shut out, and fails when none is.
    func losing(_ removed: Set<TargetKey>, by actor: Actor, at: Timestamp, sequence: Int) -> [Window] {
        windows(about: removed).map { window in
            var window = window
            let gone = window.targets.map(\.key).filter(removed.contains)
            let isGoingOn = window.goesOn(without: removed)
            // Who may see what is left may not know of the others, so that one that goes on does not name them; the change does.
            let what = isGoingOn ? "\(gone.count) of its targets" : gone.inWords
            if isGoingOn { window.targets.removeAll { removed.contains($0.key) } } else { window.state = .failed }
            window.events.append(
                Window.Event(
                    at: at,
                    what: isGoingOn ? .overtaken : .failed,
                    actor: actor,
                    detail: "\(what) \(gone.count == 1 ? "was" : "were") deleted.",
                    sequence: sequence
                )
            )
            return window
        }
    }

    /// - Throws: `too_many_windows` (422) for a deletion that would end more windows than can be written while others wait.
    func requireFew(losing removed: Set<TargetKey>) throws(ServiceError) {
        let lost = windows(about: removed)
        let weight = lost.reduce(0) { $0 + (weights[$1.id] ?? 0) }
        guard lost.count > Window.mostLost || lost.count > 1 && weight > Window.mostLostWeight else { return }
        let apps = Set(removed.map(\.app))
        throw ServiceError(
            .invalid,
            "too_many_windows",
            "\(lost.count) windows are about what would be deleted, more than can end with it at once. Cancel some first: gatectl schedule list\(apps.count == 1 ? " \(apps.first!)" : "") shows them."
        )
    }

    /// What whoever deletes targets should know of their windows.
    func warnings(losing removed: Set<TargetKey>) -> [Warning] {
        windows(about: removed).map { window in
            let names = window.targets.map(\.key).filter(removed.contains).inWords
            let detail =
                if window.goesOn(without: removed) {
                    "\(names): window \(window.id) is running\(window.end.map { " until \($0.inWords)" } ?? ""); it goes on without what you delete now."
                } else if window.state == .running {
                    "\(names): window \(window.id) is running; it ends with what it is about."
                } else {
                    "\(names): window \(window.id), due \(window.start.inWords), will not be carried out, for any of its targets."
                }
            return Warning(code: "window_overlap", detail: detail)
        }
    }
}

extension Window {
    fileprivate func goesOn(without removed: Set<TargetKey>) -> Bool {
        state == .running && targets.contains { !removed.contains($0.key) }
    }
}
