import GateAPI
import GateFeeds
import GateHTTP
import GateModel
import GateService

extension Services {
    func simulate(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(SimulationRequest.self)
        let simulation = try changes.simulate(
            try exchange.target(body.app, body.platform),
            Simulator.Question(client: body.client, release: body.release, version: body.version, seen: body.seen, locale: body.locale),
            draft: body.set,
            at: body.at,
            for: caller
        )
        return .json(simulation.json)
    }
}
