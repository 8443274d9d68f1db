import GateModel
import GateStore

/// What a restore says on standard output.
enum RestoreText {
    static func lines(_ report: RestoreReport, data: String, isTrial: Bool) -> [String] {
        let manifest = report.manifest
        var lines = ["The backup of \(manifest.at) is sound. It ends with change \(manifest.sequence)."]
        lines += lost(report)
        lines += report.unread.map { "Could not be read from the former folder: \($0)" }
        if isTrial { return lines + ["This was a dry run; nothing was written. The restore would be change \(report.sequence)."] }
        lines.append("The restore is change \(report.sequence) of the history; the next one is \(report.sequence + 1).")
        if let skipped = report.skipped {
            lines.append("Sequences \(skipped.lowerBound) to \(skipped.upperBound) are left out: they may have been handed out before.")
        }
        if let aside = report.aside { lines.append("What was there is kept in \(aside).") }
        lines += trust(report, data: data)
        lines.append(
            "If the server keeps an anchor in a second place (serve --anchor-copy FILE), move that file away before you start the server: it knows the lost changes."
        )
        return lines
    }

    private static func lost(_ report: RestoreReport) -> [String] {
        guard let last = report.lastKnown, let count = report.lostCount else {
            return ["Nothing here shows what came after it: everything changed since then is lost, and nobody can say how much."]
        }
        guard count > 0 else { return ["The folder knows of no change after it: none is lost."] }
        let what = count == 1 ? "Change \(last) is lost" : "\(count) changes are lost, \(report.manifest.sequence + 1) to \(last)"
        var lines = [what + (report.lost.isEmpty ? "." : ":")]
        lines += report.lost.map { change in
            let targets = change.targets.isEmpty ? "" : " on \(change.targets.map(\.description).joined(separator: ", "))"
            return "  \(change.sequence)  \(change.at)  \(change.actor.name)\(targets)"
        }
        if !report.lost.isEmpty, report.lost.count < count { lines.append("  … and \(count - report.lost.count) before them") }
        return lines
    }

    private static func trust(_ report: RestoreReport, data: String) -> [String] {
        var lines: [String] = []
        switch report.trust {
        case .checked(let ended)?:
            lines.append(
                "People, tokens and windows carried the signature of the database's key, and were signed again; all sessions have ended."
            )
            lines += Self.ended(ended)
        case .checkedWithFormerKey(let ended)?:
            lines.append(
                "People, tokens and windows carried the signature of a former key of this folder, and were signed again; all sessions have ended. If that key was replaced because somebody may have it, look at each of them."
            )
            lines += Self.ended(ended)
        case .takenOver?:
            lines.append(
                "The key that people, tokens and windows were signed with is not in \(data): they were taken over as they are in the backup, and signed with a new key. All sessions have ended."
            )
        case nil: break
        }
        lines.append(
            "Who may do everything: \(report.administrators.isEmpty ? "nobody who signs in with a password" : report.administrators.joined(separator: ", ")). Look at gatectl users and gatectl tokens list."
        )
        if !report.keys.isEmpty {
            lines.append("Put in place from the backup: \(report.keys.map { "keys/\($0)" }.joined(separator: ", ")).")
        }
        if report.lacksSecondFactorKey {
            lines.append(
                "\(data)/keys/totp.key is missing: put it back from the copy of keys/, or people with a second factor sign in with recovery codes."
            )
        }
        return lines
    }

    private static func ended(_ rows: [StoreFault]) -> [String] {
        (rows.isEmpty ? [] : ["Those that did not carry it were ended:"]) + rows.map { "  \($0)" }
    }
}
