import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func listAudit(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let limit = try exchange.integer("limit", in: 1...500) ?? 50
        var filter = AuditFilter()
        filter.actor = exchange.request.parameter("actor")
        filter.action = exchange.request.parameter("action")
        filter.since = try exchange.time("since")
        filter.until = try exchange.time("until")
        filter.after = try exchange.integer("after", in: 0...Int.max)
        filter.before = try exchange.integer("cursor", in: 1...Int.max)
        let found = try access.audit(filter, limit: limit + 1)
        let isCut = found.isCut || found.lines.count > limit
        return .page(found.lines.prefix(limit), hasMore: isCut, cursor: { String($0.sequence) }) { AuditBody($0).json }
    }
}

extension AuditBody {
    init(_ line: AuditLine) {
        self.init(
            sequence: line.sequence,
            at: line.at,
            actor: line.actor,
            action: line.action,
            outcome: line.isRefusal ? .refused : .succeeded,
            subject: line.subject,
            address: line.address,
            requestId: line.requestId,
            detail: line.detail,
            fault: line.fault
        )
    }
}
