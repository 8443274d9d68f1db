import GateJSON

/// How much of everything a gate and the settings of its platform hold at most.
///
/// What somebody asks for is counted before anything of it is looked at, so that what is too much costs nothing to refuse.
public enum GateLimits {
    /// Languages of a message, `default` among them.
    public static let languages = 50
    /// Versions of one list: those that are blocked, and the known releases.
    public static let versions = 100
    /// UTF-8 bytes of a gate document as ``JSONValue/bytes`` writes it. History, events and feeds hold it many times over.
    public static let bytes = 32_768
    /// Of ``bytes``, those that only a kill switch may take: however full a gate is, it can be shut.
    public static let bytesForKillSwitch = 4_096
}

extension ModelError {
    static func tooManyLanguages(_ count: Int, field: String) -> ModelError {
        .invalid("invalid_message", "A message has at most \(GateLimits.languages) languages, not \(count).", field: field)
    }

    static func tooManyVersions(_ count: Int, _ name: String, field: String) -> ModelError {
        .invalid("invalid_version", "\(name) holds at most \(GateLimits.versions) versions, not \(count).", field: field)
    }

    static func tooManyReleases(_ count: Int, field: String) -> ModelError {
        .invalid("invalid_releases", "At most \(GateLimits.versions) releases are kept, not \(count); leave the oldest out.", field: field)
    }
}
