import GateJSON
import GateModel

/// Versions by client libraries, readable at night: a table, and beneath it what is not as meant, and why.
struct MatrixView {
    let matrix: SimulationMatrix
    /// The file of a draft.
    let file: String?
    /// Whether the table shows the feed that is requested with the version.
    let isTargeted: Bool
    let now: Timestamp
    /// The zone that the moment was typed in.
    var zone = Zone.current

    func show(_ console: Console) {
        switch console.format {
        case .json: console.json(Document.of(matrix.json.object ?? [:]))
        case .plain: for cell in matrix.cells { console.data(plain(cell)) }
        case .table, .wide:
            for line in lines(style: console.out, width: console.tableWidth, inUTC: console.inUTC) {
                console.data(line)
            }
            if matrix.isProposed {
                console.note("Versions: those that rules depend on, those that poll, and releases. Name others after the platform.")
            }
        }
    }

    private func plain(_ cell: SimulationMatrix.Cell) -> String {
        [
            cell.version, cell.client.rawValue, cell.meant.rawValue, cell.untargeted.shown.outcome.rawValue,
            cell.untargeted.deviation?.rawValue ?? "", cell.targeted.shown.outcome.rawValue, cell.targeted.deviation?.rawValue ?? "",
            (isTargeted ? cell.targeted : cell.untargeted).shown.rule?.rawValue ?? "",
            (isTargeted ? cell.targeted : cell.untargeted).shown.message ?? "",
        ].map(Style.safe).joined(separator: "\t")
    }

    // MARK: Words

    func lines(style: Style, width: Int?, inUTC: Bool) -> [String] {
        [title(inUTC: inUTC)] + origin(inUTC: inUTC) + table(style: style, width: width) + deviations
            + matrix.notes.map { "Note: \(Style.safe($0))" }
    }

    private func title(inUTC: Bool) -> String {
        let time = Words.time(matrix.at, inUTC: inUTC, zone: zone)
        let moment =
            switch matrix.moment {
            case .now: "now"
            case .future: "at \(time), as the clock will have it"
            case .past: "at \(time), \(Words.age(from: matrix.at, to: now)) ago"
            case .revision: "with revision \(matrix.revision)"
            }
        let draft = file.map { " with \(Style.safe($0))" } ?? ""
        let seen = matrix.seen ? "; phones that were shown it before" : ""
        let feed = isTargeted ? "; by the feed requested with the version" : ""
        return "\(matrix.target) \(moment)\(draft): \(Words.detail(matrix.gate, at: matrix.at))\(seen)\(feed)"
    }

    /// Which change was in force.
    private func origin(inUTC: Bool) -> [String] {
        guard let change = matrix.change, matrix.moment == .past || matrix.moment == .revision else {
            return ["  revision \(matrix.revision)"]
        }
        let reason = change.reason.map { " (\(Style.safe($0)))" } ?? ""
        let until = matrix.until.map { "until \(Words.time($0, inUTC: inUTC, zone: zone))" } ?? "still in force"
        return [
            "  revision \(matrix.revision), change \(change.sequence): \(Words.sentence(change)), by \(change.actor.saidBy(change.source))\(reason)",
            "  from \(Words.time(change.at, inUTC: inUTC, zone: zone)), \(until)",
        ]
    }

    private func table(style: Style, width: Int?) -> [String] {
        var table = Table(["VERSION", "MEANT"] + matrix.clients.map(\.title), flexible: [])
        table.rows = matrix.versions.map { version in
            let cells = matrix.cells.filter { $0.version == version }
            let meant = cells.first?.meant.outcome ?? .open
            return [.init(Style.safe(version)), .init(Words.badge(meant), Words.tint(meant))]
                + matrix.clients.map { client in
                    guard let view = cells.first(where: { $0.client == client }).map(view) else { return .init("–") }
                    return .init(Words.badge(view.shown.outcome) + (view.deviation == nil ? "" : " !"), Words.tint(view.shown.outcome))
                }
        }
        return table.lines(style: style, width: width)
    }

    private func view(_ cell: SimulationMatrix.Cell) -> SimulationMatrix.View { isTargeted ? cell.targeted : cell.untargeted }

    /// What cells have in common when they are shown as one.
    private struct Kind: Hashable {
        let client: ClientLibrary
        let deviation: SimulationMatrix.Deviation
        let meant: Effect.Shown
        let isCured: Bool
        let words: String
    }

    private var deviations: [String] {
        var (kinds, groups): ([Kind], [Kind: [SimulationMatrix.Cell]]) = ([], [:])
        for cell in matrix.cells {
            guard let deviation = view(cell).deviation else { continue }
            let kind = Kind(
                client: cell.client,
                deviation: deviation,
                meant: cell.meant,
                isCured: cell.targeted.deviation == nil,
                // Sentences that differ only in their version count as the same.
                words: (cell.why ?? "").split(whereSeparator: { $0.isNumber || $0 == "." }).first.map(String.init) ?? ""
            )
            if groups[kind] == nil { kinds.append(kind) }
            groups[kind, default: []].append(cell)
        }
        let told = kinds.flatMap { kind -> [String] in
            guard let cells = groups[kind], let first = cells.first else { return [] }
            let versions = Words.some(cells.map { Style.safe($0.version) })
            // For the feed of a version, the reason is in its own detail.
            let reasons = [isTargeted ? view(first).shown.detail : first.why, first.cure].compactMap(\.self)
            return ["! \(kind.client.title) \(versions): \(Self.words(kind.deviation, kind.meant))"] + reasons.map { "  \(Style.safe($0))" }
        }
        if told.isEmpty { return ["All as meant."] }
        return ["! is not as meant:"] + told.map { "  \($0)" }
    }

    private static func words(_ deviation: SimulationMatrix.Deviation, _ meant: Effect.Shown) -> String {
        switch deviation {
        case .letsIn: "gets in, meant \(meant.outcome == .blocked ? "to be blocked" : "to update")"
        case .shutsOut: "kept out, meant to get in"
        case .differs: "shows something other than \(shown(meant))"
        }
    }

    private static func shown(_ meant: Effect.Shown) -> String {
        switch meant {
        case .blocked: "the block"
        case .forced, .required: "the update"
        case .optional: "the offered update"
        case .alert: "the alert"
        case .nothing, .crash, .stuck, .rejected: "nothing"
        }
    }
}
