import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

@testable import GateServer

/// A table with one target, whose gate is changed and polled, and the tracker that looks at it.
struct Watched {
    static let path = "/feeds/shop/ios/bellerophon.json"
    static let target = TargetKey(app: AppKey("shop")!, platform: .ios)
    let table = FeedTable()
    let tracker: ReachTracker

    init() throws {
        tracker = ReachTracker(table: table)
        try publish("{}")
    }

    func publish(_ gate: String) throws {
        let settings = PlatformSettings.standard(for: .ios)
        let target = Target(
            key: Self.target,
            settings: settings,
            gate: try Gate(json: JSONReader.read(gate), settings: settings),
            revision: 1,
            sequence: 1,
            since: Self.time(0),
            changedAt: Self.time(0)
        )
        let app = App(key: Self.target.app, name: "Shop", aliases: [], platforms: [.ios: target])
        table.publish([(app.key, try PublishedApp(rendering: app))])
    }

    func polls() throws -> PreparedResponse { try table.response(at: Self.path).unwrapped() }

    func reach(at second: Int64) -> ReachBody? { tracker.reach(of: Self.target, at: Self.time(second)) }

    static func time(_ second: Int64) -> Timestamp { Timestamp(milliseconds: second * 1_000) }
}
