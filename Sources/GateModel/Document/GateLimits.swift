import GateJSON

/// The most that a gate and the settings of its platform may hold.
///
/// In a request everything is counted before any of it is examined, so refusing too much costs nothing.
public enum GateLimits {
    /// Languages of a message, including `default`.
    public static let languages = 50
    /// Versions in one list: the blocked ones, or the known releases.
    public static let versions = 100
    /// UTF-8 bytes of a gate document as ``JSONValue/bytes`` writes it. History, events and feeds hold the document many times over.
    public static let bytes = 32_768
    /// The part of ``bytes`` that only a kill switch may use: however full a gate is, it can be shut.
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
