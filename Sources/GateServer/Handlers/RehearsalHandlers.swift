import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func beginRehearsal(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(RehearsalRequest.self)
        let rehearsal = try rehearsals.begin(
            try exchange.target(body.app, body.platform),
            gate: body.gate,
            span: body.span ?? Rehearsal.standardSpan,
            by: try exchange.requireCaller()
        )
        return .json(rehearsal.json, status: 201)
    }

    func listRehearsals(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        .page(try rehearsals.list(for: try exchange.requireCaller()), hasMore: false, cursor: \.id, bytes: \.json.bytes)
    }

    func rehearsal(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        .json(try rehearsals.rehearsal(exchange.parameters["id"], for: try exchange.requireCaller()).json)
    }

    func alterRehearsal(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(RehearsalPatch.self)
        let caller = try exchange.requireCaller()
        return .json(try rehearsals.alter(exchange.parameters["id"], gate: body.gate, span: body.span, by: caller).json)
    }

    func endRehearsal(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        try rehearsals.end(exchange.parameters["id"], by: try exchange.requireCaller())
        return .done
    }
}
