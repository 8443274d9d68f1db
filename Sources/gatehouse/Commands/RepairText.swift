import GateModel
import GateStore

/// What a repair says on standard output.
enum RepairText {
    static func lines(_ report: RepairReport, reverting: [TargetKey: Int], data: String, isTrial: Bool) -> [String] {
        var lines = report.rows.flatMap { row in ["\(row.fault)", "  " + outcome(row, data: data)] }
        let found = Set(report.rows.compactMap { $0.fault.place == "targets" ? $0.fault.row : nil })
        for (target, revision) in reverting.sorted(by: { $0.key < $1.key }) where !found.contains(target.description) {
            lines.append("\(target): revision \(revision) is put back.")
        }
        guard !lines.isEmpty else { return ["Every row can be read, or was noted earlier; there is nothing to repair."] }
        if let file = report.keptFile { lines.append("What was replaced is kept in \(data)/\(file).") }
        if isTrial {
            lines.append("This was a dry run; nothing was written.")
        } else if !report.entries.isEmpty {
            lines.append("The audit records it: \(report.entries.map { "entry \($0)" }.joined(separator: ", ")).")
        }
        return lines
    }

    private static func outcome(_ row: RepairReport.TreatedRow, data: String) -> String {
        switch row.outcome {
        case .noted:
            switch row.fault.place {
            case "users": return "noted; nobody can sign in as that person."
            case "tokens": return "noted; the token opens nothing."
            default: return "noted; it stays as it is and is shown as unreadable."
            }
        case .ended: return "ended; nothing more will be done by this window."
        case .removed: return "removed; nothing is lost with it."
        case .reverted(let revision): return "revision \(revision) is put back."
        case .undecided(let choices):
            guard let first = choices.first else {
                return "left: no earlier revision can be read. Put a sound copy of the data folder in its place."
            }
            let all = choices.map { "\($0.revision) (\($0.state.rawValue))" }.joined(separator: ", ")
            return "left: say what to put back, such as --revert \(row.fault.row ?? "")@\(first.revision). It can have revision \(all)."
        case .left: return "left: put a sound copy of the data folder in its place."
        }
    }
}
