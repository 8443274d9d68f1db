public import GateJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is set once per platform of an app and rarely changed.
public struct PlatformSettings: Sendable, Hashable {
    public var versionScheme: VersionScheme
    /// Where users get the newest release; https only, or nil.
    public var storeURL: String?
    /// The versions that were ever shipped, as far as Gatehouse was told; the newest is the store's.
    public var releases: [String]
    /// Seconds, 5 to 3600: the interval of a kill switch that names none, and Bellerophon's when nothing is blocked.
    public var defaultRetryInterval: Int
    /// The client libraries that its apps use, in the order of ``ClientLibrary``; nil when that is not known, and then all that read its feeds.
    public var clients: [ClientLibrary]?

    /// ASCII characters of a store link.
    public static let storeURLLengths = 9...2_000
    /// Whole seconds that every client library survives (wire formats 6.1 item 29).
    public static let retryIntervals = 5...3600
    /// Of a platform that was told nothing.
    public static let standardRetryInterval = 15

    public init(
        versionScheme: VersionScheme,
        storeURL: String? = nil,
        releases: [String] = [],
        defaultRetryInterval: Int = standardRetryInterval,
        clients: [ClientLibrary]? = nil
    ) {
        self.versionScheme = versionScheme
        self.storeURL = storeURL
        self.releases = releases
        self.defaultRetryInterval = defaultRetryInterval
        self.clients = clients
    }

    /// The settings of a platform that was told nothing.
    public static func standard(for platform: PlatformKey) -> PlatformSettings {
        PlatformSettings(versionScheme: platform == .android ? .code : .dotted)
    }

    /// The newest known release: what the store has.
    public var newestRelease: String? { versionScheme.newest(of: releases) }

    public var json: JSONValue {
        [
            "versionScheme": .string(versionScheme.rawValue),
            "storeURL": storeURL.map(JSONValue.string) ?? .null,
            "releases": .array(releases.map(JSONValue.string)),
            "defaultRetryInterval": .integer(defaultRetryInterval),
            "clients": clients.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
        ]
    }

    /// Replaces what `json` names and keeps the rest.
    /// - Parameter source: a link that is kept is not taken apart anew: what an address is, a newer Foundation may say otherwise.
    /// - Throws: malformed (400) for wrong types and unknown names; `invalid_version`, `invalid_store_url`, `invalid_retry_interval`, `invalid_client` (422).
    public mutating func apply(json: JSONValue, from source: DocumentSource = .request) throws(ModelError) {
        guard let object = json.object else { throw .malformed("The settings are an object, not \(json.kindInWords).") }
        var settings = self
        for (name, value) in object.members {
            let field = "/" + name
            switch name {
            case "versionScheme":
                guard let text = value.string else {
                    throw .malformed("versionScheme is a string, not \(value.kindInWords).", field: field)
                }
                guard let scheme = VersionScheme(rawValue: text) else {
                    throw .invalid("invalid_version_scheme", "versionScheme is \"dotted\" or \"code\".", field: field)
                }
                settings.versionScheme = scheme
            case "storeURL":
                guard value.isNull || value.string != nil else {
                    throw .malformed("storeURL is a string or null, not \(value.kindInWords).", field: field)
                }
                settings.storeURL = try value.string.map { text throws(ModelError) in
                    source == .kept ? text : try Self.storeURL(text, field: field)
                }
            case "releases":
                guard let items = value.array else {
                    throw .malformed("releases is an array of versions, not \(value.kindInWords).", field: field)
                }
                if source == .request, items.count > GateLimits.versions { throw .tooManyReleases(items.count, field: field) }
                var releases: [String] = []
                var seen: Set<String> = []
                for (index, item) in items.enumerated() {
                    guard let text = item.string else {
                        throw .malformed("A release is a string, not \(item.kindInWords).", field: "\(field)/\(index)")
                    }
                    if seen.insert(text).inserted { releases.append(text) }
                }
                settings.releases = releases
            case "defaultRetryInterval":
                settings.defaultRetryInterval = try Self.retryInterval(json: value, field: field)
            case "clients":
                settings.clients = try Self.clients(json: value, field: field)
            default:
                throw .malformed("There is no setting \(JSONValue.string(String(name.prefix(80))).text).", field: JSONPointer.member(name))
            }
        }
        // After the loop, because the scheme may be named after the releases.
        for (index, release) in settings.releases.enumerated() {
            try settings.versionScheme.validate(release, field: "/releases/\(index)")
        }
        self = settings
    }

    /// - Throws: malformed or `invalid_client`.
    private static func clients(json: JSONValue, field: String) throws(ModelError) -> [ClientLibrary]? {
        if json.isNull { return nil }
        guard let items = json.array else {
            throw .malformed("clients is an array of client libraries or null, not \(json.kindInWords).", field: field)
        }
        let names = ClientLibrary.allCases.map(\.rawValue).joined(separator: ", ")
        guard !items.isEmpty, items.count <= ClientLibrary.allCases.count else {
            throw .invalid(
                "invalid_client",
                "clients names from one to \(ClientLibrary.allCases.count) of \(names); it is null when they are not known.",
                field: field
            )
        }
        var clients: Set<ClientLibrary> = []
        for (index, item) in items.enumerated() {
            guard let text = item.string else {
                throw .malformed("A client library is a string, not \(item.kindInWords).", field: "\(field)/\(index)")
            }
            guard let client = ClientLibrary(rawValue: text) else {
                throw .invalid(
                    "invalid_client",
                    "\(JSONValue.string(String(text.prefix(80))).text) is no client library: use \(names).",
                    field: "\(field)/\(index)"
                )
            }
            clients.insert(client)
        }
        return ClientLibrary.allCases.filter(clients.contains)
    }

    /// - Throws: malformed or `invalid_retry_interval`.
    static func retryInterval(json: JSONValue, field: String) throws(ModelError) -> Int {
        guard case .number = json else {
            throw .malformed("retryInterval is a whole number of seconds, not \(json.kindInWords).", field: field)
        }
        guard let seconds = json.integer, retryIntervals.contains(seconds) else {
            throw .invalid(
                "invalid_retry_interval",
                "The retry interval is a whole number of seconds from 5 to 3600; 30 is usual.",
                field: field
            )
        }
        return seconds
    }

    /// Refuses what a store link must not be: another scheme, user info, no host (reliability section 5).
    private static func storeURL(_ text: String, field: String) throws(ModelError) -> String {
        let refusal = ModelError.invalid(
            "invalid_store_url",
            "A store link is an https address without a user name, such as \"https://apps.apple.com/app/id1\".",
            field: field
        )
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }),
            storeURLLengths.contains(text.utf8.count),
            let components = URLComponents(string: text), components.scheme?.lowercased() == "https",
            components.user == nil, components.password == nil, let host = components.host, !host.isEmpty
        else { throw refusal }
        return text
    }
}
