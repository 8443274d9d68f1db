package import GateFeeds
package import GateJSON
package import GateModel
import GateStore

extension ChangeService {
    /// What the phones of a target show, version by version and library by library. Nothing is written or kept, and nobody waits for it.
    ///
    /// - Parameters:
    ///   - draft: an edit of the live gate, as in a change; not for a moment in the past.
    ///   - at: a moment: a future one includes everything that the clock will have done by then, a past one is taken from the history; nil
    ///     for now.
    ///   - revision: instead of a moment, what that revision of the target left in force.
    /// - Throws: `notFound`; `before_history` and `target_absent` for a moment when the target did not exist; `moment_unreadable`;
    ///   `past_time` for a draft in the past; the refusals of the draft, a library or a version.
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
            // A missing target is reported first.
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

    /// A target at the chosen moment.
    private struct Scene {
        let target: Target
        let moment: SimulationMatrix.Moment
        let at: Timestamp
        let revision: Int
        let change: Change?
        var until: Timestamp?
        var notes: [String] = []
    }

    /// The target now, or at a future moment.
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
        if let draft { try forecast.put(draft, on: live, at: present) }
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

    /// The target as the history has it.
    private func past(of key: TargetKey, at: Timestamp?, revision: Int?, for caller: Caller) throws(ServiceError) -> Scene {
        let live = ledger.look(\.catalog).target(key)
        let found = try ledger.reading { store throws(StoreError) in
            if let revision { return try store.past(of: key, revision: revision) }
            return try at.flatMap { at throws(StoreError) in try store.past(of: key, at: at) }
        }
        guard let found else { throw try absent(key, revision: revision) }
        let (change, field) = (found.change, revision == nil ? "/at" : "/revision")
        if found.isDeleted {
            let later = found.next.map { ", or from \($0.at) on, when it was made again" } ?? ""
            throw ServiceError(
                .invalid,
                "target_absent",
                "\(key) did not exist then: change \(change.sequence) of \(change.at) deleted it. Name a moment before that\(later).",
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
                "The platform's settings at that time cannot be read in the history, so those of \(live == nil ? "a new platform" : "now") are used."
            )
        }
        if let next = found.next, next.kind == .restore, next.skipped > 0 {
            notes.append(
                "Change \(next.sequence) of \(next.at) restored a backup. What was changed between that backup and the restore is lost, so phones may have seen something else."
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

    /// Why the history has nothing for the moment or revision.
    private func absent(_ key: TargetKey, revision: Int?) throws(ServiceError) -> ServiceError {
        guard let first = try ledger.reading({ store throws(StoreError) in try store.firstChange(of: key) }) else { return .missing(key) }
        if let revision {
            return ServiceError(.notFound, "revision_not_found", "\(key) never had a revision \(revision).", field: "/revision")
        }
        return ServiceError(
            .invalid,
            "before_history",
            "\(key) was made at \(first.at), with change \(first.sequence), and nothing is known of the time before that. Name that time or a later one.",
            field: "/at"
        )
    }
}
