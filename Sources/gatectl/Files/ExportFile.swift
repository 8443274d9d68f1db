import GateAPI
import GateFeeds
import GateJSON
import GateModel

/// An export file read without a server, and the feeds it gives.
struct ExportFile {
    let export: ExportBody
    let warnings: [Warning]
    let feeds: [RenderedFeed]
    let ownFeeds: [RenderedOwnFeed]
    private let endings: [Warning]

    /// The JSON of a file, or of standard input for `-`.
    /// - Throws: input refused (8), also for a file longer than the server takes.
    static func json(in path: String) throws(Failure) -> JSONValue {
        let bytes = try InputFile.unmarked(path)
        let name = InputFile.name(path)
        guard !bytes.isEmpty else { throw Failure(.refused, "malformed", "\(name) is empty, so it is not JSON") }
        do {
            return try JSONReader.read(bytes, limits: .ofExport)
        } catch { throw Failure(.refused, "malformed", "\(name) is not JSON: \(error)") }
    }

    /// An export without what depends on the history: the same state then gives the same bytes, whatever happened in between.
    static func withoutRevisions(_ json: JSONValue) -> JSONValue {
        json.replacing(["sequence", "exportedAt"]) { name, value in
            guard name == "apps", let apps = value.array else { return value }
            return .array(
                apps.map { app in
                    app.replacing([]) { name, value in
                        name == "platforms"
                            ? value.replacing([]) { _, platform in platform.replacing(["revision", "sequence", "changedAt"]) { $1 } }
                            : value
                    }
                }
            )
        }
    }

    /// Adds the windows that wait or run, the next one first, each as a request that would make it again; without windows the export stays
    /// as it is. Windows with the same start are in the order of their text, so the same windows always give the same bytes.
    static func adding(_ windows: [Window], to json: JSONValue) -> JSONValue {
        guard var document = json.object, !windows.isEmpty else { return json }
        let asked = windows.map { (start: $0.start.at, json: WindowRequest(of: $0).json) }
            .sorted { ($0.start, $0.json.text) < ($1.start, $1.json.text) }
        document["windows"] = .array(asked.prefix(ExportBody.mostWindows).map(\.json))
        return .object(document)
    }

    /// Whether a document, once written, can be read again by ``json(in:)``.
    static func isTaken(_ document: JSONValue) -> Bool {
        // Losing the error is safe: whoever reads the file will report it.
        (try? JSONReader.read(Array(document.indented.utf8), limits: .ofExport)) != nil
    }

    /// Reads a JSON document as an export, without its windows: an apply makes none, and only a server can check their zones.
    /// - Throws: input refused (8), with the place in the file.
    static func read(_ json: JSONValue, from path: String, as source: DocumentSource = .request) throws(Failure) -> ExportBody {
        do { return try ExportBody(json: json.replacing(["windows"]) { $1 }, from: source) } catch { throw Failure(error, in: path) }
    }

    /// - Parameters:
    ///   - now: kill switches that were to lift themselves by then are left out, as an apply leaves them out.
    ///   - accept: codes of refusals that are overridden.
    ///   - isInForce: whether a server is taken to have published this: what it refuses only of a change, unless it is overridden, is then
    ///     a warning, and what it would have done since at the end of a window is done.
    /// - Throws: input refused (8), with the place in the file.
    init(path: String, at now: Timestamp, accept: [String] = [], isInForce: Bool = false) throws(Failure) {
        let json = try Self.json(in: path)
        var export = try Self.read(json, from: path)
        var told = Self.lift(&export, at: now)
        try Self.checkContent(export, in: path)
        if isInForce {
            let windows = RunningWindows(in: json, of: export, now: now)
            told += windows.end(in: &export)
            endings = windows.stayings(in: export)
        } else {
            told += try Self.checkLimits(export, at: now, in: path)
            endings = []
        }
        self.export = export
        warnings = try told + Self.lint(export, accept, isInForce)
        var feeds: [RenderedFeed] = []
        for app in export.apps {
            do { feeds += try FeedRenderer.render(app) } catch { throw Failure(.refused, error.code, "\(error.target): \(error.detail)") }
        }
        self.feeds = feeds
        ownFeeds = try Self.ownFeeds(of: export)
    }

    /// Leaves out kill switches whose end has come since the file was written.
    private static func lift(_ export: inout ExportBody, at now: Timestamp) -> [Warning] {
        var warnings: [Warning] = []
        for index in export.apps.indices {
            for key in export.apps[index].platformKeys {
                guard let target = export.apps[index].platforms[key], let until = target.gate.killSwitch?.until, until <= now else {
                    continue
                }
                export.apps[index].platforms[key]?.gate.killSwitch = nil
                warnings.append(.past(until, of: target.key))
            }
        }
        return warnings
    }

    /// Checks what the parts of a file are to each other, each of which has a valid form.
    private static func checkContent(_ export: ExportBody, in path: String) throws(Failure) {
        func refusal(_ code: String, _ detail: String, _ field: String) -> Failure {
            Failure(.invalid(code, detail, field: field), in: path)
        }
        guard !export.apps.isEmpty else { throw refusal("empty_document", "The document has no app.", "/apps") }
        var owners: [String: AppKey] = [:]
        for (index, app) in export.apps.enumerated() {
            do { try app.checkAliases() } catch { throw refusal(error.code, error.detail, "/apps/\(index)\(error.field)") }
            for (place, alias) in app.aliases.enumerated() {
                guard let owner = owners.updateValue(app.key, forKey: alias.path) else { continue }
                let detail = "\(alias.path) serves a feed of the app \(owner) already."
                throw refusal("alias_taken", detail, "/apps/\(index)/aliases/\(place)/path")
            }
        }
    }

