public import Foundation

/// Stores everything in the user defaults, where an Apple app keeps such things.
public final class UserDefaultsGateMemory: GateMemory, @unchecked Sendable {
    // Unchecked: `UserDefaults` may be used from any thread according to its documentation, but not every system's headers say so.
    private let defaults: UserDefaults

    /// - Parameter suite: an app group's suite; nil for the app's own defaults, which are also used if the suite cannot be opened.
    public init(suite: String? = nil) { defaults = suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard }

    public func load(_ name: String) -> Data? { defaults.data(forKey: name) }

    public func save(_ value: Data, as name: String) { defaults.set(value, forKey: name) }
}
