import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func status(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let environment = changes.environment
        let body = StatusBody(
            environment: EnvironmentBody(name: environment.name, colour: environment.colour, isProtected: environment.isProtected),
            version: version,
            serverTime: changes.time,
            sequence: changes.sequence,
            health: HealthBody(changes.health),
            feedsPort: feedsPort()
        )
        return .json(body.json)
    }
}
