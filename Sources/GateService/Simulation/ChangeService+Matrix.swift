package import GateFeeds
package import GateJSON
package import GateModel
import GateStore

extension ChangeService {
    /// What the phones of a target show, version by version and library by library. Nothing is written, nothing is kept, and nobody waits for it.
    ///
    /// - Parameters:
    ///   - draft: over the live gate, as in a change; for a moment that is not past.
    ///   - at: a moment: one to come with all that the clock will have done until then, one that is past as the history has it; nil for now.
    ///   - revision: in the place of a moment, what that revision of the target left in force.
    /// - Throws: `notFound`; `before_history` and `target_absent` for a moment at which the target was not there; `moment_unreadable`; `past_time` for
    ///   a draft in the past; what the draft, a library or a version is refused for.
    package func matrix(
        _ key: TargetKey,
        _ question: MatrixSimulator.Question,
        draft: GateEdit?,
        at: Timestamp?,
        revision: Int?,
        for caller: Caller
    ) throws(ServiceError) -> SimulationMatrix {
        let present = ledger.now()
        guard caller.sees(key.app) else { throw .missing(key) }
        let scene: Scene
        if let revision {
            scene = try past(of: key, at: nil, revision: revision, for: caller)
        } else if let at, at < present {
            // That it is not there at all is said first.
            if draft != nil {
                _ = try ledger.target(key, for: caller)
                throw .past(at, now: present, at: "/at")
            }
            scene = try past(of: key, at: at, revision: nil, for: caller)
        } else {
            scene = try coming(key, draft: draft, at: at, present: present, for: caller)
        }
        var audience = Audience(catalog: ledger.look(\.catalog), polls: ledger.pollRecord)
        let matrix: MatrixSimulator
        do {
            matrix = try MatrixSimulator(
                scene.target,
                question,
                polledFor: audience.heard(on: key, scene.target.settings),
                polledVersions: ledger.pollRecord?.polledVersions(of: key).versions.map(\.text) ?? []
            )
        } catch { throw ServiceError(error) }
        return SimulationMatrix(
            target: key,
            moment: scene.moment,
            at: scene.at,
            revision: scene.revision,
            change: scene.change,
            until: scene.until,
            gate: scene.target.gate,
            isDraft: draft != nil,
            seen: question.seen,
            release: question.release,
            clients: matrix.clients,
            versions: matrix.versions,
            isProposed: question.versions.isEmpty,
            notes: scene.notes,
            cells: matrix.cells
        )
    }

    /// A target at the moment that is looked at.
    private struct Scene {
        let target: Target
        let moment: SimulationMatrix.Moment
        let at: Timestamp
        let revision: Int
        let change: Change?
        var until: Timestamp?
        var notes: [String] = []
    }

    /// Now, or at a moment to come.
    private func coming(
        _ key: TargetKey,
        draft: GateEdit?,
        at: Timestamp?,
        present: Timestamp,
        for caller: Caller
    ) throws(ServiceError) -> Scene {
        let (catalog, schedule) = ledger.look { ($0.catalog, $0.schedule) }
        try catalog.requireReadable(key.app)
        guard let live = catalog.target(key) else { throw .missing(key) }
        var forecast = Forecast(catalog, schedule, of: key.app, environment: ledger.environment)
        if let draft {
            var gate = live.gate
            do { try gate.apply(draft, settings: live.settings) } catch { throw ServiceError(error, at: "/set") }
            forecast.put(gate, on: live)
        }
        if let at { try forecast.advance(to: at) }
        guard let target = forecast.catalog.target(key) else { throw .missing(key) }
        return Scene(
            target: target,
            moment: at.map { $0 > present } ?? false ? .future : .now,
            at: at ?? present,
            revision: live.revision,
            change: ledger.lastChange(of: live, for: caller)
        )
    }

    /// As the history has it.
    private func past(of key: TargetKey, at: Timestamp?, revision: Int?, for caller: Caller) throws(ServiceError) -> Scene {
        let live = ledger.look(\.catalog).target(key)
        let found = try ledger.reading { store throws(StoreError) in
            if let revision { return try store.past(of: key, revision: revision) }
            return try at.flatMap { at throws(StoreError) in try store.past(of: key, at: at) }
        }
        guard let found else { throw try absent(key, at: at, revision: revision, live: live) }
        let (change, field) = (found.change, revision == nil ? "/at" : "/revision")
        if found.isDeleted {
            let later = found.next.map { ", or from \($0.at) on, when it was made anew" } ?? ""
            throw ServiceError(
                .invalid,
                "target_absent",
                "\(key) was not there: change \(change.sequence) of \(change.at) deleted it. Name a moment before that\(later).",
                field: field
            )
        }
        guard let gate = found.gate else {
            throw ServiceError(
                .invalid,
                "moment_unreadable",
                "What \(key) had with change \(change.sequence) of \(change.at) cannot be read any more. Name a moment of another change.",
                field: field
            )
        }
        var notes: [String] = []
        if found.settings == nil {
            notes.append(
                "The platform's settings of then cannot be read in the history, so those of \(live == nil ? "a new platform" : "now") are used."
            )
        }
        if let next = found.next, next.kind == .restore, next.skipped > 0 {
            notes.append(
                "Change \(next.sequence) of \(next.at) put a backup in place. What was changed between the backup and it is lost, so phones may have seen something else."
            )
        }
        let settings = found.settings ?? live?.settings ?? .standard(for: key.platform)
        return Scene(
            target: Target(
                key: key,
                settings: settings,
                gate: gate,
                revision: found.revision,
                sequence: change.sequence,
                since: change.at,
                changedAt: change.at
            ),
            moment: revision == nil ? .past : .revision,
            at: at ?? change.at,
            revision: found.revision,
            change: change.seen(by: caller),
            until: found.next?.at,
            notes: notes
        )
    }

    /// Why nothing is found in the history.
    private func absent(_ key: TargetKey, at: Timestamp?, revision: Int?, live: Target?) throws(ServiceError) -> ServiceError {
        guard let first = try ledger.reading({ store throws(StoreError) in try store.firstChange(of: key) }) else { return .missing(key) }
        if let revision {
            return ServiceError(.notFound, "revision_not_found", "\(key) never had a revision \(revision).", field: "/revision")
        }
        return ServiceError(
            .invalid,
            "before_history",
            "\(key) was made at \(first.at), with change \(first.sequence), and nothing is known of a time before that. Name that time or a later one.",
            field: "/at"
        )
    }
}
