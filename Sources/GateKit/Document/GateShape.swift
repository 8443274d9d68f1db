/// The shapes of document that GateKit reads; which one it has before it is told from the document.
public enum GateShape: String, Sendable, Hashable, CaseIterable {
    /// Gatehouse's own: `gate.json`.
    case native
    /// Bellerophon's status: `apiInactive`, `forceUpdate`, `retryInterval`, `userMessage`.
    case bellerophon
    /// LaunchGate's and Gandalf's object per platform.
    case platformObjects
    /// The lists of Prince of Versions.
    case princeOfVersions
    /// Bellerophon's members beside objects or lists of platforms.
    case combined
}
