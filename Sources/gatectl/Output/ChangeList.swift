import GateJSON
import GateModel

/// Changes, as a list or one by one as they happen.
struct ChangeList {
    let console: Console
    /// Of a change to several targets only the selected ones are shown; JSON shows the whole change.
    var selection = TargetSelection.everything

    func print(_ changes: [Change]) {
        switch console.format {
        case .json: console.json(Document.list(changes.map(\.json)))
        case .plain: console.data(changes.flatMap(plain))
        case .table, .wide:
            guard !changes.isEmpty else { return console.data("No changes.") }
            let width = console.tableWidth
            console.page(Self.table(changes.flatMap(rows), width).lines(style: console.out, width: width))
        }
    }

    /// Terminals with fewer columns get a shorter table.
    private static let narrow = 80

    /// On a narrow terminal the time is shortened and the revision left out, so that who did it is always shown in full.
    private static func table(_ rows: [[Table.Cell]], _ width: Int?) -> Table {
        guard let width, width < narrow else {
            var table = Table(["TIME", "TARGET", "REV", "WHAT", "BY", "REASON"], flexible: [5, 3])
            table.rows = rows
            return table
        }
        var table = Table(["UTC", "TARGET", "WHAT", "BY", "REASON"], flexible: [4, 2, 1])
        table.rows = rows.map { row in
            // `2026-11-22 12:10:33 UTC`: the month, the day, the minute.
            let time = Table.Cell(String(row[0].text.dropFirst(5).prefix(11)))
            return [time, row[1], row[3], row[4], row[5]]
        }
        return table
    }

    /// One change as one line: with JSON a document of its own.
    func event(_ change: Change) {
        switch console.format {
        case .json: console.json(Document.of(change.json.object ?? [:]))
        case .plain: console.data(plain(change))
        case .table, .wide:
            for row in rows(change) {
                console.data(row.map { cell in cell.tint.map { console.out.tinted(cell.text, $0) } ?? cell.text }.joined(separator: "  "))
            }
        }
    }

    private func rows(_ change: Change) -> [[Table.Cell]] {
        let time = Words.time(change.at, inUTC: true)
        let by = change.actor.saidBy(change.source)
        let reason = change.reason.map(Style.safe) ?? "–"
        guard !change.targets.isEmpty else {
            return [[.init(time), .init(change.app?.text ?? "–"), .init("–"), .init(Words.sentence(change)), .init(by), .init(reason)]]
        }
        let more: [[Table.Cell]] =
            change.omitted == 0
            ? []
            : [[.init(time), .init("… and \(change.omitted) more"), .init("–"), .init(Words.sentence(change)), .init(by), .init(reason)]]
        return more
            + shown(change).map { target in
                let tint = target.before.state == target.after.state ? nil : Words.tint(target.after.state)
                return [
                    .init(time), .init(target.target.description), .init("\(target.revision)"),
                    .init(Words.sentence(change.naming([target])), tint), .init(by),
                    .init(reason),
                ]
            }
    }

    private func shown(_ change: Change) -> [ChangedTarget] { change.targets.filter { selection.contains($0.target) } }

    private func plain(_ change: Change) -> [String] {
        var targets = shown(change).map { ($0.target.description, "\($0.revision)") }
        // The change is about the app alone; or the selected targets are among those that the answer left out.
        if targets.isEmpty { targets = [(change.app?.text ?? "", "")] }
        return targets.map { target, revision in
            [
                "\(change.sequence)", change.at.description, target, revision, change.kind.rawValue, Style.safe(change.actor.name),
                change.source.rawValue,
                Style.safe(change.reason ?? ""),
            ].joined(separator: "\t")
        }
    }
}
