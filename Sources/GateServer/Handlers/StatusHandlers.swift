import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func status(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = StatusBody(
            environment: changes.environment,
            version: version,
            serverTime: changes.time,
            sequence: changes.sequence,
            health: health,
            feedsPort: feedsPort()
        )
        return .json(body.json)
    }
}
