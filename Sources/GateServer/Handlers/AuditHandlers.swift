import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func listAudit(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let limit = try exchange.integer("limit", in: 1...500) ?? 50
        let query = AuditQuery(
            actor: exchange.request.parameter("actor"),
            action: exchange.request.parameter("action"),
            since: try exchange.time("since"),
            until: try exchange.time("until"),
            after: try exchange.integer("after", in: 0...Int.max),
            before: try exchange.integer("cursor", in: 1...Int.max),
            limit: limit + 1
        )
        let found = try access.audit(query, for: exchange.requireCaller())
        let isCut = found.isCut || found.entries.count > limit
        return .page(found.entries.prefix(limit), hasMore: isCut, cursor: { String($0.sequence) }, bytes: \.json.bytes)
    }
}