    /// Checks what the server refuses of a change and takes of what is there already. What the document has with a revision was exported,
    /// and is taken to be there.
    /// - Returns: warnings of keys that nothing new gets: a document that was written by hand may be for a server that has them.
    private static func checkLimits(_ export: ExportBody, at now: Timestamp, in path: String) throws(Failure) -> [Warning] {
        var warnings: [Warning] = []
        func warn(_ error: ModelError) {
            warnings.append(Warning(code: error.code, detail: "\(error.detail) A server that has it already keeps it."))
        }
        for (index, app) in export.apps.enumerated() {
            let isThere = app.platforms.values.contains { $0.revision > 0 }
            if !isThere { do { try app.key.checkNew() } catch { warn(error) } }
            do throws(ModelError) {
                try app.checkPlatforms(beside: isThere ? app : nil)
                try app.checkOwnFeeds(beside: isThere ? app : nil)
                for key in app.platformKeys {
                    guard let target = app.platforms[key] else { continue }
                    if target.revision == 0 { do { try key.checkNew() } catch { warn(error) } }
                    do throws(ModelError) {
                        try target.gate.checkSize(after: target.revision == 0 ? .open : target.gate)
                        do { try target.gate.killSwitch?.checkBegun(at: now, "here") } catch { throw error.within("/killSwitch") }
                    } catch { throw error.within("/platforms/\(key)/gate") }
                }
            } catch { throw Failure(error.within("/apps/\(index)"), in: path) }
        }
        return warnings
    }

    /// Renders the own feeds after checking each as the server does.
    private static func ownFeeds(of export: ExportBody) throws(Failure) -> [RenderedOwnFeed] {
        var rendered: [RenderedOwnFeed] = []
        for app in export.apps {
            do throws(OwnFeedFault) {
                for feed in app.ownFeeds.values { try OwnFeeds.check(feed, in: app) }
                rendered += try OwnFeeds.render(app)
            } catch { throw Failure(.refused, error.refusal.code, Style.safe("\(error)")) }
        }
        return rendered
    }

    private static func lint(_ export: ExportBody, _ accept: [String], _ isInForce: Bool) throws(Failure) -> [Warning] {
        var warnings: [Warning] = []
        var refused: [(finding: Finding, isOverridable: Bool, field: String)] = []
        for app in export.apps {
            for key in app.platformKeys {
                guard let target = app.platforms[key] else { continue }
                let findings = FeedLint.findings(before: .open, after: target.gate, target: target.key, settings: target.settings)
                // What is rendered of a gradual opening lets nobody in; ``staying`` says so.
                for finding in findings where !(isInForce && finding.field == "/killSwitch/opening") {
                    if case .refusal(let isOverridable) = finding.severity,
                        !(isOverridable && (isInForce || accept.contains(finding.code)))
                    {
                        refused.append((finding, isOverridable, "/apps/\(app.key)/platforms/\(key)/gate" + finding.field))
                    } else if !warnings.contains(finding.warning) {
                        warnings.append(finding.warning)
                    }
                }
            }
        }
        guard let first = refused.first(where: { !$0.isOverridable }) ?? refused.first else { return warnings }
        let detail = first.finding.detail.hasSuffix(".") ? String(first.finding.detail.dropLast()) : first.finding.detail
        let others = refused.count - 1
        let more = others == 0 ? "" : others == 1 ? "; another rule is refused too" : "; \(others) other rules are refused too"
        var failure = Failure(.refused, first.finding.code, detail + more)
        failure.field = first.field
        if !first.isOverridable { throw failure }
        // All at once, so that nobody is sent away again for the next.
        let codes = Set(refused.map(\.finding.code)).sorted().map { "--accept \($0)" }.joined(separator: " ")
        failure.next = [("next", "to take it all the same: \(codes)")]
        throw failure
    }

    /// A warning if native feeds come out with the sequence 0, because the file says nothing of the history.
    var unnumbered: [Warning] {
        guard export.apps.contains(where: { $0.platforms.values.contains { $0.sequence == 0 } }) else { return [] }
        return [
            Warning(
                code: "no_sequence",
                detail: "gate.json has sequence 0: phones with GateKit that have seen a later one refuse it. "
                    + "Use a file from gatectl export --with-revisions."
            )
        ]
    }

    /// Kill switches that will lift themselves and windows that will end, which only a server does.
    var staying: [Warning] {
        endings
            + export.apps.flatMap { app in
                app.platformKeys.compactMap { key in
                    guard let target = app.platforms[key], let until = target.gate.killSwitch?.until else { return nil }
                    let isOpening = target.gate.opening != nil
                    let what = isOpening ? "is being lifted gradually until" : "is to lift itself at"
                    return Warning(
                        code: "static_until",
                        detail: "\(target.key): the kill switch \(what) \(until), and only a server does that: what is rendered now shuts "
                            + "\(isOpening ? "everybody" : "people") out until the file is rendered again after that time."
                    )
                }
            }
    }

    /// All feeds, of every shape.
    var feedCount: Int { feeds.count + ownFeeds.count }

    var targetCount: Int { export.apps.reduce(0) { $0 + $1.platforms.count } }
}

extension JSONValue {
    /// An object without some members and with new values for the rest; anything else as it is.
    fileprivate func replacing(_ without: Set<String>, _ other: (String, JSONValue) -> JSONValue) -> JSONValue {
        guard let object else { return self }
        var rest = JSONObject()
        for (name, value) in object.members where !without.contains(name) { rest[name] = other(name, value) }
        return .object(rest)
    }
}
