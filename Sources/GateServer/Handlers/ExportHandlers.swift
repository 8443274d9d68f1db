import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func export(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        try exchange.refuseUnknownQuery(.export)
        var app: AppKey?
        if let text = exchange.request.parameter("app") { app = try exchange.app(text) }
        let export = try changes.export(app, for: caller)
        try access.exported(app, apps: export.apps.count, by: caller)
        let body = ExportBody(apps: export.apps, scope: export.scope, environment: changes.environment.name, sequence: export.sequence)
        return .json(body.json)
    }

    func apply(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(ApplyRequest.self, limits: .ofExport)
        let document: ExportBody
        do {
            document = try ExportBody(json: body.document)
        } catch {
            // That the sequence is missing is said before that a value is refused, as for every change.
            if error.kind == .invalid, body.sequence == nil, !body.dryRun { throw .sequenceMissing }
            throw ServiceError(error, at: "/document")
        }
        let command = ApplyCommand(apps: document.apps, scope: document.scope, prunes: body.prune, sequence: body.sequence, by: caller)
        return try submit(.apply(command), terms: body.terms, exchange: exchange) { outcome in
            var result = Self.result(outcome)
            if outcome.isDryRun { result.sequence = outcome.plannedAt }
            return .json(result.json)
        }
    }
}
