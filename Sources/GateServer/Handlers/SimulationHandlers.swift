import GateAPI
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func simulate(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(SimulationRequest.self)
        let target = try exchange.target(body.app, body.platform)
        switch body.phones {
        case .version(let version):
            let question = Simulator.Question(
                client: body.client,
                release: body.release,
                version: version,
                seen: body.seen,
                locale: body.locale
            )
            return .json(try changes.simulate(target, question, draft: body.set, at: body.at, for: caller).json)
        case .versions(let versions):
            let question = MatrixSimulator.Question(
                client: body.client,
                release: body.release,
                versions: versions,
                seen: body.seen,
                locale: body.locale
            )
            return .json(try changes.matrix(target, question, draft: body.set, at: body.at, revision: body.revision, for: caller).json)
        }
    }
}
