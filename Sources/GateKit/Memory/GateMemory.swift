public import Foundation

/// Where GateKit keeps what it must know after the app was ended. A name has a value or none; values are small, but for one document.
///
/// Called by one ``GateMonitor`` at a time, off the main thread.
public protocol GateMemory: Sendable {
    /// - Returns: nil for a name that has no value.
    func load(_ name: String) throws -> Data?
    func save(_ value: Data, as name: String) throws
}

/// Texts that another library kept under names of its own, so that people who come from it are not asked again.
public struct GateLegacySlots: Sendable {
    let read: @Sendable () -> (optionalVersion: String?, alert: String?)

    /// - Parameter read: the version of the optional update, and the text of the alert, that the library remembers.
    public init(read: @escaping @Sendable () -> (optionalVersion: String?, alert: String?)) { self.read = read }

    /// LaunchGate's: `OPTIONAL_UPDATE` and `LAST_ALERT` in the standard user defaults.
    public static let launchGate = userDefaults(suite: nil)

    /// LaunchGate's, in a suite of the app's own; nil for the standard one.
    public static func userDefaults(suite: String?) -> GateLegacySlots {
        GateLegacySlots {
            // A suite that cannot be opened holds nothing.
            let defaults = suite.map(UserDefaults.init(suiteName:)) ?? .standard
            return (defaults?.string(forKey: "OPTIONAL_UPDATE"), defaults?.string(forKey: "LAST_ALERT"))
        }
    }
}
