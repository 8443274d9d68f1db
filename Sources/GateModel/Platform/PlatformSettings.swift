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
    /// The versions that were ever shipped, as far as Gatehouse knows; the newest is the one in the store.
    public var releases: [String]
    /// Seconds, 5 to 3600: the interval for a kill switch that names none, and Bellerophon's interval while nothing is blocked.
    public var defaultRetryInterval: Int
    /// The client libraries that its apps use, in the order of ``ClientLibrary``; nil if not known, which counts as all that read its
    /// feeds.
    public var clients: [ClientLibrary]?

    /// Length of a store link in ASCII characters.
    public static let storeURLLengths = 9...2_000
    /// Whole seconds that every client library survives (wire formats 6.1 item 29).
    public static let retryIntervals = 5...3600
    /// For a platform without settings of its own.
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

    /// The settings of a platform for which none were given.
    public static func standard(for platform: PlatformKey) -> PlatformSettings {
        PlatformSettings(versionScheme: platform == .android ? .code : .dotted)
    }

    /// The newest known release: what the store has.
    public var newestRelease: String? { versionScheme.newest(of: releases) }

    /// Replaces the settings that `json` names and keeps the rest.
    /// - Parameter source: a stored link is not parsed again, because a newer Foundation may judge an address differently.
    /// - Throws: malformed (400) for wrong types and unknown names; `invalid_version`, `invalid_store_url`, `invalid_retry_interval`,
    ///   `invalid_client` (422).
    public mutating func apply(json: JSONValue, from source: DocumentSource = .request) throws(ModelError) {
        try apply(SettingsEdit(json: json, from: source))
    }

    /// - Throws: `invalid_version` (422) for releases that are not valid in the scheme; the same edit may change the scheme.
    public mutating func apply(_ edit: SettingsEdit) throws(ModelError) {
        var settings = self
        if let scheme = edit.versionScheme { settings.versionScheme = scheme }
        if let address = edit.storeURL { settings.storeURL = address }
        if let releases = edit.releases { settings.releases = releases }
        if let seconds = edit.defaultRetryInterval { settings.defaultRetryInterval = seconds }
        if let clients = edit.clients { settings.clients = clients }
        try settings.checkReleases()
        self = settings
    }

    /// - Throws: `invalid_version` (422).
    func checkReleases() throws(ModelError) {
        for (index, release) in releases.enumerated() { try versionScheme.validate(release, field: "/releases/\(index)") }
    }

    /// - Parameter name: the member's, for the error.
    /// - Throws: malformed or `invalid_retry_interval`.
    static func retryInterval(json: JSONValue, name: String) throws(ModelError) -> Int {
        guard case .number = json else { throw .malformed("\(name) is a whole number of seconds, not \(json.kindInWords).") }
        guard let seconds = json.integer, retryIntervals.contains(seconds) else {
            throw .invalid("invalid_retry_interval", "\(name) is a whole number of seconds from 5 to 3600; 30 is usual.")
        }
        return seconds
    }

    /// Refuses a store link with another scheme, with user info, or without a host (reliability section 5).
    static func checked(storeURL text: String) throws(ModelError) -> String {
        let refusal = ModelError.invalid(
            "invalid_store_url",
            "A store link is an https address without a user name, such as \"https://apps.apple.com/app/id1\"."
        )
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }),
            storeURLLengths.contains(text.utf8.count),
            let components = URLComponents(string: text), components.scheme?.lowercased() == "https",
            components.user == nil, components.password == nil, let host = components.host, !host.isEmpty
        else { throw refusal }
        return text
    }
}
