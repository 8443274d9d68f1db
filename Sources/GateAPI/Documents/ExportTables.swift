import GateJSON
import GateModel

/// An export, its apps and their platforms, each declared once: how they are read, written and described.
///
/// What an export holds is always the same; what may be left out, and what is refused, depends on who wrote it.
struct ExportTables: Sendable {
    let platform: FieldTable<ExportedPlatform>
    let app: FieldTable<App>
    let export: FieldTable<ExportBody>

    /// As a server answers it; every export is written this way.
    static let told = ExportTables(.kept, isTold: true)
    /// As somebody may write it, with all of it held to today's rules.
    static let asked = ExportTables(.request)
    /// As somebody may write it, with only its changes held to today's rules.
    static let kept = ExportTables(.kept)

    private init(_ source: DocumentSource, isTold: Bool = false) {
        @Sendable func name(_ name: String) -> String { isTold ? name : name + "Document" }

        let settings = JSONCodec<SettingsEdit>.settings(from: source)
        let platform = FieldTable<ExportedPlatform>(
            name("ExportedPlatform"),
            "A platform",
            isClosed: !isTold,
            isTold
                ? .needed("settings", settings.described(as: PlatformSettings.schema), \.settings, missing: SettingsEdit())
                : .optional("settings", settings, \.settings, standard: SettingsEdit(), isTold: true),
            isTold
                ? .needed("gate", JSONCodec.edit.described(as: Gate.schema), \.gate, missing: GateEdit([:]))
                : .optional("gate", .edit, \.gate, standard: GateEdit([:]), isTold: true),
            .optional("revision", .count, \.revision),
            .optional("sequence", .count, \.sequence),
            .optional("changedAt", .toldTime, \.changedAt),
            make: ExportedPlatform.init
        )
        self.platform = platform

        let aliases = JSONCodec<[Alias]>.list(of: .askedAlias)
        let ownFeeds = JSONCodec<[OwnFeed]>.list(of: .ownFeed)
        let app = FieldTable<App>(
            name("ExportedApp"),
            "An app",
            isClosed: !isTold,
            .needed("key", .appKey, \.key),
            .needed("name", isTold ? .string : .string(App.nameLengths), \.name),
            isTold
                ? .needed("aliases", .list(of: .alias), \.aliases)
                : .optional(
                    "aliases",
                    aliases.described(as: .array(of: JSONCodec<Alias>.askedAlias.schema, 0...Alias.mostPerApp)),
                    \.aliases,
                    standard: [],
                    isTold: true
                ),
            .needed("platforms", .platforms(of: .document(platform)), \.exported),
            // An app without this member says nothing about such feeds, and an apply takes that to mean none.
            .optional(
                "ownFeeds",
                ownFeeds.described(
                    as: isTold ? .array(of: OwnFeed.toldSchema) : .array(of: JSONCodec<OwnFeed>.ownFeed.schema, 0...OwnFeed.mostPerApp)
                ),
                \.listedOwnFeeds,
                standard: []
            )
        ) { key, name, aliases, platforms, ownFeeds throws(ModelError) in
            var app = App(key: key, name: try App.name(validating: name, field: "/name"), aliases: aliases)
            for feed in ownFeeds {
                guard app.ownFeeds.updateValue(feed, forKey: feed.name) == nil else {
                    throw .malformed("The document has the feed \(feed.name) twice.", field: "/ownFeeds")
                }
            }
            for platform in platforms.keys.sorted() {
                do throws(ModelError) {
                    app.platforms[platform] = try platforms[platform]?.target(TargetKey(app: key, platform: platform), from: source)
                } catch { throw error.within("/platforms/\(platform)") }
            }
            return app
        }
        self.app = app

        let apps = JSONCodec<[App]>.list(of: .document(app))
        export = FieldTable<ExportBody>(
            isTold ? "Export" : "ExportDocument",
            "An export",
            isClosed: !isTold,
            .form,
            .optional("environment", .string, \.environment),
            .optional("sequence", .count, \.sequence),
            .optional("exportedAt", .toldTime, \.exportedAt),
            .optional("scope", JSONCodec.scope.described(as: .array(of: .appKey)), \.scope, standard: .all),
            // A document without apps is refused, since its content was most likely lost.
            .needed("apps", isTold ? apps : apps.described(as: .array(of: app.schema, 1...)), \.apps),
            .windows(isTold: isTold),
            .next(isTold: isTold)
        ) { _, environment, sequence, exportedAt, scope, apps, windows, next throws(ModelError) in
            var seen: Set<AppKey> = []
            for (index, app) in apps.enumerated() where !seen.insert(app.key).inserted {
                throw .malformed("The document has the app \(app.key) twice.", field: "/apps/\(index)/key")
            }
            for (index, app) in apps.enumerated() where !scope.contains(app.key) {
                throw .malformed("The app \(app.key) is not in the document's \"scope\".", field: "/apps/\(index)/key")
            }
            return ExportBody(
                apps: apps,
                scope: scope,
                environment: environment,
                sequence: sequence,
                exportedAt: exportedAt,
                windows: windows,
                next: next
            )
        }
    }
}

