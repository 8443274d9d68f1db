import GateModel

// Anything that spans several apps is visible to whoever may see one of them, but only as far as their scope goes.

extension Change {
    /// The change without the apps that the caller may not see; nil when nothing of it is left.
    func seen(by caller: Caller) -> Change? {
        guard caller.scope != .all else { return self }
        let app = app.flatMap { caller.sees($0) ? $0 : nil }
        let targets = targets.filter { caller.sees($0.target.app) }
        guard app != nil || !targets.isEmpty || omitted > 0 else { return nil }
        var change = Change(
            sequence: sequence,
            at: at,
            actor: actor,
            source: source,
            kind: kind,
            reason: reason,
            requestId: requestId,
            app: app,
            targets: targets,
            skipped: skipped,
            fault: fault
        )
        // `omitted` was counted for this caller, so targets out of sight are not in it.
        change.omitted = omitted
        return change
    }
}

extension Window {
    /// The window without the targets that the caller may not see; nil when none is left.
    func seen(by caller: Caller) -> Window? {
        var window = self
        window.targets = targets.filter { caller.sees($0.key.app) }
        guard !window.targets.isEmpty else { return nil }
        guard window.targets.count < targets.count else { return self }
        // The clock's details name targets, so they are removed; what a person wrote stays, as a reason does, and so do all events, which
        // the revision counts.
        window.events = events.map { event in
            event.what == .made || event.what == .edited || event.what == .cancelled
                ? event
                : Event(
                    at: event.at,
                    what: event.what,
                    actor: event.actor,
                    detail: nil,
                    sequence: event.sequence,
                    times: event.times
                )
        }
        return window
    }
}
