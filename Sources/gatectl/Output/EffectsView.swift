import GateModel

/// What phones show, in words: first whom the gate means to shut out and does not, then whom it shuts out beyond what is meant.
struct EffectsView {
    private let effects: [Effect]

    /// Rows of one heading that are told by themselves.
    private static let most = 12

    init(_ effects: [Effect]) { self.effects = effects }

    func lines(_ style: Style) -> [String] {
        Effect.Grade.allCases.flatMap { grade -> [String] in
            let rows = effects.filter { $0.grade == grade }
            guard !rows.isEmpty else { return [] }
            let heading = "  " + Self.heading(grade)
            let told = rows.prefix(Self.most).map { "    " + Self.row($0) }
            let left = rows.count > Self.most ? ["    … and \(rows.count - Self.most) more like these"] : []
            return [grade <= .shutsOut ? style.tinted(heading, .blocked) : heading] + told + left
        }
    }

    private static func heading(_ grade: Effect.Grade) -> String {
        switch grade {
        case .letsIn: "Gets in although the gate means to keep them out:"
        case .shutsOut: "Is kept out although the gate means to let them in:"
        case .differs: "Sees something else than the gate means:"
        case .asMeant: "Sees something new:"
        }
    }

    /// `shop/ios  LaunchGate 9.9.0, 2.0.0: nothing → nothing, meant is the required update. LaunchGate orders …`
    static func row(_ effect: Effect) -> String {
        let versions = effect.versions.count == 1 ? effect.versions[0] : effect.versions.joined(separator: ", ") + (effect.versions.count == Effect.mostVersions ? " …" : "")
        let change = effect.before == effect.after ? words(effect.after) : "\(words(effect.before)) → \(words(effect.after))"
        let meant = effect.after == effect.meant ? "" : ", meant: \(words(effect.meant))"
        return Style.safe("\(effect.target)  \(effect.client.title) \(versions): \(change)\(meant). \(effect.detail)")
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
