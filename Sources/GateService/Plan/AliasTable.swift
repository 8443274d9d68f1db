import GateFeeds
import GateJSON
import GateModel

/// What every alias serves once a change is made, whichever app it is of: an address may move from one app to another.
struct AliasTable {
    private struct Entry {
        let alias: Alias
        /// The app as it will be.
        let app: App
    }

    private let entries: [String: Entry]
    /// A hundred aliases may lead to few documents, and each is rendered and judged once: this may happen while others wait.
    private var documents = Documents()
    /// The own shapes that were judged already, each with the target whose phones get it.
    private var served: Set<Served> = []

    private struct Served: Hashable {
        let feed: Documents.Own
        let target: TargetKey
    }

    /// - Parameter apps: those that the change is about, as they will be.
    init(_ apps: [App]) {
        let pairs = apps.flatMap { app in app.aliases.map { ($0.path, Entry(alias: $0, app: app)) } }
        entries = Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    /// Whether the alias serves the same feed of the same app as before.
    private func keeps(_ alias: Alias, of app: AppKey) -> Bool {
        entries[alias.path].map { $0.alias == alias && $0.app.key == app } ?? false
    }

    // MARK: Warnings

    /// - Parameter app: as it is before the change.
    func warnings(of app: App) -> [Warning] {
        let altered = app.aliases.filter { !keeps($0, of: app.key) }
        let gone = altered.filter { entries[$0.path] == nil }
        let moved = altered.compactMap { alias in
            entries[alias.path].map { "\(alias.path) (\(Self.name(of: $0, besides: app.key)))" }
        }
        var warnings: [Warning] = []
        if !gone.isEmpty {
            let paths = gone.map(\.path).joined(separator: ", ")
            let detail =
                "\(app.key): phones that poll \(paths) get 404 from now on. Most let in whoever starts the app; a screen that is up stays until then."
            warnings.append(Warning(code: "alias_removed", detail: detail))
        }
        if !moved.isEmpty {
            let paths = moved.joined(separator: ", ")
            let detail =
                "\(app.key): phones that poll \(paths) get that other document from now on, and do what it says, or what they do without one."
            warnings.append(Warning(code: "alias_moved", detail: detail))
        }
        return warnings
    }

    private static func name(of entry: Entry, besides app: AppKey) -> String {
        let feed = (entry.alias.platform.map { "\($0)/" } ?? "") + entry.alias.feed.fileName
        return entry.app.key == app ? feed : "\(feed) of \(entry.app.key)"
    }

    // MARK: Effects

    /// Adds what happens to the phones that poll an app's aliases which no longer serve what they did.
    /// - Parameter app: as it is before the change.
    mutating func addAltered(of app: App, to effects: inout PlanEffects) {
        var told: Set<[String]> = []
        for alias in app.aliases where !keeps(alias, of: app.key) {
            let entry = entries[alias.path]
            // Losing two addresses of one document has the same effect as losing one.
            let next = entry.map { Self.name(of: $0, besides: app.key) } ?? ""
            guard told.insert([alias.feed.fileName, alias.platform?.text ?? "", next]).inserted else { continue }
            let targets = Self.targets(of: alias, in: app)
            switch alias.feed {
            case .library(let feed):
                for target in targets {
                    let isOwn = alias.platform.map { $0 == target.key.platform } ?? true
                    lose(isOwn ? .own(feed) : .shared(feed), of: target, in: app, to: entry, effects: &effects)
                }
            case .own(let name): lose(name, of: targets, in: app, to: entry, effects: &effects)
            }
            if let entry { serve(entry, to: targets, effects: &effects) }
        }
    }

    /// Adds aliases that served nothing before the change. Phones may poll them all the same: an address can be removed by one change, and
    /// serve something else by the next.
    /// - Parameter owners: the app of each alias before the change, by path.
    mutating func addNew(before owners: [String: AppKey], to effects: inout PlanEffects) {
        for path in entries.keys.sorted() where owners[path] == nil {
            guard let entry = entries[path] else { continue }
            serve(entry, to: Self.targets(of: entry.alias, in: entry.app), effects: &effects)
        }
    }

    /// The targets whose phones may poll the alias. A combined document names a platform, whose status it has; its objects and lists are
    /// the whole app's.
    private static func targets(of alias: Alias, in app: App) -> [Target] {
        let isOfAll = alias.platform == nil || alias.feed.library == .combined
        return app.platformKeys.compactMap { app.platforms[$0] }.filter { isOfAll || alias.platform == $0.key.platform }
    }

    private mutating func serve(_ entry: Entry, to targets: [Target], effects: inout PlanEffects) {
        guard case .own(let name) = entry.alias.feed else { return }
        let feed = Documents.Own(app: entry.app.key, name: name)
        for target in targets where served.insert(Served(feed: feed, target: target.key)).inserted {
            // One that cannot be rendered is refused by its own check.
            guard let open = documents.whileOpen(name, of: entry.app) else { return }
            effects.serve(open, to: target)
        }
    }

    private mutating func lose(
        _ lost: EffectFinder.Lost,
        of target: Target,
        in app: App,
        to entry: Entry?,
        effects: inout PlanEffects
    ) {
        guard let entry else { return effects.lose(lost, to: .nothing, of: target) }
        let isOfTarget = entry.app.key == app.key && entry.alias.platform.map { $0 == target.key.platform } ?? true
        if let moved = entry.alias.feed.library, isOfTarget {
            effects.lose(lost, to: .feed(moved), of: target)
        } else if let bytes = documents.bytes(of: entry.alias, in: entry.app) {
            effects.lose(lost, to: .document(bytes), of: target)
        } else {
            effects.open(target.key)
        }
    }

    private mutating func lose(_ name: OwnFeedName, of targets: [Target], in app: App, to entry: Entry?, effects: inout PlanEffects) {
        // Nobody knows what phones make of an own shape, so the worst is assumed.
        let isOther = entry.map { isAltered(name, of: app, by: $0) } ?? false
        for target in targets where isOther || target.gate.shutsSomebodyOut { effects.open(target.key) }
    }

    /// Whether phones that read a feed of an own shape may be let in or shut out when they get another document.
    private mutating func isAltered(_ name: OwnFeedName, of app: App, by entry: Entry) -> Bool {
        guard case .own(let other) = entry.alias.feed, let old = documents.before(name, of: app),
            let new = documents.after(other, of: entry.app)
        else { return true }
        return old.sense.isAltered(by: new.sense, differing: DocumentDifference.places(old.document, new.document))
    }
}

extension AliasTable {
    /// What was rendered, so that it is rendered once. Losing the errors is safe: the commit renders each app too, and refuses what cannot
    /// be rendered.
    private struct Documents {
        /// A feed of an own shape.
        struct Own: Hashable {
            let app: AppKey
            let name: OwnFeedName
        }

