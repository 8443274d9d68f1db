import GateModel
import GateTesting
import Testing

@testable import GateStore

/// Random histories against the model, on both journals, with reopening in between.
@Suite struct PropertyTests {
    @Test(arguments: 1...12) func theStoreHoldsWhatTheModelHolds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scratch = try Scratch()
        let journal: StoreConfiguration.Journal = seed.isMultiple(of: 3) ? .truncate : .wal
        var store = try scratch.store { $0.journal = journal }
        var world = World()
        for step in 1...60 {
            if let commit = act(&world, &random) { try store.commit(commit) }
            if step.isMultiple(of: 20) {
                #expect(try store.loadState() == world.state, "seed \(seed), step \(step)")
                try store.close()
                store = try scratch.store { $0.journal = journal }
            }
        }
        #expect(try store.loadState() == world.state)
        if !world.changes.isEmpty { #expect(try store.changes(ChangeQuery(limit: 500)) == world.changes.reversed()) }
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [], "seed \(seed)")
    }

    private static let apps = ["shop", "bank", "game"].map { AppKey($0)! }
    private static let platforms = ["ios", "android", "tv", "web"].map { PlatformKey($0)! }

    private func act(_ world: inout World, _ random: inout SeededGenerator) -> Commit? {
        let app = Self.apps.randomElement(using: &random)!
        let key = TargetKey(app: app, platform: Self.platforms.randomElement(using: &random)!)
        let known = world.apps.values.flatMap { app in app.platformKeys.map { TargetKey(app: app.key, platform: $0) } }.sorted()
        guard let current = world.apps[app] else { return world.saveApp(app, name: "Name \(random.next(below: 9))") }
        switch random.next(below: 12) {
        case 0:
            let alias = Alias(path: "/config-\(app)-\(random.next(below: 99)).json", feed: .library(.launchgate), platform: nil)
            return world.saveApp(app, name: "Näme \(random.next(below: 99))", aliases: [alias])
        case 1: return random.next(below: 3) == 0 ? world.delete(app) : nil
        case 2: return current.platforms[key.platform] == nil ? nil : world.delete(key)
        case 3...5: return current.platforms[key.platform] == nil ? world.create(key) : nil
        case 6:
            guard current.platforms[key.platform] != nil else { return nil }
            let settings = PlatformSettings(
                versionScheme: .dotted,
                storeURL: "https://example.com/a",
                releases: ["1.\(random.next(below: 9))"]
            )
            return world.set([key: current.platforms[key.platform]!.gate], settings: [key: settings])
        default:
            let count = min(known.count, 1 + random.next(below: 3))
            guard count > 0 else { return nil }
            let targets = known.shuffled(using: &random).prefix(count)
            var gates: [TargetKey: Gate] = [:]
            for target in targets { gates[target] = [.open, .killed, .everything].randomElement(using: &random)! }
            return world.set(
                gates,
                actor: ["ann", "ben"].randomElement(using: &random)!,
                source: Change.Source.allCases.randomElement(using: &random)!
            )
        }
    }
}
