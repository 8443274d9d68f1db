import GateJSON
import GateModel

// Anything that spans several apps is visible to whoever may see one of them, but only as far as their scope goes.

extension Change {
    /// The change without the apps that the caller may not see; nil when nothing of it is left.
    func seen(by caller: Caller) -> Change? {
        guard caller.scope != .all else { return self }
        let app = app.flatMap { caller.sees($0) ? $0 : nil }
        let targets = targets.filter { caller.sees($0.target.app) }
        guard app != nil || !targets.isEmpty || omitted > 0 else { return nil }
        // `omitted` was counted for this caller, so targets out of sight are not in it.
        return naming(targets, app: app)
    }
}

extension Window {
    /// The window without the targets that the caller may not see, which are counted: whoever may not see them all may not change it
    /// either. Nil when none is left.
    func seen(by caller: Caller) -> Window? {
        guard caller.scope != .all else { return targets.isEmpty ? nil : self }
        var window = self
        window.targets = targets.filter { caller.sees($0.key.app) }
        guard !window.targets.isEmpty else { return nil }
        window.omitted += targets.count - window.targets.count
        let isWhole = window.targets.count == targets.count
        // The clock's details name targets, so they are replaced; what a person wrote stays, as a reason does, and so do all events, which
        // the revision counts. Of a window that was about more targets once, older details name what it is no longer about.
        for (index, event) in events.enumerated() where !event.isWritten && !(isWhole && event.namesNothing(but: caller.sees)) {
            window.events[index].detail = event.detail.map { _ in Window.Event.unseen }
        }
        return window
    }

    /// What the answer to a write tells the caller, who may touch all of its targets.
    func told(to caller: Caller) -> Window { seen(by: caller) ?? self }
}

extension Window.Event {
    /// In place of a detail about targets that are out of sight.
    fileprivate static let unseen = "It is about a target that you may not see; an administrator can say which."

    /// Whether a person wrote its detail.
    fileprivate var isWritten: Bool { what == .made || what == .edited || what == .cancelled }

    /// Whether every target that its detail names is of an app that is `seen`.
    fileprivate func namesNothing(but seen: (AppKey) -> Bool) -> Bool {
        let words = detail?.split { " ,.;:".contains($0) } ?? []
        return words.compactMap { TargetKey(String($0)) }.allSatisfy { seen($0.app) }
    }
}

extension RecordedAuditEntry {
    /// The entry without what it says of apps that the caller may not see. The entry itself stays, so that positions have no gaps and
    /// pages are full: that somebody did something at that time is every administrator's to know, and what it was about is not.
    func seen(by caller: Caller) -> RecordedAuditEntry {
        guard caller.scope != .all else { return self }
        let kind = entry.action.prefix { $0 != "." }
        // Exports of one app and rehearsals are about what their subject names; an export of everything names nothing.
        if kind == "rehearsal" || kind == "export", let subject = entry.subject {
            let app = subject.split(separator: "/").first.flatMap { AppKey(String($0)) }
            return app.map(caller.sees) == true ? self : telling(subject: nil, detail: nil)
        }
        // A window names its targets in its detail. One entry may be about apps of both kinds, as the window is.
        guard kind == "window", var detail = entry.detail else { return self }
        let targets = detail["targets"]?.array ?? []
        let seen = targets.filter { $0.string.flatMap { TargetKey($0) }.map { caller.sees($0.app) } == true }
        guard !seen.isEmpty else { return telling(subject: entry.subject, detail: nil) }
        guard seen.count < targets.count else { return self }
        detail["targets"] = .array(seen)
        // What the clock says of a window names targets.
        detail["detail"] = .null
        return telling(subject: entry.subject, detail: detail)
    }

    private func telling(subject: String?, detail: JSONObject?) -> RecordedAuditEntry {
        var told = self
        (told.entry.subject, told.entry.detail) = (subject, detail)
        return told
    }
}
