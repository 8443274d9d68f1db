public import GateJSON

// Settings as the JSON document of the admin API, export files and the store, and back.

extension PlatformSettings {
    /// Complete, as a server sends them: members that a newer server adds are ignored.
    fileprivate static let table = FieldTable<PlatformSettings>(
        answer: "Settings",
        "A settings document",
        .needed("versionScheme", .scheme, \.versionScheme, missing: .dotted),
        .nullable("storeURL", .string, \.storeURL),
        .needed("releases", .releases(from: .kept), \.releases, missing: []),
        .needed("defaultRetryInterval", .retryInterval, \.defaultRetryInterval, missing: standardRetryInterval),
        .nullable("clients", .knownClients, \.clients)
    ) { scheme, storeURL, releases, interval, known throws(ModelError) in
        let settings = PlatformSettings(
            versionScheme: scheme,
            storeURL: storeURL,
            releases: releases,
            defaultRetryInterval: interval,
            // An app that uses only libraries unknown to this version counts as one whose libraries are not known.
            clients: known?.isEmpty == true ? nil : known
        )
        try settings.checkReleases()
        return settings
    }

    package static var schema: JSONSchema { table.schema }

    public var json: JSONValue { Self.table.write(self) }
}

extension SettingsEdit {
    static let asked = table(.request)
    static let kept = table(.kept)

    private static func table(_ source: DocumentSource) -> FieldTable<SettingsEdit> {
        FieldTable(
            request: "SettingsDocument",
            "A settings document",
            .present("versionScheme", .scheme, \.versionScheme),
            .present("storeURL", .nullable(.storeURL(from: source)), \.storeURL),
            .present("releases", .releases(from: source), \.releases),
            .present("defaultRetryInterval", .retryInterval, \.defaultRetryInterval),
            .present("clients", .nullable(.clients), \.clients),
            make: SettingsEdit.init
        )
    }

    /// The members of a request, each of which may be left out.
    package static var members: [JSONSchema.Member] { asked.members }
    package static let names = asked.names
}

extension JSONCodec where Value == PlatformSettings {
    /// As a server sends them.
    package static var settings: JSONCodec { document(PlatformSettings.table) }
}

extension JSONCodec where Value == SettingsEdit {
    /// - Parameter source: links of stored settings are not parsed again, and their releases are not counted.
    package static func settings(from source: DocumentSource) -> JSONCodec {
        JSONCodec(SettingsEdit.asked.schema) { value, _ throws(ModelError) in
            try SettingsEdit(json: value, from: source)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == VersionScheme {
    fileprivate static var scheme: JSONCodec {
        JSONCodec(.word(VersionScheme.allCases.map(\.rawValue))) { value, name throws(ModelError) in
            guard let scheme = VersionScheme(rawValue: try JSONCodec<String>.string.read(value, name)) else {
                throw .invalid("invalid_version_scheme", "\(name) is \"dotted\" or \"code\".")
            }
            return scheme
        } write: {
            .string($0.rawValue)
        }
    }
}

extension JSONCodec where Value == String {
    fileprivate static func storeURL(from source: DocumentSource) -> JSONCodec {
        JSONCodec(.string(PlatformSettings.storeURLLengths, pattern: "^https://")) { value, name throws(ModelError) in
            let text = try string.read(value, name)
            return source == .kept ? text : try PlatformSettings.checked(storeURL: text)
        } write: {
            .string($0)
        }
    }
}

extension JSONCodec where Value == [String] {
    /// Each release once; in a request they are counted first.
    fileprivate static func releases(from source: DocumentSource) -> JSONCodec {
        JSONCodec(.array(of: .version, source == .request ? 0...GateLimits.versions : nil)) { value, name throws(ModelError) in
            guard let items = value.array else { throw .malformed("\(name) is an array of versions, not \(value.kindInWords).") }
            if source == .request, items.count > GateLimits.versions { throw .tooManyReleases(items.count, field: "") }
            var releases: [String] = []
            var seen: Set<String> = []
            for (index, item) in items.enumerated() {
                guard let text = item.string else {
                    throw .malformed("A release is a string, not \(item.kindInWords).", field: "/\(index)")
                }
                if seen.insert(text).inserted { releases.append(text) }
            }
            return releases
        } write: {
            .array($0.map(JSONValue.string))
        }
    }
}

extension JSONCodec where Value == Int {
    /// The interval of a platform or of a kill switch.
    static var retryInterval: JSONCodec {
        JSONCodec(.integer(PlatformSettings.retryIntervals)) { value, name throws(ModelError) in
            try PlatformSettings.retryInterval(json: value, name: name)
        } write: {
            .integer($0)
        }
    }
}

extension JSONCodec where Value == [ClientLibrary] {
    private static var names: [String] { ClientLibrary.allCases.map(\.rawValue) }

    /// From one to all libraries, each kept once and in a fixed order.
    fileprivate static var clients: JSONCodec {
        JSONCodec(.array(of: .word(names), 1...names.count)) { value, name throws(ModelError) in
            guard let items = value.array else {
                throw .malformed("\(name) is an array of client libraries or null, not \(value.kindInWords).")
            }
            let known = names.joined(separator: ", ")
            guard !items.isEmpty, items.count <= names.count else {
                throw .invalid(
                    "invalid_client",
                    "\(name) names from one to \(names.count) of \(known); it is null when they are not known."
                )
            }
            var clients: Set<ClientLibrary> = []
            for (index, item) in items.enumerated() {
                guard let text = item.string else {
                    throw .malformed("A client library is a string, not \(item.kindInWords).", field: "/\(index)")
                }
                guard let client = ClientLibrary(rawValue: text) else {
                    throw .invalid(
                        "invalid_client",
                        "\(JSONValue.quoted(text)) is no client library: use \(known).",
                        field: "/\(index)"
                    )
                }
                clients.insert(client)
            }
            return ClientLibrary.allCases.filter(clients.contains)
        } write: {
            .array($0.map { .string($0.rawValue) })
        }
    }

    /// As a server sends them: those that this version does not know are left out.
    fileprivate static var knownClients: JSONCodec {
        JSONCodec(.array(of: .word(names))) { value, name throws(ModelError) in
            guard let items = value.array else { throw .malformed("\(name) is an array, not \(value.kindInWords).") }
            let known = Set(items.compactMap { $0.string.flatMap(ClientLibrary.init(rawValue:)) })
            return ClientLibrary.allCases.filter(known.contains)
        } write: {
            clients.write($0)
        }
    }
}
