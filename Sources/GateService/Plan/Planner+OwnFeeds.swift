import GateFeeds
import GateJSON
import GateModel

/// Plans for feeds of own shapes.
extension Planner {
    func putOwnFeed(_ key: AppKey, _ draft: OwnFeedDraft, terms: WriteTerms) throws(ServiceError) -> Step {
        guard var app = catalog.apps[key] else { throw .missing(key) }
        let before = app
        let present = app.ownFeeds[draft.name].map { JSONValue.string($0.template) }
        try Self.check(draft.seen, isStill: ["template": present ?? .null], of: "own/\(draft.name).json of \(key)")
        let (feed, accepted, reshaping) = try take(draft, into: &app, before: before, at: "/template", terms: terms)
        let sample = try sampleWarnings(feed, in: app, draft.sample)
        guard before.ownFeeds[draft.name] != feed else {
            return Step(
                plan: Plan(tier: .none, confirm: nil, reasonRequired: false, diff: [], warnings: reshaping.warnings + sample),
                kind: .settings,
                app: key
            )
        }
        var plan = PlanDraft(environment: environment, kind: .settings)
        plan.add(AppDifference.between(before, app) + reshaping.documents)
        plan.add(opening: reshaping.opened)
        var step = Step(
            plan: plan.plan(warnings: accepted + reshaping.warnings + sample),
            kind: .settings,
            app: key,
            apps: [app],
            accepted: accepted.map(\.code)
        )
        step.ownFeeds = reshaping.edits
        return step
    }

    /// Adds a feed to an app, and says what that means for its phones.
    /// - Parameter pointer: to the template in the request, for errors.
    func take(
        _ draft: OwnFeedDraft,
        into app: inout App,
        before: App,
        at pointer: String,
        terms: WriteTerms
    ) throws(ServiceError) -> (feed: OwnFeed, accepted: [Warning], reshaping: Reshaping) {
        if let present = app.ownFeeds[draft.name], present.platform != draft.platform {
            throw ServiceError(
                .invalid,
                "own_feed_moves",
                "\(app.key) own/\(draft.name).json is served for \(present.platform?.text ?? "the whole app"), and phones poll that address: remove it first, or take another name.",
                field: "/platform"
            )
        }
        var feed = OwnFeed(name: draft.name, platform: draft.platform, template: draft.template)
        app.ownFeeds[draft.name] = feed
        try checkOwnFeedLimits(of: app, before: before, at: pointer)
        var accepted: [Warning] = []
        do throws(OwnFeedFault) {
            do throws(OwnFeedFault) { try OwnFeeds.check(feed, in: app) } catch
                where error.refusal.isOverridable
                && terms.accept.contains(error.refusal.code)
            {
                feed = OwnFeed(name: draft.name, platform: draft.platform, template: draft.template, acceptsTypeChanges: true)
                accepted = [Warning(code: error.refusal.code, detail: "\(error)")]
                // The accepted fault was only the first; there may be one of another kind.
                try OwnFeeds.check(feed, in: app)
                app.ownFeeds[draft.name] = feed
            }
        } catch { throw .refused(error, at: pointer) }
        return (feed, accepted, try reshaping(app, before: before))
    }

    /// Makes a file into a feed, in the same change that sets the gates to what the file says.
    /// - Parameters:
    ///   - app: as the change leaves it.
    ///   - step: receives the feed, and the app if nothing else names one.
    /// - Returns: warnings.
    func takeOver(_ draft: OwnFeedDraft, into app: inout App, step: inout Step, plan: inout PlanDraft, terms: WriteTerms)
        throws(ServiceError)
        -> [Warning]
    {
        guard let before = catalog.apps[app.key] else { throw .missing(app.key) }
        // Checked here, and not where the file is read: two files could be taken over at once.
        if let present = before.ownFeeds[draft.name], present.template != draft.template || present.platform != draft.platform {
            throw .exists(draft.name, in: app.key)
        }
        let (_, accepted, reshaping) = try take(draft, into: &app, before: before, at: "/document", terms: terms)
        plan.add(AppDifference.between(before, app) + reshaping.documents)
        plan.add(opening: reshaping.opened)
        step.accepted += accepted.map(\.code)
        step.ownFeeds = reshaping.edits
        if step.targets.isEmpty { step.app = app.key }
        return accepted + reshaping.warnings
    }

