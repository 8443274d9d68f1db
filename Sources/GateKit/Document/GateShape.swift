/// The shapes of document that GateKit reads; it recognises the shape from the document itself.
public enum GateShape: String, Sendable, Hashable, CaseIterable {
    /// Gatehouse's own: `gate.json`.
    case native
    /// Bellerophon's status: `apiInactive`, `forceUpdate`, `retryInterval`, `userMessage`.
    case bellerophon
    /// LaunchGate's and Gandalf's object per platform.
    case platformObjects
    /// The lists of Prince of Versions.
    case princeOfVersions
    /// Bellerophon's members together with objects or lists of platforms.
    case combined
}
