import GateAPI
import GateJSON
import GateModel

/// How an export file and a server differ, as far as phones can tell.
struct ExportDifference {
    let targets: [FieldDifference]
    let apps: [AppDifference]
    /// Targets whose kill switch in the file has lifted itself since it was written, with its end: as the server does when such a file is
    /// applied, it is left out.
    let ended: [(target: TargetKey, until: Timestamp)]
    /// The file's apps that the caller may not see: what the server does not show is not missing there.
    let leftOut: [AppKey]

    var isEmpty: Bool { targets.isEmpty && apps.isEmpty }

    /// - Parameters:
    ///   - app: only this app; nil for all that the file covers.
    ///   - platform: only this platform of it.
    ///   - time: the server's, by which kill switches end.
    init(server: ExportBody, file: ExportBody, app: String?, platform: String?, at time: Timestamp) {
        let (now, wanted) = (Self.byKey(server.apps), Self.byKey(file.apps))
        let covered = Set(now.keys).union(wanted.keys).filter { file.scope.contains($0) && (app == nil || $0.text == app) }.sorted()
        let keys = covered.filter(server.scope.contains)
        var targets: [FieldDifference] = []
        var apps: [AppDifference] = []
        var ended: [(target: TargetKey, until: Timestamp)] = []
        for key in keys {
            let (before, after) = (now[key], wanted[key])
            if platform == nil { apps += AppDifference.between(before, after) }
            let platforms = Set(before?.platforms.keys.map { $0 } ?? []).union(after?.platforms.keys.map { $0 } ?? [])
            for platformKey in platforms.sorted() where platform == nil || platformKey.text == platform {
                let target = TargetKey(app: key, platform: platformKey)
                let (old, new) = (before?.platforms[platformKey], after?.platforms[platformKey])
                var gate = new?.gate ?? .open
                if let until = gate.killSwitch?.until, until <= time, gate.killSwitch != old?.gate.killSwitch {
                    gate.killSwitch = nil
                    ended.append((target, until))
                }
                targets += FieldDifference.between(old?.gate ?? .open, gate, of: target)
                targets += FieldDifference.between(old?.settings, new?.settings, of: target)
            }
        }
        self.targets = targets.filter(PlanView.says)
        self.apps = apps
        self.ended = ended
        leftOut = covered.filter { !server.scope.contains($0) }
    }

    private static func byKey(_ apps: [App]) -> [AppKey: App] { Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { $1 }) }

    /// A block of lines for each app and target that differs.
    var lines: [String] {
        var lines = apps.flatMap(PlanView.rows)
        var last: TargetKey?
        for row in targets {
            if row.target != last {
                let own = targets.filter { $0.target == row.target }
                lines.append("  \(row.target)" + (PlanView.presence(own).map { "   \($0)" } ?? ""))
                last = row.target
            }
            lines.append(PlanView.row(row))
        }
        return lines
    }
}
