/// The format of a file to import; the raw value is its name in commands and bodies.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// Recognised by the members of the document.
    case auto
    /// LaunchGate's and Gandalf's shape: an object for each platform.
    case launchgate
    case bellerophon
    case princeOfVersions = "prince-of-versions"
    /// A shape of the app's own; the file becomes a feed of that shape.
    case own
}
