import GateModel

/// Which targets are meant by an app and its platforms as they are typed: `shop ios`, `shop ios,android`, `shop all`, or nothing.
struct TargetSelection: Sendable, Equatable {
    /// Nil for every app.
    var app: String?
    /// In the order in which they were named, each once; nil for every platform.
    let platforms: [String]?

    /// - Parameters:
    ///   - app: nil where none was named.
    ///   - platform: one key, several with commas, or `all`, which includes the others; nil where none was named.
    init(app: String?, platform: String?) {
        self.app = app
        let names = platform?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        platforms = names.isEmpty || names.contains("all") ? nil : names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let everything = TargetSelection(app: nil, platform: nil)

    func contains(_ target: TargetKey) -> Bool {
        (app == nil || target.app.text == app) && platforms?.contains(target.platform.text) ?? true
    }

    /// Whether a change is about any of them, or may be: the targets that an answer had no room for are not known.
    func concerns(_ change: Change) -> Bool {
        if change.omitted > 0 || change.targets.contains(where: { contains($0.target) }) { return true }
        // A name or an alias belongs to the app, not to a platform.
        return platforms == nil && (app == nil || change.app?.text == app)
    }
}