    func deleteOwnFeed(_ key: AppKey, _ name: OwnFeedName) throws(ServiceError) -> Step {
        guard var app = catalog.apps[key] else { throw .missing(key) }
        guard let feed = app.ownFeeds[name] else { throw .missing(name, of: key) }
        if let alias = app.aliases.first(where: { $0.feed == .own(name) }) {
            throw ServiceError(
                .invalid,
                "alias_in_use",
                "The alias \(alias.path) serves \(feed.fileName) of \(key); remove the alias first."
            )
        }
        let before = app
        app.ownFeeds[name] = nil
        let reshaping = try reshaping(app, before: before)
        let plan = Plan(
            tier: .many,
            confirm: "delete \(key)/own/\(name)",
            reasonRequired: environment.isProtected,
            diff: [],
            apps: AppDifference.between(before, app) + reshaping.documents,
            warnings: reshaping.warnings
        )
        var step = Step(plan: plan, kind: .settings, app: key, apps: [app])
        step.ownFeeds = reshaping.edits
        return step
    }

    /// Checks that an app does not have too many feeds, and that each can be rendered: those that change, or all of them if the platforms
    /// or their version schemes change.
    /// - Parameter pointer: into the request, for errors.
    func checkOwnFeeds(of app: App, before: App?, at pointer: String?) throws(ServiceError) {
        let present = before?.ownFeeds ?? [:]
        let isElsewhere = app.schemes != before?.schemes
        guard app.ownFeeds != present || isElsewhere else { return }
        try checkOwnFeedLimits(of: app, before: before, at: pointer)
        for name in app.ownFeeds.keys.sorted() {
            guard let feed = app.ownFeeds[name], feed != present[name] || isElsewhere else { continue }
            do { try OwnFeeds.check(feed, in: app) } catch { throw .refused(error, at: pointer) }
        }
    }

    /// Checks that an app's feeds are neither too many nor too long.
    private func checkOwnFeedLimits(of app: App, before: App?, at pointer: String?) throws(ServiceError) {
        do { try app.checkOwnFeeds(beside: before) } catch { throw ServiceError(.invalid, error.code, error.detail, field: pointer) }
    }

    /// How a change of an app alters its feeds.
    func reshaping(_ app: App, before: App?) throws(ServiceError) -> Reshaping {
        var reshaping = Reshaping(edits: OwnFeedEdit.between(before, app))
        for edit in reshaping.edits {
            do throws(OwnFeedFault) { try add(edit, app, before, to: &reshaping) } catch { throw .refused(error, at: nil) }
        }
        return reshaping
    }

    /// How a change of gates alters the documents of own shapes whose templates stay: at most ``OwnFeed/mostPerApp`` feeds in all.
    /// - Parameter apps: as they will be.
    func ownDocuments(of apps: [App]) throws(ServiceError) -> [AppDifference] {
        var documents: [AppDifference] = []
        var room = OwnFeed.mostPerApp
        for app in apps {
            guard let before = catalog.apps[app.key] else { continue }
            for name in before.ownFeeds.keys.sorted() where room > 0 {
                guard let feed = before.ownFeeds[name], app.ownFeeds[name] == feed else { continue }
                room -= 1
                do throws(OwnFeedFault) {
                    let old = try OwnFeeds.render(feed, in: before)
                    let new = try OwnFeeds.render(feed, in: app, with: old.template)
                    guard old.bytes != new.bytes else { continue }
                    let field = "ownFeeds.\(name).document"
                    documents.append(AppDifference(app: app.key, field: field, before: old.document, after: new.document))
                } catch { throw .refused(error, at: nil) }
            }
        }
        return documents
    }

