import GateAPI
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func commitChange(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(ChangeRequest.self, limits: .ofManyTargets)
        var keys: [TargetKey] = []
        for (index, reference) in body.targets.enumerated() {
            guard let key = reference.key else {
                throw .noTarget(at: "/targets/\(index)")
            }
            // An app outside the caller's scope is refused as such before anything is said about whether it exists.
            try caller.require(.operator, of: key.app)
            keys.append(key)
        }
        // Checked once, however many targets it is for.
        let shared: PreparedEdit? = if case .set(let edit) = body.content { try Self.prepared(edit, at: "/set") } else { nil }
        var commands: [TargetCommand] = []
        for (index, (reference, key)) in zip(body.targets, keys).enumerated() {
            let pointer = "/targets/\(index)"
            let action: TargetCommand.Action
            if case .revertTo(let revision) = body.content {
                action = .revert(to: revision)
            } else {
                let edit: PreparedEdit
                if let shared {
                    edit = shared
                } else {
                    edit = try Self.prepared(body.edit(for: reference) ?? GateEdit([:]), at: pointer + "/set")
                }
                action = body.over.map { .open(edit, over: $0) } ?? .set(edit)
            }
            let editPointer = shared == nil ? pointer + "/set" : "/set"
            commands.append(
                TargetCommand(target: key, revision: reference.revision, action: action, pointer: pointer, editPointer: editPointer)
            )
        }
        let kind: Change.Kind = if case .revertTo = body.content { .revert } else { .set }
        return try submit(.gates(commands, kind: kind), terms: body.terms, exchange: exchange) { outcome in .json(Self.result(outcome).json)
        }
    }

    /// - Throws: malformed if the edit is.
    private static func prepared(_ edit: GateEdit, at pointer: String) throws(ServiceError) -> PreparedEdit {
        do { return try PreparedEdit(edit) } catch { throw ServiceError(error, at: pointer) }
    }

    func importFile(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let body = try exchange.body(ImportRequest.self)
        let key = try exchange.app(body.app)
        try caller.require(.operator, of: key)
        // Before the app is looked up and the file is read: what it would change now is a different question from what it changed then.
        if !body.terms.dryRun, let kept = try kept(exchange) { return kept }
        let app = try ledger.app(key, for: caller)
        var platform: PlatformKey?
        if let text = body.platform {
            platform = try exchange.platform(text, of: key)
            guard let platform, app.platforms[platform] != nil else {
                throw .init(.notFound, "target_not_found", "There is no target \(key)/\(text).", field: "/platform")
            }
        }
        var revisions: [PlatformKey: Int] = [:]
        for (text, revision) in body.revisions { revisions[try exchange.platform(text, of: key)] = revision }
        if body.map != nil, ![.auto, .own].contains(body.format) {
            throw ServiceError(
                .invalid,
                "map_of_library",
                "A \(body.format.rawValue) file says itself what its values mean: leave \"map\" out, or make the format \"own\".",
                field: "/map"
            )
        }
        try Self.requireNoExport(body.document)
        if TakeoverPlanner.isWanted(body.document, format: body.format, map: body.map, platform: platform, app: app) {
            return try takeOver(body, of: app, platform: platform, revisions: revisions, exchange: exchange)
        }
        let planner = ImportPlanner(
            app: key,
            document: body.document,
            format: body.format,
            platform: platform,
            skipsInvalid: body.skipInvalid,
            revisions: revisions
        )
        let reading = try planner.read(current: app, terms: body.terms)
        let refused = reading.refused
        return try submit(reading.command, terms: body.terms, exchange: exchange) { outcome in
            .json(Self.result(outcome, warnings: reading.warnings, refused: refused).json)
        }
    }

    /// An export is not a file that phones poll: taken for one of the app's own shape, it would become a feed.
    private static func requireNoExport(_ document: String) throws(ServiceError) {
        // If it is not JSON, the import says so, with the line. An export has more members than other documents may have.
        guard document.hasBytes(of: ExportBody.form), let read = try? JSONReader.read(document, limits: .ofExport) else { return }
        guard read.object?["schema"]?.string == ExportBody.form else { return }
        throw ServiceError(
            .invalid,
            "export_document",
            "This is an export of gatehouse, not a file that phones poll. \"gatectl apply -f FILE\" takes it, and first shows what would change.",
            field: "/document"
        )
    }

    private func takeOver(
        _ body: ImportRequest,
        of app: App,
        platform: PlatformKey?,
        revisions: [PlatformKey: Int],
        exchange: Exchange
    ) throws(ServiceError) -> HTTPResponse {
        // Saying first that the app is not theirs is better than having somebody write a map in vain.
        try exchange.requireCaller().require(.admin, of: app.key)
        let name: OwnFeedName?
        do { name = try body.name.map(OwnFeedName.init(validating:)) } catch { throw ServiceError(error, at: "/name") }
        let planner = TakeoverPlanner(
            app: app.key,
            document: body.document,
            name: name,
            map: body.map,
            platform: platform,
            revisions: revisions
        )
        let reading = try planner.read(current: app, terms: body.terms)
        return try submit(reading.command, terms: body.terms, exchange: exchange) { outcome in
            var result = Self.result(outcome, warnings: reading.warnings, refused: [])
            result.takeover = reading.proof
            return .json(result.json)
        }
    }

    func listChanges(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let limit = try exchange.integer("limit", in: 1...500) ?? 50
        var query = ChangeQuery(limit: limit + 1)
        query.app = try exchange.wantedApp(for: caller)
        if let text = exchange.request.parameter("platform") {
            guard let platform = PlatformKey(text) else {
                throw ServiceError(.notFound, "target_not_found", "There is no platform of that name.")
            }
            query.platform = platform
        }
        query.actor = exchange.request.parameter("actor")
        if let text = exchange.request.parameter("source") {
            guard let source = Change.Source(rawValue: text) else {
                throw ServiceError(
                    .malformed,
                    "malformed",
                    "source is one of \(Change.Source.allCases.map(\.rawValue).joined(separator: ", ")).",
                    field: "source"
                )
            }
            query.source = source
        }
        query.since = try exchange.time("since")
        query.until = try exchange.time("until")
        query.after = try exchange.integer("after", in: 0...Int.max)
        query.before = try exchange.cursor(NumberCursor.number)
        let found = try ledger.history(query, for: caller)
        let isCut = found.isCut || found.changes.count > limit
        return .page(found.changes.prefix(limit), hasMore: isCut, cursor: { NumberCursor.text($0.sequence) }, bytes: \.json.bytes)
    }

    func change(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        guard let sequence = Int(exchange.parameters["sequence"]) else {
            throw ServiceError(.notFound, "change_not_found", "A change is named by its sequence, a whole number.")
        }
        return .json(try ledger.change(sequence, for: caller).json)
    }

    func events(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let after = try exchange.integer("after", in: 0...Int.max)
        // Without `after` there is nothing to tell yet: the answer only says where to continue from.
        let (items, sequence) = ledger.events(after: after ?? ledger.sequence, for: caller)
        let told = items?.map { $0.fitting(AnswerSize.change) } ?? []
        let body = EventsBody(
            items: told,
            sequence: sequence,
            serverTime: ledger.time,
            schedule: ledger.scheduleVersion,
            health: health(for: caller),
            reset: items == nil
        )
        return .json(body.json)
    }

    /// Submits a command with the terms and the key that came with the request.
    func submit(
        _ command: Command,
        terms: WriteTerms,
        exchange: Exchange,
        answer: @escaping (Outcome) -> HTTPResponse
    ) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let kept = try changes.submit(command, terms: terms, by: caller, idempotency: try exchange.idempotency()) { outcome in
            exchange.writing.note(outcome.change != nil)
            let response = answer(outcome)
            return Answer(status: response.status, body: response.body)
        }
        return Self.response(kept)
    }

    /// The answer that the request got when it first came; nil if this is the first time.
    func kept(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse? {
        try ledger.repeated(exchange.idempotency(), by: exchange.requireCaller()).map(Self.response)
    }

    static func response(_ kept: Answer) -> HTTPResponse {
        let form = kept.status < 400 ? "application/json; charset=utf-8" : "application/problem+json"
        return HTTPResponse(status: kept.status, headers: HeaderSet.api + ["Content-Type": form], body: kept.body)
    }

    static func result(_ outcome: Outcome, warnings: [Warning] = [], refused: [RefusedValue]? = nil) -> ChangeResultBody {
        var plan = outcome.plan
        let known = Set(plan.warnings)
        plan.warnings += warnings.filter { !known.contains($0) }
        plan = warnings.isEmpty ? plan : plan.fitting()
        let refused = refused?.fitting
        return outcome.isDryRun ? .planned(plan, refused: refused) : .committed(outcome.told, plan: plan, refused: refused)
    }
}

extension ServiceError {
    /// For text that does not even have the form of a target. The text is not echoed: people paste whatever is in their clipboard.
    static func noTarget(at pointer: String) -> ServiceError {
        ServiceError(
            .notFound,
            "target_not_found",
            "There is no target of that name; one is an app and a platform, such as shop/ios.",
            field: pointer
        )
    }
}

extension Outcome {
    /// As much of the change as an answer has room for.
    var told: Change? { bytes <= AnswerSize.change ? change : change?.fitting(AnswerSize.change) }
}

extension [RefusedValue] {
    /// As many as an answer has room for; in place of the others, one entry that counts them.
    var fitting: [RefusedValue] {
        var room = AnswerSize.refused
        for (index, body) in enumerated() {
            room -= body.json.bytes.count + 1
            guard room < 0 else { continue }
            let rest = count - index
            return prefix(index) + [
                RefusedValue(
                    path: "",
                    value: .null,
                    code: "more",
                    detail: "\(rest) more \(rest == 1 ? "part is" : "parts are") refused; correct these first."
                )
            ]
        }
        return self
    }
}
