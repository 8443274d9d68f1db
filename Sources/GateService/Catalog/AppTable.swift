import GateModel

/// Apps by key, in shares: whoever changes a table of which somebody else holds a copy pays for one share and not for all apps. Every write
/// does so, because its plan was made on the copy.
struct AppTable: Sendable {
    /// Many enough that a share of 10,000 apps is 40 of them, few enough that the list of shares is copied at no cost.
    private static let count = 256

    private var shares = [[AppKey: App]](repeating: [:], count: AppTable.count)

    subscript(key: AppKey) -> App? {
        get { shares[Self.share(of: key)][key] }
        set { shares[Self.share(of: key)][key] = newValue }
    }

    /// Every app, in no order.
    var values: some Sequence<App> { shares.lazy.flatMap(\.values) }

    private static func share(of key: AppKey) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(count)) }
}