    private func add(_ edit: OwnFeedEdit, _ app: App, _ before: App?, to reshaping: inout Reshaping) throws(OwnFeedFault) {
        let old = before?.ownFeeds[edit.name]
        var shown: RenderedOwnFeed?
        var sense: OwnFeedSense?
        if let before, let old {
            shown = try OwnFeeds.render(old, in: before)
            sense = try OwnFeedSense(old, in: before)
        }
        let field = "ownFeeds.\(edit.name).document"
        guard let feed = edit.feed else {
            reshaping.documents.append(AppDifference(app: app.key, field: field, before: shown?.document, after: nil))
            if let shown { reshaping.warnings.append(.ownFeedVanishes(shown.path)) }
            return
        }
        let next = try OwnFeeds.render(feed, in: app)
        let nextSense = try OwnFeedSense(feed, in: app)
        reshaping.warnings.append(.ownShape(next.path))
        if nextSense.places.isEmpty { reshaping.warnings.append(.ignoresKill(next.path)) }
        let places = shown.map { DocumentDifference.places($0.document, next.document) } ?? []
        if shown == nil || !places.isEmpty {
            reshaping.documents.append(AppDifference(app: app.key, field: field, before: shown?.document, after: next.document))
        }
        // Nobody polls a new feed yet.
        guard let shown, let sense, sense.isAltered(by: nextSense, differing: places) else { return }
        reshaping.opened += Self.readers(of: shown, and: next, in: app)
    }

    /// The targets whose phones may read a document that another one replaces.
    private static func readers(of shown: RenderedOwnFeed, and next: RenderedOwnFeed, in app: App) -> [TargetKey] {
        let used = shown.template.platformsUsed.union(next.template.platformsUsed)
        // Constants name no platform; all of those that the feed is for may read them.
        let platforms = used.isEmpty ? shown.feed.platform.map { [$0] } ?? app.platformKeys : used.sorted()
        return platforms.map { TargetKey(app: app.key, platform: $0) }
    }

    private func sampleWarnings(_ feed: OwnFeed, in app: App, _ sample: String?) throws(ServiceError) -> [Warning] {
        guard let sample else { return [] }
        let document: JSONValue
        do {
            document = try JSONReader.read(sample, limits: JSONReader.Limits(bytes: OwnFeed.mostBytes, members: OwnTemplate.mostMembers))
        } catch { throw ServiceError(.invalid, "invalid_sample", "The sample is not JSON: \(error).", field: "/sample") }
        let rendered: RenderedOwnFeed
        do { rendered = try OwnFeeds.render(feed, in: app) } catch { throw .refused(error, at: "/template") }
        guard !rendered.bytes.elementsEqual(sample.utf8) else { return [] }
        return [.differs(rendered.path, fromSampleIn: DocumentDifference.places(document, rendered.document))]
    }
}

extension ServiceError {
    static func missing(_ name: OwnFeedName, of app: AppKey) -> ServiceError {
        ServiceError(.notFound, "own_feed_not_found", "\(app) has no feed own/\(name).json.")
    }

    static func exists(_ name: OwnFeedName, in app: AppKey) -> ServiceError {
        ServiceError(
            .invalid,
            "own_feed_exists",
            "\(app) has own/\(name).json already, and phones may poll it: take another name, or give that feed another template.",
            field: "/name"
        )
    }

    /// A refused template, or a change after which a template could no longer be rendered.
    static func refused(_ fault: OwnFeedFault, at pointer: String?) -> ServiceError {
        let refusal = fault.refusal
        let remedy = refusal.isOverridable ? " To publish it all the same, accept \"\(refusal.code)\"." : ""
        return ServiceError(.invalid, refusal.code, "\(fault)\(remedy)", field: pointer).with(\.isOverridable, refusal.isOverridable)
    }
}

extension App {
    /// What can make a template invalid: which platforms there are, and whether their versions are numbers.
    fileprivate var schemes: [PlatformKey: VersionScheme] { platforms.mapValues(\.settings.versionScheme) }
}