        typealias Judged = (bytes: [UInt8], document: JSONValue, sense: OwnFeedSense)

        private var feeds: [AppKey: [RenderedFeed]] = [:]
        private var own: (before: [Own: Judged?], after: [Own: Judged?]) = ([:], [:])
        private var open: [Own: [UInt8]?] = [:]

        /// The document of an alias as the change publishes it; nil if it cannot be.
        mutating func bytes(of alias: Alias, in app: App) -> [UInt8]? {
            switch alias.feed {
            case .library(let name):
                let all = feeds[app.key] ?? (try? FeedRenderer.render(app)) ?? []
                feeds[app.key] = all
                return all.first { $0.name == name && $0.platform == alias.platform }?.bytes
            case .own(let name): return after(name, of: app)?.bytes
            }
        }

        /// - Parameter app: as it is before the change.
        mutating func before(_ name: OwnFeedName, of app: App) -> Judged? { Self.judged(name, of: app, &own.before) }

        /// - Parameter app: as it will be.
        mutating func after(_ name: OwnFeedName, of app: App) -> Judged? { Self.judged(name, of: app, &own.after) }

        private static func judged(_ name: OwnFeedName, of app: App, _ known: inout [Own: Judged?]) -> Judged? {
            let key = Own(app: app.key, name: name)
            if let judged = known[key] { return judged }
            var judged: Judged?
            if let feed = app.ownFeeds[name], let rendered = try? OwnFeeds.render(feed, in: app),
                let sense = try? OwnFeedSense(feed, in: app)
            {
                judged = (rendered.bytes, rendered.document, sense)
            }
            known[key] = .some(judged)
            return judged
        }

        /// The document of an own shape while no gate has a rule; nil if it cannot be rendered.
        mutating func whileOpen(_ name: OwnFeedName, of app: App) -> [UInt8]? {
            let key = Own(app: app.key, name: name)
            if let known = open[key] { return known }
            let bytes = app.ownFeeds[name].flatMap { try? OwnFeeds.render($0, in: app.with(.open)) }?.bytes
            open[key] = .some(bytes)
            return bytes
        }
    }
}
