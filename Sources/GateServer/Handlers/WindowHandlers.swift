import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func listWindows(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let limit = try exchange.integer("limit", in: 1...500) ?? 50
        var query = WindowQuery(limit: limit + 1)
        query.app = try exchange.wantedApp(for: caller)
        if let text = exchange.request.parameter("state") {
            var states: [Window.State] = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let state = Window.State(rawValue: String(word)) else {
                    let known = Window.State.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ServiceError(.malformed, "malformed", "state is one or more of \(known), separated by commas.", field: "state")
                }
                states.append(state)
            }
            query.states = states
        }
        query.before = try exchange.cursor(NumberCursor.number)
        let found = try schedule.windows(query, for: caller)
        let isCut = found.isCut || found.windows.count > limit
        return .page(
            found.windows.prefix(limit),
            hasMore: isCut,
            cursor: { NumberCursor.text($0.id) },
            bytes: { $0.bytes(fitting: AnswerSize.limit / 2, written: found.texts[$0.id]) }
        )
    }

    func window(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        .json(try schedule.window(try exchange.windowID(), for: exchange.requireCaller()).fitting(AnswerSize.limit / 2).json)
    }

    func createWindow(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(WindowRequest.self, limits: .ofManyTargets)
        let draft = try WindowDraft(body, by: caller)
        let kept = try schedule.make(draft, terms: body.terms, by: caller, idempotency: try exchange.idempotency()) { outcome in
            exchange.writing.note(!outcome.isDryRun)
            return Answer(status: outcome.isDryRun ? 200 : 201, body: WindowResultBody(outcome).json.bytes)
        }
        return Self.response(kept)
    }

    func replaceWindow(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(WindowReplaceRequest.self, limits: .ofManyTargets)
        let draft = try WindowDraft(body.window, by: caller)
        let kept = try schedule.replace(
            try exchange.windowID(),
            revision: body.revision,
            with: draft,
            terms: body.terms,
            by: caller,
            idempotency: try exchange.idempotency()
        ) { outcome in
            exchange.writing.note(!outcome.isDryRun)
            return Answer(status: 200, body: WindowResultBody(outcome).json.bytes)
        }
        return Self.response(kept)
    }

    func cancelWindow(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(WindowCancelRequest.self, emptyAllowed: true)
        let terms = WriteTerms(reason: body.reason, confirm: body.confirm)
        let window = try schedule.cancel(try exchange.windowID(), revision: body.revision, terms: terms, by: exchange.requireCaller())
        exchange.writing.note(true)
        return .json(WindowResultBody(window: window.fitting(AnswerSize.window)).json)
    }

    func runWindow(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(WindowRunRequest.self, emptyAllowed: true)
        let kept = try schedule.run(
            try exchange.windowID(),
            step: body.step,
            revision: body.revision,
            terms: body.terms,
            by: caller,
            idempotency: try exchange.idempotency()
        ) { outcome in
            exchange.writing.note(!outcome.isDryRun)
            return Answer(status: 200, body: WindowResultBody(outcome).json.bytes)
        }
        return Self.response(kept)
    }

    var schedule: ScheduleService { ScheduleService(ledger: ledger) }
}

extension WindowDraft {
    fileprivate init(_ body: WindowRequest, by caller: Caller) throws(ServiceError) {
        var targets: [(key: TargetKey, revision: Int?)] = []
        for (index, reference) in body.targets.enumerated() {
            guard let key = reference.key else { throw .noTarget(at: "/targets/\(index)") }
            try caller.require(.operator, of: key.app)
            targets.append((key, reference.revision))
        }
        try self.init(targets: targets, set: body.set, start: body.start, end: body.end, then: body.then)
    }
}

extension Exchange {
    /// - Throws: `notFound` for text that is not an identifier.
    fileprivate func windowID() throws(ServiceError) -> Int {
        guard let id = Int(parameters["id"]) else {
            throw ServiceError(.notFound, "window_not_found", "A window is named by its id, a whole number.")
        }
        return id
    }
}

extension WindowResultBody {
    fileprivate init(_ outcome: WindowOutcome) {
        let change = outcome.bytes <= AnswerSize.changeOfWindow ? outcome.change : outcome.change?.fitting(AnswerSize.changeOfWindow)
        self.init(window: outcome.window.fitting(AnswerSize.window), change: change, plan: outcome.plan)
    }
}
