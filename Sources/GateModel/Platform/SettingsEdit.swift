public import GateJSON

/// Settings of a platform to replace: those that it names, and nothing else.
public struct SettingsEdit: Sendable, Hashable {
    public var versionScheme: VersionScheme?
    /// Nil if no link is named; an inner nil removes the link.
    public var storeURL: String??
    public var releases: [String]?
    /// Seconds.
    public var defaultRetryInterval: Int?
    /// Nil if no libraries are named; an inner nil says that they are not known.
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

    /// The edit that turns any settings into `settings`: it names all of them.
    public init(replacingWith settings: PlatformSettings) {
        self.init(
            versionScheme: settings.versionScheme,
            storeURL: .some(settings.storeURL),
            releases: settings.releases,
            defaultRetryInterval: settings.defaultRetryInterval,
            clients: .some(settings.clients)
        )
    }

    /// Whether the releases are valid in the scheme is checked when the edit is applied.
    /// - Throws: malformed (400) or invalid (422) with the member's pointer.
    public init(json: JSONValue, from source: DocumentSource = .request) throws(ModelError) {
        for name in json.object?.names ?? [] where !Self.names.contains(name) {
            throw .malformed("There is no setting \(JSONValue.quoted(name)).", field: JSONPointer.member(name))
        }
        self = try (source == .request ? Self.asked : Self.kept).read(json)
    }

    public var json: JSONValue { Self.asked.write(self) }
}
