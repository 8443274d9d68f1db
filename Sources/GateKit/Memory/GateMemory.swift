public import Foundation

/// Where GateKit stores what it must still know after the app has ended. Each name has at most one value; values are small, except for one
/// document.
///
/// A ``GateMonitor`` calls it from one thread at a time, off the main one; ``GatePhone/current(memory:)`` calls it where it is called
/// itself, which may be the main thread, so it may be asked from two at once. An app and its extensions may share a memory that several
/// processes can use, such as the suite of an app group: dismissals and the rest of the record are merged, and a document that is older
/// than what another process has seen is not saved.
public protocol GateMemory: Sendable {
    /// - Returns: nil if the name has no value.
    /// - Throws: ``GateKitError`` `malformed` if the value is there but can never be read, so that it may be replaced; after any other
    ///   error a value that may still be there is not replaced, and what could not be read at the start is read again at the next check.
    func load(_ name: String) throws -> Data?
    func save(_ value: Data, as name: String) throws
}

/// Texts that another library stored under names of its own, so people who used the app with it are not asked again.
public struct GateLegacySlots: Sendable {
    let read: @Sendable () -> (optionalVersion: String?, alert: String?)

    /// - Parameter read: returns the version of the optional update and the text of the alert that the library remembers.
    public init(read: @escaping @Sendable () -> (optionalVersion: String?, alert: String?)) { self.read = read }

    /// LaunchGate's: `OPTIONAL_UPDATE` and `LAST_ALERT` in the standard user defaults.
    public static let launchGate = userDefaults(suite: nil)

    /// LaunchGate's slots in a suite of the app's own; nil for the standard one.
    public static func userDefaults(suite: String?) -> GateLegacySlots {
        GateLegacySlots {
            // A suite that cannot be opened has no values.
            let defaults = suite.map(UserDefaults.init(suiteName:)) ?? .standard
            return (defaults?.string(forKey: "OPTIONAL_UPDATE"), defaults?.string(forKey: "LAST_ALERT"))
        }
    }
}
