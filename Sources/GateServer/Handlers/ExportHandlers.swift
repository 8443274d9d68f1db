import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func export(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        var app: AppKey?
        if let text = exchange.request.parameter("app") { app = try exchange.app(text) }
        let export = try changes.export(app, for: caller)
        var rest = export.apps[...]
        if let last = try exchange.cursor(AppKey.init(_:)) { rest = rest.drop { $0.key <= last } }
        var body = ExportBody(apps: [], scope: export.scope, environment: ledger.environment.name, sequence: export.sequence)
        var room = AnswerSize.limit - body.json.bytes.count - 256
        for app in rest {
            room -= ExportBody.bytes(of: app) + 1
            guard room >= 0 || body.apps.isEmpty else {
                body.next = body.apps.last?.key.text
                break
            }
            body.apps.append(app)
        }
        // Each part is recorded, if only by its number: whoever asks for one need not have asked for those before it.
        try access.exported(app, apps: body.apps.count, by: caller)
        return .json(body.json)
    }

    func apply(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(ApplyRequest.self, limits: .ofExport)
        let document: ExportBody
        do {
            document = try ExportBody(json: body.document)
        } catch {
            // As for every change, a missing sequence is reported before a refused value.
            if error.kind == .invalid, body.sequence == nil, !body.terms.dryRun { throw .sequenceMissing }
            throw ServiceError(error, at: "/document")
        }
        let command = ApplyCommand(apps: document.apps, scope: document.scope, prunes: body.prune, sequence: body.sequence, by: caller)
        let missing = missingWindows(of: document, for: caller)
        return try submit(.apply(command), terms: body.terms, exchange: exchange) { outcome in
            var result = Self.result(outcome, warnings: missing)
            if outcome.isDryRun { result.sequence = outcome.plannedAt }
            return .json(result.json)
        }
    }

    /// One warning if windows of the document neither wait nor run here as it describes them: an apply makes no windows.
    private func missingWindows(of document: ExportBody, for caller: Caller) -> [Warning] {
        guard !document.windows.isEmpty else { return [] }
        let known = Set(schedule.active(for: caller).map { WindowRequest(of: $0).appointment })
        let missing = document.windows.filter { !known.contains($0.appointment) }
        guard let first = missing.first else { return [] }
        let targets = first.targets.map { "\($0.app)/\($0.platform)" }
        let named = targets.prefix(3).joined(separator: ", ") + (targets.count > 3 ? " and \(targets.count - 3) more" : "")
        let (many, they) =
            missing.count == 1
            ? ("A window", "as described there, it neither waits nor runs")
            : ("\(missing.count) windows", "as described there, they neither wait nor run")
        return [
            Warning(
                code: "windows_missing",
                detail:
                    "\(many) of the document would not happen: \(they) here, and an apply makes none. \(missing.count == 1 ? "It is" : "The first is") for "
                    + "\(named), from \(first.start.at); schedule what is still wanted."
            )
        ]
    }
}
