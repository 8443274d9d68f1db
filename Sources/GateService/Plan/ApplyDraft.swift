import GateJSON
import GateModel

/// What a document would make of the catalog, before anything in it is checked: an apply must report that somebody was faster before it
/// reports that a value is refused, and only this draft shows which targets it is about.
struct ApplyDraft {
    /// A target that the document changes or creates.
    struct Edit {
        let changed: ChangedTarget
        let settings: PlatformSettings
        /// Pointer to the platform in the request.
        let pointer: String
    }

    let catalog: Catalog
    let now: Timestamp
    private(set) var edits: [Edit] = []
    /// Targets that are removed, including those of ``removedApps``.
    private(set) var removals: [ChangedTarget] = []
    /// Apps as they become, for those that change or whose targets change, with pointers to them in the request.
    private(set) var apps: [(app: App, pointer: String)] = []
    private(set) var removedApps: [App] = []
    private(set) var differences: [AppDifference] = []
    private(set) var warnings: [Warning] = []
    /// Targets that the document would change and that have moved on since it was written, with the revision it was written at.
    private(set) var outdated: [(target: Target, revision: Int, pointer: String)] = []
    /// Why changed gates and settings are refused, in the order of the document.
    private(set) var refusals: [ServiceError] = []

    init(catalog: Catalog, now: Timestamp) {
        self.catalog = catalog
        self.now = now
    }

    /// The apps that change in any way.
    var touched: Set<AppKey> { Set(apps.map(\.app.key)).union(removedApps.map(\.key)) }

    /// The touched apps none of whose targets shows it: their name or aliases change, or they have no platform. In order.
    var touchedAlone: [AppKey] {
        touched.subtracting(edits.map(\.changed.target.app)).subtracting(removals.map(\.target.app)).sorted()
    }

    var removesAnything: Bool { !removals.isEmpty || !removedApps.isEmpty }

    // MARK: Reading the document

    /// - Parameter prunes: whether to remove platforms that `wanted` lacks.
    mutating func add(_ wanted: App, at pointer: String, prunes: Bool) {
        let present = catalog.apps[wanted.key]
        var app = present ?? App(key: wanted.key, name: wanted.name)
        app.name = wanted.name
        app.aliases = wanted.aliases
        app.ownFeeds = wanted.ownFeeds
        var isTouched = present == nil
        checkKeys(of: wanted, beside: present, at: pointer)
        for key in wanted.platformKeys {
            guard let target = wanted.platforms[key], let edit = edit(target, present?.platforms[key], at: pointer + "/platforms/\(key)")
            else { continue }
            isTouched = true
            edits.append(edit)
            if let present = present?.platforms[key], target.revision > 0, present.revision > target.revision {
                outdated.append((present, target.revision, edit.pointer + "/revision"))
            }
            app.platforms[key] = catalog.target(after: edit.changed, edit.settings)
        }
        if prunes {
            for key in present?.platformKeys ?? [] where wanted.platforms[key] == nil {
                isTouched = true
                if let target = present?.platforms[key] { removals.append(.removal(of: target)) }
                app.platforms[key] = nil
            }
        }
        let rows = AppDifference.between(present, app)
        differences += rows
        if isTouched || !rows.isEmpty { apps.append((app, pointer)) }
    }

    /// Refuses keys that nothing new gets. What the document has with a revision was exported, and is no less wanted back for its key.
    private mutating func checkKeys(of wanted: App, beside present: App?, at pointer: String) {
        let isExported = wanted.platforms.values.contains { $0.revision > 0 }
        if present == nil, !isExported {
            do { try wanted.key.checkNew() } catch { refusals.append(ServiceError(error, at: pointer + "/key")) }
        }
        for key in wanted.platformKeys where present?.platforms[key] == nil && wanted.platforms[key]?.revision == 0 {
            do { try key.checkNew() } catch { refusals.append(ServiceError(error, at: pointer + "/platforms/\(key)")) }
        }
    }

    mutating func remove(_ app: App) {
        removedApps.append(app)
        removals += app.platformKeys.compactMap { app.platforms[$0].map(ChangedTarget.removal(of:)) }
        differences += AppDifference.between(app, nil)
    }

    private mutating func edit(_ wanted: Target, _ present: Target?, at pointer: String) -> Edit? {
        let (gate, settings) = taken(wanted, over: present, at: pointer)
        return edit(wanted.key, gate, settings, present, at: pointer)
    }

    /// The wanted gate and settings. What differs from the present is read as any request is: texts are cleaned, times and counts bounded.
    /// What does not differ is left alone, because an export made under other rules must still apply; it is then taken as stored and not as
    /// the document spells it: Swift calls a text and its decomposed form equal, and only one of them was cleaned.
    private mutating func taken(_ wanted: Target, over present: Target?, at pointer: String) -> (Gate, PlatformSettings) {
        var (gate, settings) = (wanted.gate, wanted.settings)
        if let there = present?.settings, settings == there {
            settings = there
        } else {
            do { try settings.apply(json: settings.json) } catch { refusals.append(ServiceError(error, at: pointer + "/settings")) }
        }
        let there = present?.gate ?? .open
        if gate == there {
            gate = there
        } else {
            do {
                gate = try Gate(json: gate.json, settings: settings)
                try gate.checkSize(after: there)
            } catch { refusals.append(ServiceError(error, at: pointer + "/gate")) }
            do { try gate.killSwitch?.checkBegun(at: now, "on the server") } catch {
                refusals.append(ServiceError(error, at: pointer + "/gate/killSwitch"))
            }
        }
        return (gate, settings)
    }

    private mutating func edit(_ key: TargetKey, _ gate: Gate, _ settings: PlatformSettings, _ present: Target?, at pointer: String)
        -> Edit?
    {
        var gate = gate
        // A kill switch whose end is past has lifted itself since the document was written. One that is still in force is left to the
        // clock.
        if let until = gate.killSwitch?.until, until <= now, gate.killSwitch != present?.gate.killSwitch {
            gate.killSwitch = nil
            warnings.append(.past(until, of: key))
        }
        guard gate != present?.gate || settings != present?.settings else { return nil }
        let changed = catalog.change(of: key, to: gate, settings)
        return Edit(changed: changed, settings: settings, pointer: pointer)
    }
}

extension Warning {
    static let feedsVanish = Warning(
        code: "feeds_vanish",
        detail: "The feeds answer 404 from now on: phones that poll them are let in, or stay where they are."
    )
}
