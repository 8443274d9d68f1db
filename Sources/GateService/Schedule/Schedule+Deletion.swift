import GateJSON
import GateModel

/// Deleting targets that have windows. A target created again under the same key is another one, and no window knows it.
extension Schedule {
    /// The windows about targets that a change deletes, as that change leaves them.
    ///
    /// A waiting window fails, because it is carried out for all of its targets or for none. A running one continues with the targets that
    /// are left, so that nobody stays shut out, and fails when none is left. So it is with missed ones, which a person could still run.
    /// - Parameter missed: those of them that were missed.
    func losing(_ removed: Set<TargetKey>, missed: [Window], by actor: Actor, at: Timestamp, sequence: Int) -> [Window] {
        (windows(about: removed) + missed).map { window in
            var window = window
            let gone = window.targets.map(\.key).filter(removed.contains)
            let isGoingOn = window.goesOn(without: removed)
            // People who see the remaining targets may not know of the others, so a window that continues does not name them; the change
            // does.
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

    /// - Throws: `too_many_windows` (422) for a deletion that would end more windows than may be written while others wait.
    func requireFew(losing removed: Set<TargetKey>, missed: [Window]) throws(ServiceError) {
        let lost = windows(about: removed) + missed
        let weight = lost.reduce(0) { $0 + (weights[$1.id] ?? $1.weight) }
        guard lost.count > Window.mostLost || lost.count > 1 && weight > Window.mostLostWeight else { return }
        let apps = Set(removed.map(\.app))
        throw ServiceError(
            .invalid,
            "too_many_windows",
            "\(lost.count) windows are about targets that would be deleted, more than one deletion may end. Cancel some first: gatectl schedule list\(apps.count == 1 ? " \(apps.first!)" : "") shows them."
        )
    }

    /// Warns people who delete targets about their windows.
    func warnings(losing removed: Set<TargetKey>) -> [Warning] {
        let lost = windows(about: removed).map { window in (window, window.targets.map(\.key).filter(removed.contains)) }
        let goingOn = lost.filter { $0.0.goesOn(without: removed) }
        let ending = lost.filter { $0.0.state == .running && !$0.0.goesOn(without: removed) }
        return Warning.overlaps(goingOn) { names, window in
            "\(names): window \(window.id) is running\(window.end.map { " until \($0.inWords)" } ?? ""); it goes on without what you delete now."
        } many: { names, numbers in
            "\(names): windows \(numbers) are running; they go on without what you delete now."
        }
            + Warning.overlaps(ending) { names, window in
                "\(names): window \(window.id) is running; it ends with its targets."
            } many: { names, numbers in
                "\(names): windows \(numbers) are running; they end with their targets."
            }
            + Warning.overlaps(lost.filter { $0.0.state != .running }) { names, window in
                "\(names): window \(window.id), due \(window.start.inWords), will not be carried out, for any of its targets."
            } many: { names, numbers in
                "\(names): windows \(numbers) will not be carried out, for any of their targets."
            }
    }
}

extension Window {
    fileprivate func goesOn(without removed: Set<TargetKey>) -> Bool {
        (state == .running || state == .missed && hasStarted) && targets.contains { !removed.contains($0.key) }
    }
}
