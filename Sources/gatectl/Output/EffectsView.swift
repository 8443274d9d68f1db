import GateModel

/// What phones show, in words: first whom the gate should shut out but does not, then whom it shuts out although it should not.
struct EffectsView {
    private let effects: [Effect]

    /// How many rows are shown under one heading.
    private static let most = 12

    init(_ effects: [Effect]) { self.effects = effects }

    func lines(_ style: Style) -> [String] {
        Effect.Grade.allCases.flatMap { grade -> [String] in
            let rows = effects.filter { $0.grade == grade }
            guard !rows.isEmpty else { return [] }
            let heading = "  " + Self.heading(grade)
            let groups = Self.groups(rows)
            let told = groups.prefix(Self.most).map { "    " + Self.row($0) }
            let more = groups.dropFirst(Self.most).reduce(0) { $0 + $1.count }
            let left = more > 0 ? ["    … and \(more) more like these"] : []
            return [grade <= .shutsOut ? style.tinted(heading, .blocked) : heading] + told + left
        }
    }

    private static func heading(_ grade: Effect.Grade) -> String {
        switch grade {
        case .letsIn: "Gets in although the gate means to keep them out:"
        case .shutsOut: "Is kept out although the gate means to let them in:"
        case .differs: "Sees something other than the gate means:"
        case .asMeant: "Sees something new:"
        }
    }

    /// What rows of several targets have in common when they are shown as one, so nobody has to read the same sentence for each.
    private struct Alike: Hashable {
        let client: ClientLibrary
        let shown: [Effect.Shown]
        let detail: String

        init(_ effect: Effect) {
            client = effect.client
            shown = [effect.before, effect.after, effect.meant]
            detail = effect.detail
        }
    }

    /// The rows in their order, with rows of other targets that say the same grouped with the first of them. Rows of one target stay apart,
    /// because they are about different versions.
    private static func groups(_ rows: [Effect]) -> [[Effect]] {
        var order: [Alike] = []
        var alike: [Alike: [Effect]] = [:]
        for row in rows {
            let key = Alike(row)
            if alike[key] == nil { order.append(key) }
            alike[key, default: []].append(row)
        }
        return order.flatMap { key -> [[Effect]] in
            let rows = alike[key] ?? []
            return Set(rows.map(\.target)).count > 1 ? [rows] : rows.map { [$0] }
        }
    }

    private static func row(_ group: [Effect]) -> String {
        guard let first = group.first else { return "" }
        var seen: Set<TargetKey> = []
        let targets = group.filter { seen.insert($0.target).inserted }.map(\.target.description)
        guard targets.count > 1 else { return row(first) }
        return Style.safe("\(Words.some(targets))  \(first.client.title) \(versions(of: group)): \(told(first)). \(first.detail)")
    }

    /// `shop/ios  LaunchGate 9.9.0, 2.0.0: nothing → nothing, meant is the required update. LaunchGate orders …`
    static func row(_ effect: Effect) -> String {
        Style.safe("\(effect.target)  \(effect.client.title) \(versions(of: [effect])): \(told(effect)). \(effect.detail)")
    }

    /// The example versions of all rows together.
    private static func versions(of group: [Effect]) -> String {
        var seen: Set<String> = []
        let all = group.flatMap(\.versions).filter { seen.insert($0).inserted }
        let isCut = all.count > Effect.mostVersions || group.contains { $0.versions.count == Effect.mostVersions }
        return all.prefix(Effect.mostVersions).joined(separator: ", ") + (isCut ? " …" : "")
    }

    private static func told(_ effect: Effect) -> String {
        let change = effect.before == effect.after ? words(effect.after) : "\(words(effect.before)) → \(words(effect.after))"
        return change + (effect.after == effect.meant ? "" : ", meant: \(words(effect.meant))")
    }

    private static func words(_ shown: Effect.Shown) -> String {
        switch shown {
        case .blocked: "blocked"
        case .forced: "must update"
        case .required: "must update"
        case .optional: "is offered the update"
        case .alert: "alert"
        case .nothing: "nothing"
        case .crash: "crash"
        case .stuck: "stuck"
        case .rejected: "cannot read it"
        }
    }
}
