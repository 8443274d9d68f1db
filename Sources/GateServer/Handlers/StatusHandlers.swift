import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func status(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = StatusBody(
            environment: ledger.environment,
            version: version,
            serverTime: ledger.time,
            sequence: ledger.sequence,
            health: health(for: caller),
            feedsPort: feedsPort(),
            servers: servers()
        )
        return .json(body.json)
    }
}
