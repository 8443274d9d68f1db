import Foundation
import GateTesting
import Testing

@testable import GateStore

/// What `gatehouse verify` says of databases that older releases left.
@Suite struct OlderSchemaTests {
    /// A database as the release left it that had this many migrations.
    private func older(_ count: Int) throws -> Scratch {
        let shelf = try Scratch()
        let old = shelf.path + "/old"
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: Scratch.migrations) {
            guard let number = Int(name.prefix(4)), number <= count else { continue }
            try FileManager.default.copyItem(atPath: Scratch.migrations + "/" + name, toPath: old + "/" + name)
        }
        return try Scratch(migrations: old)
    }

    private func faults(_ scratch: Scratch) throws -> [String] {
        try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.description)
    }

    /// It lacks columns that say who wrote a row, and what the row says: that is no damage.
    @Test(arguments: [4, 5, 10, 13, 15]) func nothingButItsAgeIsNamed(count: Int) throws {
        let known = try Migration.all(in: Scratch.migrations).count
        #expect(try faults(older(count)) == ["schema: is \(count), older than this gatehouse's \(known): run gatehouse migrate"])
    }

    @Test func itsChainsAreCheckedAllTheSame() throws {
        let scratch = try older(10)
        let hash = String(repeating: "00", count: 32)
        try scratch.tamper(
            """
            INSERT INTO audit (sequence, at, action, outcome, request_id, hash)
            VALUES (1, 0, 'session.created', 'succeeded', 'r', x'\(hash)')
            """
        )
        #expect(try faults(scratch).map { $0.prefix { $0 != ":" } } == ["audit row 1", "schema"])
    }

    /// Of apps from before the history told of them nothing is known, and nothing is said.
    @Test func itsAppsAreNoFaultOnceItIsMigrated() throws {
        let scratch = try older(5)
        try scratch.tamper("INSERT INTO apps (key, name, aliases) VALUES ('shop', 'Shop', '[]')")
        _ = try Store.migrate(scratch.configuration())
        #expect(try faults(scratch) == [])
    }
}
