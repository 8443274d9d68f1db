package import GateJSON
package import GateModel

/// Everything that decides about feeds, as one file: what an export writes, and what an apply, an offline check and an offline
/// rendering read.
///
/// Read strictly, because it is also a wish: a misspelt member must not be taken for one that was left out. The server's export of one
/// state has always the same bytes. What tells one history from another (`sequence`, `exportedAt`, and each platform's `revision`,
/// `sequence` and `changedAt`) is there for the native feed's bytes and for people; an apply looks at revisions alone, and refuses a document
/// that a target has moved past.
package struct ExportBody: APIBody {
    /// The environment that it was taken from; for people.
    package var environment: String?
    /// The last change that is in it, and when it was taken. Nil in a file that was written by hand.
    package var sequence: Int?
    package var exportedAt: Timestamp?
    /// The apps that the document speaks for. An export of one app, or by somebody who sees some, says nothing of others, so that no
    /// apply of it removes them. ``apps`` are among them.
    package var scope: AppScope
    package var apps: [App]
    /// Windows that waited or ran when the document was written, as they were asked for; at most ``mostWindows``. They are told, for the
    /// state of a server would not be whole without them, and never made: a window is an appointment, and a file that is applied months later
    /// must not keep it. The server's answers have none; gatectl asks for them beside.
    package var windows: [WindowRequest]
    /// Asks for the apps after these; nil when these are all. Only the server's answers have it: a part is no document.
    package var next: String?

    /// What the file calls itself. Another name is another form and is refused.
    package static let form = "gatehouse/export/v1"
    package static let mostWindows = 1_000

    package init(
        apps: [App],
        scope: AppScope = .all,
        environment: String? = nil,
        sequence: Int? = nil,
        exportedAt: Timestamp? = nil,
        windows: [WindowRequest] = [],
        next: String? = nil
    ) {
        self.next = next
        self.windows = windows
        self.apps = apps
        self.scope = scope
        self.environment = environment
        self.sequence = sequence
        self.exportedAt = exportedAt
    }

    /// As it stands: an answer of a server, or a wish, of which only what it changes is held to today's rules.
    package init(json: JSONValue) throws(ModelError) { try self.init(json: json, from: .kept) }

    /// - Parameter source: of a request texts are cleaned, and what today's rules refuse is refused.
    package init(json: JSONValue, from source: DocumentSource) throws(ModelError) {
        var reader = try ObjectReader(json, "An export")
        let schema = try reader.string("schema")
        guard schema == Self.form else {
            throw .malformed("schema is \"\(Self.form)\", not \(JSONValue.string(String(schema.prefix(80))).text).", field: "/schema")
        }
        environment = try reader.optionalString("environment")
        sequence = try Self.count(&reader, "sequence")
        exportedAt = try Self.time(&reader, "exportedAt")
        scope = try reader.optionalDocument("scope", AppScope.init(json:)) ?? .all
        if reader.optional("next") != nil {
            // Taken for a whole, it would take away what the other parts hold.
            throw .malformed(
                "This is a part of an export; fetch the others with its \"next\", and put their apps together.",
                field: "/next"
            )
        }
        apps = try reader.list("apps") { json throws(ModelError) in try Self.app(json, source) }
        windows = try Self.windows(&reader)
        try reader.refuseOthers()
        var seen: Set<AppKey> = []
        for (index, app) in apps.enumerated() where !seen.insert(app.key).inserted {
            throw .malformed("The app \(app.key) is there twice.", field: "/apps/\(index)/key")
        }
        for (index, app) in apps.enumerated() where !scope.contains(app.key) {
            throw .malformed("The app \(app.key) is not in the document's \"scope\".", field: "/apps/\(index)/key")
        }
    }

    package var json: JSONValue {
        var object: JSONObject = ["schema": .string(Self.form)]
        object["environment"] = environment.map(JSONValue.string)
        object["sequence"] = sequence.map { .integer($0) }
        object["exportedAt"] = exportedAt.map { .string($0.description) }
        if scope != .all { object["scope"] = scope.json }
        object["apps"] = .array(apps.map(Self.json))
        if !windows.isEmpty { object["windows"] = .array(windows.map(\.json)) }
        object["next"] = next.map(JSONValue.string)
        return .object(object)
    }

    /// UTF-8 bytes of an app in the document.
    package static func bytes(of app: App) -> Int { json(app).bytes.count }

    private static func app(_ json: JSONValue, _ source: DocumentSource) throws(ModelError) -> App {
        var reader = try ObjectReader(json, "An app")
        let key = try reader.document("key") { json throws(ModelError) in try AppKey(validating: json.string ?? json.text) }
        let name = try reader.string("name")
        var app = App(key: key, name: try App.name(validating: name, field: "/name"))
        app.aliases = try reader.optionalList("aliases", Alias.init(json:)) ?? []
        for feed in try reader.optionalList("ownFeeds", OwnFeed.init(json:)) ?? [] {
            guard app.ownFeeds.updateValue(feed, forKey: feed.name) == nil else {
                throw .malformed("The feed \(feed.name) is there twice.", field: "/ownFeeds")
            }
        }
        app.platforms = try reader.document("platforms") { json throws(ModelError) in
            guard let object = json.object else { throw .malformed("platforms is an object, not \(json.kindInWords).") }
            var platforms: [PlatformKey: Target] = [:]
            for (name, value) in object.members {
                do throws(ModelError) {
                    let platform = try PlatformKey(validating: name)
                    platforms[platform] = try target(value, TargetKey(app: key, platform: platform), source)
                } catch { throw error.within(JSONPointer.member(name)) }
            }
            return platforms
        }
        try reader.refuseOthers()
        return app
    }

    private static func windows(_ reader: inout ObjectReader) throws(ModelError) -> [WindowRequest] {
        if let count = reader.optional("windows")?.array?.count, count > mostWindows {
            throw .malformed("A document tells of at most \(mostWindows) windows, not \(count).", field: "/windows")
        }
        return try reader.optionalList("windows", WindowRequest.init(json:)) ?? []
    }

    /// A number that counts something, so that it is never below 0.
    private static func count(_ reader: inout ObjectReader, _ name: String) throws(ModelError) -> Int? {
        guard let number = try reader.optionalInteger(name) else { return nil }
        guard number >= 0 else { throw .malformed("\(name) is a whole number from 0 on, not \(number).", field: "/" + name) }
        return number
    }

    private static func target(_ json: JSONValue, _ key: TargetKey, _ source: DocumentSource) throws(ModelError) -> Target {
        var reader = try ObjectReader(json, "A platform")
        var settings = PlatformSettings.standard(for: key.platform)
        if let given = reader.optional("settings") {
            do throws(ModelError) { try settings.apply(json: given, from: source) } catch { throw error.within("/settings") }
        }
        let gate =
            try reader.optionalDocument("gate") { json throws(ModelError) in try Gate(json: json, settings: settings, from: source) }
            ?? .open
        let changedAt = try time(&reader, "changedAt") ?? Timestamp(milliseconds: 0)
        let target = Target(
            key: key,
            settings: settings,
            gate: gate,
            revision: try count(&reader, "revision") ?? 0,
            sequence: try count(&reader, "sequence") ?? 0,
            since: changedAt,
            changedAt: changedAt
        )
        try reader.refuseOthers()
        return target
    }

    private static func time(_ reader: inout ObjectReader, _ name: String) throws(ModelError) -> Timestamp? {
        guard let text = try reader.optionalString(name) else { return nil }
        guard let time = Timestamp(text) else { throw .malformed("\(name) is an RFC 3339 time.", field: "/" + name) }
        return time
    }

    private static func json(_ app: App) -> JSONValue {
        var platforms: [(name: String, value: JSONValue)] = []
        for key in app.platformKeys {
            guard let target = app.platforms[key] else { continue }
            var object: JSONObject = ["settings": target.settings.json, "gate": target.gate.json]
            // A file that was written by hand knows no history, and says nothing of one. An apply looks at the revision alone.
            if target.revision > 0 {
                object["revision"] = .integer(target.revision)
                object["sequence"] = .integer(target.sequence)
                object["changedAt"] = .string(target.changedAt.description)
            }
            platforms.append((key.text, .object(object)))
        }
        var object: JSONObject = [
            "key": .string(app.key.text), "name": .string(app.name), "aliases": .array(app.aliases.map(\.json)),
            "platforms": .object(JSONObject(uniqueMembers: platforms)),
        ]
        // An app without any says nothing of them, and an apply takes that for none.
        if !app.ownFeeds.isEmpty { object["ownFeeds"] = .array(app.ownFeeds.keys.sorted().compactMap { app.ownFeeds[$0]?.json }) }
        return .object(object)
    }
}
