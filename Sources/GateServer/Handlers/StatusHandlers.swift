import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func status(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = StatusBody(
            environment: ledger.environment,
            version: version,
            serverTime: ledger.time,
            sequence: ledger.sequence,
            health: health,
            feedsPort: feedsPort(),
            servers: servers()
        )
        return .json(body.json)
    }
}
