import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

/// What monitoring asks.
extension Services {
    /// 200 while feeds can be relied on. Degraded is still ready: the feeds go on, and taking the server out of service would take them
    /// away too. It is not ready when feeds are missing. Anybody may ask, so no app is named.
    func readiness(of table: FeedTable) -> HTTPResponse {
        let health = ledger.namelessHealth
        return .json(health.json, status: health.state == .starting || !table.isWhole ? 503 : 200)
    }

    func metricsPage(_: Exchange) throws(ServiceError) -> HTTPResponse {
        guard let metrics else { throw ServiceError(.notFound, "not_found", "There is nothing at this address.") }
        return HTTPResponse(
            status: 200,
            headers: HeaderSet.api + ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
            body: Array(metrics.page().utf8)
        )
    }
}
