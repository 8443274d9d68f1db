import GateModel
import GateTesting
import Testing

@testable import GateStore

/// Whose role holds for some apps reads the history of these alone, however much the others have.
@Suite struct ScopedHistoryTests {
    private static let wallet = AppKey("wallet")!
    private static let walletIOS = TargetKey("wallet/ios")!

    /// Three apps: one with most of the changes, two with a few of their own, some of them together.
    private func filled() throws -> (store: Store, changes: [Change]) {
        let store = try Scratch().store()
        var world = try store.fill()
        for (app, target) in [(AppKey.bank, TargetKey.bankIOS), (Self.wallet, Self.walletIOS)] {
            try store.commit(world.saveApp(app))
            try store.commit(world.create(target))
        }
        for round in 0..<24 {
            let gate: Gate = round.isMultiple(of: 2) ? .everything : .killed
            var gates: [TargetKey: Gate] = [.shopIOS: gate, .shopAndroid: gate]
            if round % 8 == 1 { gates[.bankIOS] = gate }
            if round % 8 == 5 { gates = [.bankIOS: gate, Self.walletIOS: gate] }
            if round % 8 == 6 { gates = [Self.walletIOS: gate] }
            try store.commit(world.set(gates, actor: ["ann", "ben"][round % 2]))
        }
        try store.commit(world.delete(Self.wallet))
        return (store, world.changes)
    }

    /// What a scoped query means, said without SQL; `nil` for a platform stands for any.
    private func expected(_ query: ChangeQuery, of apps: Set<AppKey>, _ changes: [Change]) -> [Int] {
        let wanted = changes.reversed().filter { change in
            let touched = apps.filter { query.app == nil || query.app == $0 }
            let isOfTargets = change.targets.contains { target in
                touched.contains(target.target.app) && (query.platform == nil || query.platform == target.target.platform)
            }
            let isOfApp = query.platform == nil && change.app.map(touched.contains) == true
            return (isOfTargets || isOfApp) && query.actor.map { change.actor.answers(to: $0) } ?? true
                && query.before.map { change.sequence < $0 } ?? true && query.after.map { change.sequence > $0 } ?? true
        }
        return wanted.prefix(query.limit).map(\.sequence)
    }

    @Test func aPageIsFullOfChangesOfTheScope() throws {
        let (store, changes) = try filled()
        let scopes: [Set<AppKey>] = [[], [.bank], [Self.wallet], [.bank, Self.wallet], [.shop, .bank, Self.wallet], [AppKey("none")!]]
        for apps in scopes {
            for app in [nil, AppKey.bank, .shop] {
                for platform in [nil, PlatformKey.ios, .android] {
                    for actor in [nil, "ben"] {
                        for (after, before) in [(nil, nil), (6, 28)] as [(Int?, Int?)] {
                            for limit in [1, 3, 500] {
                                let query = ChangeQuery(
                                    app: app,
                                    platform: platform,
                                    actor: actor,
                                    after: after,
                                    before: before,
                                    limit: limit
                                )
                                let page = try store.changes(query, bytes: .max, of: .only(apps))
                                #expect(page.changes.map(\.sequence) == expected(query, of: apps, changes), "\(query) of \(apps)")
                                #expect(page.changes.allSatisfy { $0.targets.allSatisfy { apps.contains($0.target.app) } })
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func pagesJoinWithoutGapOrDouble() throws {
        let (store, changes) = try filled()
        let apps: Set<AppKey> = [.bank, Self.wallet]
        var query = ChangeQuery(limit: 2)
        var seen: [Int] = []
        repeat {
            let page = try store.changes(query, bytes: .max, of: .only(apps)).changes
            seen += page.map(\.sequence)
            query.before = page.last?.sequence
            try #require(seen.count <= changes.count)
        } while query.before != nil
        #expect(seen == expected(ChangeQuery(limit: 500), of: apps, changes))
    }
}
