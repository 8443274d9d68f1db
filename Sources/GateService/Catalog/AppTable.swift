import GateModel

/// Apps by key, split into shares: when a table is changed while somebody else holds a copy, only one share is copied and not all apps.
/// That is the case for every write, because its plan was made on the copy.
struct AppTable: Sendable {
    /// Enough that a share of 10,000 apps holds about 40 of them, and few enough that the list of shares is cheap to copy.
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
