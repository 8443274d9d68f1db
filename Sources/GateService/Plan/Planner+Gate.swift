import GateJSON
import GateModel

/// What a command makes of one target.
extension Planner {
    func settings(of target: Target, replacedBy json: JSONValue?, at pointer: String) throws(ServiceError) -> PlatformSettings {
        guard let json else { return target.settings }
        var settings = target.settings
        do { try settings.apply(json: json) } catch { throw ServiceError(error, at: pointer) }
        return settings
    }

    /// The gate that a revision to go back to left in force.
    func gate(of key: TargetKey, at revision: Int) throws(ServiceError) -> Gate {
        guard let gate = try history(key, revision) else {
            throw ServiceError(.notFound, "revision_not_found", "\(key) never had a revision \(revision).", field: "/revertTo")
        }
        return gate
    }

    func gate(of target: Target, after command: TargetCommand, settings: PlatformSettings) throws(ServiceError) -> Gate {
        switch command.action {
        case .set(let edit), .start(let edit), .restore(let edit):
            var gate = target.gate
            do {
                try gate.apply(edit, settings: settings)
                if !command.isRestoring { try gate.checkSize(after: target.gate) }
            } catch { throw ServiceError(error, at: command.editPointer) }
            try gate.checkTimes(after: target.gate, at: now, in: command.editPointer)
            if command.isRestoring { gate.reopenAnew(after: target.gate, at: now) }
            return gate
        case .open(let edit, let seconds):
            guard Opening.seconds.contains(seconds) else { throw .invalidOver(seconds) }
            guard let killSwitch = target.gate.killSwitch else { throw .nothingToOpen(target.key) }
            var gate = target.gate
            do {
                try gate.apply(edit, settings: settings)
                // Checked before the opening is added: letting people in is never refused as too large.
                try gate.checkSize(after: target.gate)
            } catch { throw ServiceError(error, at: command.editPointer) }
            gate.killSwitch = killSwitch.opening(at: now, over: seconds)
            return gate
        case .revert(let revision):
            let earlier = try gate(of: target.key, at: revision)
            if earlier.killSwitch != target.gate.killSwitch, let until = earlier.killSwitch?.until, until <= now {
                throw ServiceError(
                    .invalid,
                    "past_time",
                    "The kill switch of revision \(revision) ended at \(until): on the server it is \(now). To block again, set a new kill switch.",
                    field: "/revertTo"
                )
            }
            do { try earlier.check(versionsOf: settings.versionScheme) } catch {
                throw ServiceError(
                    .invalid,
                    error.code,
                    "Revision \(revision) does not fit the platform's settings any more: \(error.detail)",
                    field: "/revertTo"
                )
            }
            do { try earlier.checkSize(after: target.gate) } catch {
                throw ServiceError(
                    .invalid,
                    error.code,
                    "Revision \(revision) was made before there was a limit: \(error.detail)",
                    field: "/revertTo"
                )
            }
            var again = earlier
            again.reopenAnew(after: target.gate, at: now)
            return again
        }
    }
}

extension Gate {
    /// What was being opened in a gate that comes back is opened anew; otherwise most of the people would come in at once.
    fileprivate mutating func reopenAnew(after before: Gate, at now: Timestamp) {
        if before.opening == nil { killSwitch = killSwitch?.openingAnew(at: now) }
    }

    /// Checks the times of a kill switch that the gate before did not have.
    /// - Parameter pointer: where the request gives the gate.
    /// - Throws: `past_time`, `future_opening`.
    func checkTimes(after before: Gate, at now: Timestamp, in pointer: String) throws(ServiceError) {
        guard let killSwitch, killSwitch != before.killSwitch else { return }
        if let until = killSwitch.until, until <= now { throw .past(until, now: now, at: pointer + "/killSwitch/until") }
        do { try killSwitch.checkBegun(at: now, "on the server") } catch { throw ServiceError(error, at: pointer + "/killSwitch") }
    }
}
