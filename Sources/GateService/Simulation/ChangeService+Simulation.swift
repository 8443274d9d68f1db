package import GateFeeds
package import GateJSON
package import GateModel

extension ChangeService {
    /// What one phone of a target shows. Nothing is written or kept.
    ///
    /// - Parameters:
    ///   - draft: an edit of the live gate, as in a change; refused if no gate can be like that, but not for anything that a plan only
    ///     warns of or that can be overridden.
    ///   - at: a future moment, with everything that the clock will have done by then; nil for now.
    /// - Throws: `notFound`; `past_time`; the refusals of the draft, the library or the version.
    package func simulate(
        _ key: TargetKey,
        _ question: Simulator.Question,
        draft: GateEdit?,
        at: Timestamp?,
        for caller: Caller
    ) throws(ServiceError) -> Simulation {
        let present = ledger.now()
        let (catalog, schedule) = ledger.look { ($0.catalog, $0.schedule) }
        guard caller.sees(key.app), let live = catalog.target(key) else { throw .missing(key) }
        if let at, at < present { throw .past(at, now: present, at: "/at") }
        var forecast = Forecast(catalog, schedule, of: key.app, environment: ledger.environment)
        if let draft { try forecast.put(draft, on: live, at: present) }
        if let at { try forecast.advance(to: at) }
        guard let app = forecast.catalog.apps[key.app] else { throw .missing(key) }
        var audience = Audience(catalog: catalog, polls: ledger.pollRecord)
        let polled = audience.heard(on: key, live.settings)
        do {
            return try Simulator.simulate(app, key.platform, question, at: at ?? present, revision: live.revision, polled: polled)
        } catch {
            throw ServiceError(error)
        }
    }
}