extension App {
    fileprivate var exported: [PlatformKey: ExportedPlatform] { platforms.mapValues { ExportedPlatform($0) } }

    fileprivate var listedOwnFeeds: [OwnFeed] { ownFeeds.values.sorted { $0.name < $1.name } }
}

extension JSONCodec where Value == Int {
    /// A number that counts something and so is never below 0.
    fileprivate static var count: JSONCodec {
        JSONCodec(.integer(0...)) { value, name throws(ModelError) in
            let number = try JSONCodec<Int>.integer(0...).read(value, name)
            guard number >= 0 else { throw .malformed("\(name) is a whole number, 0 or more, not \(number).") }
            return number
        } write: {
            .integer($0)
        }
    }
}

extension Field<ExportBody, Void> {
    /// The name of the file's form.
    fileprivate static var form: Field {
        Field(schema: [.needed("schema", .word([ExportBody.form]))]) { reader throws(ModelError) in
            let form = try reader.value("schema", JSONCodec<String>.string)
            guard form == ExportBody.form else {
                throw .malformed(
                    "schema is \"\(ExportBody.form)\", not \(JSONValue.quoted(form)).",
                    field: "/schema"
                )
            }
        } write: {
            $1["schema"] = .string(ExportBody.form)
        }
    }
}

extension Field<ExportBody, [WindowRequest]> {
    /// A server's answer has no windows.
    fileprivate static func windows(isTold: Bool) -> Field {
        let codec = JSONCodec<[WindowRequest]>.list(of: .body, 0...ExportBody.mostWindows) {
            .malformed("A document lists at most \(ExportBody.mostWindows) windows, not \($0).")
        }
        let member = JSONSchema.Member.optional("windows", .array(of: .exportedWindow, 0...ExportBody.mostWindows))
        return Field(schema: isTold ? [] : [member]) { reader throws(ModelError) in
            try reader.optionalValue("windows", codec) ?? []
        } write: {
            if !$0.windows.isEmpty { $1["windows"] = codec.write($0.windows) }
        }
    }
}

extension Field<ExportBody, String?> {
    /// The cursor, which only the server's answers have: a part is not a document.
    fileprivate static func next(isTold: Bool) -> Field {
        Field(schema: isTold ? [.optional("next", .string(1...63))] : []) { reader throws(ModelError) in
            guard reader.optional("next") == nil else {
                // Taken for a whole document, it would remove what the other parts hold.
                throw .malformed(
                    "This is a part of an export; fetch the others with its \"next\", and put their apps together.",
                    field: "/next"
                )
            }
            return nil
        } write: {
            $1["next"] = $0.next.map(JSONValue.string)
        }
    }
}

extension JSONSchema {
    /// A window as it is asked for in the body of POST /windows. None is made, so its targets and rules are listed and not checked.
    fileprivate static let exportedWindow = request(
        "ExportedWindowDocument",
        WindowRequest.table.members.map { member in
            switch member.name {
            case "set": .needed("set", request("RuleNames", Rule.allCases.map { .optional($0.rawValue, anything) }))
            case "targets": .needed("targets", array(of: exportedTarget, 1...ChangeRequest.maximumTargets))
            default: member
            }
        }
    )

    /// A target as it was spelled: targets of a window that is not made are not looked up.
    private static let exportedTarget = request(
        "ExportedWindowTarget",
        [.needed("app", text), .needed("platform", text), .optional("revision", wholeNumber)]
    )
}
