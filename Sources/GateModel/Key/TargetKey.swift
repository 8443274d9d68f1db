/// One app on one platform, written `shop/ios`: the unit that is gated.
public struct TargetKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let app: AppKey
    public let platform: PlatformKey

    public init(app: AppKey, platform: PlatformKey) {
        self.app = app
        self.platform = platform
    }

    /// The target spelled `shop/ios`, or nil if that is not one.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let app = AppKey(parts[0]), let platform = PlatformKey(parts[1]) else { return nil }
        self.init(app: app, platform: platform)
    }

    public static func < (one: TargetKey, other: TargetKey) -> Bool {
        (one.app, one.platform) < (other.app, other.platform)
    }

    public var description: String { "\(app)/\(platform)" }
}
