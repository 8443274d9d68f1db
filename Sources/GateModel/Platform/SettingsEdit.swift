public import GateJSON

/// Settings of a platform to replace: what is named, and nothing else.
public struct SettingsEdit: Sendable, Hashable {
    public var versionScheme: VersionScheme?
    /// Nil where none is named, and a nil inside takes it away.
    public var storeURL: String??
    public var releases: [String]?
    /// Seconds.
    public var defaultRetryInterval: Int?
    /// Nil where none are named, and a nil inside says that they are not known.
    public var clients: [ClientLibrary]??

    public init(
        versionScheme: VersionScheme? = nil,
        storeURL: String?? = nil,
        releases: [String]? = nil,
        defaultRetryInterval: Int? = nil,
        clients: [ClientLibrary]?? = nil
    ) {
        self.versionScheme = versionScheme
        self.storeURL = storeURL
        self.releases = releases
        self.defaultRetryInterval = defaultRetryInterval
        self.clients = clients
    }

    /// The edit that turns any settings into `settings`: all are named.
    public init(replacingWith settings: PlatformSettings) {
        self.init(
            versionScheme: settings.versionScheme,
            storeURL: .some(settings.storeURL),
            releases: settings.releases,
            defaultRetryInterval: settings.defaultRetryInterval,
            clients: .some(settings.clients)
        )
    }

    /// Whether the releases are any in the scheme is asked when it is applied.
    /// - Throws: malformed (400) or invalid (422) with the member's pointer.
    public init(json: JSONValue, from source: DocumentSource = .request) throws(ModelError) {
        for name in json.object?.names ?? [] where !Self.names.contains(name) {
            throw .malformed("There is no setting \(JSONValue.string(String(name.prefix(80))).text).", field: JSONPointer.member(name))
        }
        self = try (source == .request ? Self.asked : Self.kept).read(json)
    }

    public var json: JSONValue { Self.asked.write(self) }
}
