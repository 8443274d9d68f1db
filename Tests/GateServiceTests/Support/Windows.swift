import GateJSON
import GateModel
import GateStore
import GateTesting

@testable import GateService

extension House {
    var schedule: ScheduleService { ScheduleService(ledger: ledger) }

    /// A window over targets at their present revisions; times in seconds from now.
    func draft(
        _ targets: String...,
        set json: String = Rules.kill,
        in start: Int64 = 60,
        until end: Int64? = nil,
        then: Window.Ending = .open,
        zone: String = "Europe/Berlin"
    ) throws -> WindowDraft {
        try draft(targets, set: json, in: start, until: end, then: then, zone: zone)
    }

    func draft(_ targets: [String], set json: String, in start: Int64, until end: Int64?, then: Window.Ending, zone: String = "UTC") throws
        -> WindowDraft
    {
        try WindowDraft(
            // A target that is not there has none.
            targets: targets.map { (TargetKey($0)!, (try? ledger.target(TargetKey($0)!, for: .admin))?.revision) },
            set: try GateEdit(json: json.json),
            start: try ZonedTime(at: clock.now.advanced(bySeconds: start), zone: zone),
            end: try end.map { try ZonedTime(at: clock.now.advanced(bySeconds: $0), zone: zone) },
            then: then
        )
    }

    @discardableResult
    func make(_ draft: WindowDraft, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin, key: IdempotencyKey? = nil) throws
        -> WindowOutcome
    {
        var outcome: WindowOutcome?
        _ = try schedule.make(draft, terms: terms, by: caller, idempotency: key) { made in
            outcome = made
            return Answer(status: 201, body: made.window.json.bytes)
        }
        return try outcome.unwrapped()
    }

    /// - Parameter revision: what the caller saw; nil for what there is.
    @discardableResult
    func replace(
        _ id: Int,
        with draft: WindowDraft,
        _ terms: WriteTerms = WriteTerms(),
        revision: Int? = nil,
        by caller: Caller = .admin,
        key: IdempotencyKey? = nil
    ) throws -> WindowOutcome {
        var outcome: WindowOutcome?
        _ = try schedule.replace(
            id,
            revision: try revision ?? window(id).revision,
            with: draft,
            terms: terms,
            by: caller,
            idempotency: key
        ) { made in
            outcome = made
            return Answer(status: 200, body: made.window.json.bytes)
        }
        return try outcome.unwrapped()
    }

    @discardableResult
    func run(_ id: Int, step: Window.Step? = nil, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin) throws -> WindowOutcome {
        var outcome: WindowOutcome?
        _ = try schedule.run(id, step: step, terms: terms, by: caller, idempotency: nil) { made in
            outcome = made
            return Answer(status: 200, body: [])
        }
        return try outcome.unwrapped()
    }

    func window(_ id: Int) throws -> Window { try schedule.window(id, for: .admin) }

    /// Lets time pass, and then the scheduler look.
    @discardableResult
    func pass(_ seconds: Int64) -> Timestamp? {
        clock.advance(seconds: seconds)
        return schedule.doWhatIsDue()
    }

    func state(_ target: String) throws -> GateState { try self.target(target).gate.state }
}
