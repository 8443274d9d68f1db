public import Foundation

/// Remembers in the user defaults, where an Apple app keeps such things.
public final class UserDefaultsGateMemory: GateMemory, @unchecked Sendable {
    // Unchecked: `UserDefaults` may be used by any thread, as its documentation says; not every system's headers do.
    private let defaults: UserDefaults

    /// - Parameter suite: an app group's; nil for the app's own. One that cannot be opened is the app's own.
    public init(suite: String? = nil) { defaults = suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard }

    public func load(_ name: String) -> Data? { defaults.data(forKey: name) }

    public func save(_ value: Data, as name: String) { defaults.set(value, forKey: name) }
}
