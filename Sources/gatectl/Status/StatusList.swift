import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Targets and their states, for people and for scripts.
struct StatusList {
    let session: Session
    let status: StatusBody
    let targets: [TargetBody]
    let outlook: Outlook

    static func windows(_ session: Session, _ filter: TargetFilter) async throws -> [Window] {
        let selection = try await TargetLookup(client: session.client).selection(filter)
        return try await session.client.windows(app: selection.app, states: [.pending, .running])
    }

    /// The targets that a filter selects, worst first and longest first within a state.
    static func targets(_ session: Session, _ filter: TargetFilter) async throws -> [TargetBody] {
        guard let app = filter.app else { return sorted(try await session.client.targets()) }
        return sorted(try await TargetLookup(client: session.client).targets(app, filter.platform ?? "all"))
    }

    private static func sorted(_ targets: [TargetBody]) -> [TargetBody] {
        func rank(_ target: TargetBody) -> Int { GateState.allCases.firstIndex(of: target.state) ?? 0 }
        return targets.sorted { (rank($0), $0.target.since, $0.target.key) < (rank($1), $1.target.since, $1.target.key) }
    }

    func print() {
        let console = session.console
        switch console.format {
        case .json: console.json(json)
        case .plain: console.data(targets.map(plain))
        case .table, .wide:
            console.note(session.contextLine(status))
            session.warn(of: status.health)
            if let servers = Words.servers(status.servers) { console.note("Servers: " + servers) }
            console.data(lines)
            // The server counts reach only for a single target; for a list it would have to look at every feed.
            for target in targets {
                if let reach = target.reach {
                    console.note("  " + Words.reach(reach, of: target.target.key, revision: target.target.revision))
                }
            }
        }
    }

    var json: JSONValue {
        var about: JSONObject = [
            "context": .string(session.contextName(status)), "server": .string(session.settings.server.text),
            "environment": status.environment.json,
            "serverTime": .string(status.serverTime.description), "sequence": .integer(status.sequence), "health": status.health.json,
        ]
        if !status.servers.isEmpty { about["servers"] = .array(status.servers.map(\.json)) }
        return Document.list(targets.map(json), about)
    }

    private func json(_ body: TargetBody) -> JSONValue {
        guard var object = body.json.object else { return body.json }
        object["next"] = next(body)?.json ?? .null
        return .object(object)
    }

    /// The table, or a sentence when there is nothing to show.
    var lines: [String] {
        guard !targets.isEmpty else {
            return ["No apps yet. Add one: " + Invocation.sameServer("apps add shop --name Shop --platforms ios,android")]
        }
        let style = session.console.out
        guard session.console.format != .wide, let width = session.console.width else { return table().lines(style: style, width: nil) }
        let whole = table()
        return (whole.fits(width, style: style) ? whole : table(isShort: true)).lines(style: style, width: width)
    }

    /// - Parameter isShort: for a terminal that is too narrow for all of it: what is next is said in fewer words, and names are cut last.
    private func table(isShort: Bool = false) -> Table {
        let isWide = session.console.format == .wide
        var table = Table(
            ["STATE", "TARGET", "DETAIL", "SINCE", "NEXT", "REV"] + (isWide ? ["BY", "REASON", "MESSAGE"] : []),
            flexible: [2, 4, 1]
        )
        table.expendable = [3, 5]
        table.rows = targets.map { body in
            let target = body.target
            var row: [Table.Cell] = [
                .init(Words.badge(body.state), Words.tint(body.state)), .init(target.key.description),
                .init(Words.detail(target.gate, at: status.serverTime)),
                .init(Words.age(from: target.since, to: status.serverTime)),
                .init(next(body)?.said(status.serverTime, isShort: isShort) ?? "–"),
                .init("\(target.revision)"),
            ]
            if isWide {
                row.append(.init(body.lastChange.map { $0.actor.saidBy($0.source) } ?? "–"))
                row.append(.init(body.lastChange?.reason.map(Style.safe) ?? "–"))
                row.append(.init(Words.message(target.gate).map { "“\($0)”" } ?? "–"))
            }
            return row
        }
        return table
    }

    private func next(_ body: TargetBody) -> NextStep? { NextStep(body.target, outlook) }

    private func plain(_ body: TargetBody) -> String {
        [
            body.state.rawValue, body.target.key.description, Words.detail(body.target.gate, at: status.serverTime),
            body.target.since.description,
            "\(body.target.revision)",
            body.target.gate.killSwitch?.until?.description ?? "",
        ]
        .joined(separator: "\t")
    }
}
