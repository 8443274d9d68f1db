import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// A database whose folder has another one's key: what would be written there, no server with the right key could take for its own.
@Suite struct RowKeyTests {
    private func audit(_ action: String = "test") -> AuditEntry {
        AuditEntry(at: Timestamp(milliseconds: World.start), actor: nil, action: action, requestId: "r")
    }

    private func add(_ name: String, to store: Store) throws {
        let user = NewUser(
            name: name,
            role: .admin,
            passwordHash: PasswordHash(stored: "$argon2id$"),
            createdAt: Timestamp(milliseconds: World.start)
        )
        _ = try store.createUser(user, audit: audit("people.create"))
    }

    /// A closed folder with ann and some changes.
    private func folder() throws -> (scratch: Scratch, world: World) {
        let scratch = try Scratch()
        let world = try scratch.store().closing { store in
            try add("ann", to: store)
            return try store.fill()
        }
        return (scratch, world)
    }

    private func write(_ key: UInt8, to scratch: Scratch) throws {
        try Data([UInt8](repeating: key, count: KeyedHash.keyByteCount)).write(to: URL(filePath: scratch.key))
    }

    @Test func withAnothersKeyAStoreTellsNobodyAndWritesNothing() throws {
        let (scratch, before) = try folder()
        var world = before
        try write(8, to: scratch)
        try scratch.store().closing { store in
            let (state, doubts) = (try store.loadState(), try store.doubts())
            #expect(state == world.state, "what phones obey stands in the history")
            #expect(doubts.all == [Signatures.foreignKey])
            var other = world
            let change = other.set([.shopIOS: .open])
            for refused in [
                { _ = try store.users() }, { try add("eve", to: store) }, { try store.appendAudit(audit()) }, { try store.commit(change) },
            ] { #expect(code(refused) == .keyMissing) }
        }
        // With the right one all goes on as if nothing had been.
        try write(7, to: scratch)
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
        try scratch.store().closing { store in
            #expect(try store.users().map(\.mayEnter) == [true])
            try store.commit(world.set([.shopIOS: .open]))
            try store.appendAudit(audit())
            #expect(try store.doubts().isEmpty)
        }
    }

    /// Nobody can tell which rows to drop; as they stand they can be taken over.
    @Test func withAnothersKeyNothingIsDropped() throws {
        let (scratch, _) = try folder()
        try write(8, to: scratch)
        try scratch.store().closing { store in
            #expect(code { try store.signAnew(.dropped, newKey: false) { _, _ in audit("rows.sign") } } == .conflict)
            #expect(try store.doubts().all == [Signatures.foreignKey])
            try store.signAnew(.kept, newKey: false) { _, _ in audit("rows.sign") }
            #expect(try store.users().map(\.mayEnter) == [true])
            #expect(try store.doubts().isEmpty)
        }
    }

    /// Somebody who alters the heads stops nothing with it that the phones need.
    @Test func alteredHeadsAreNoOtherKey() throws {
        var (scratch, world) = try folder()
        try scratch.tamper("UPDATE signatures SET content = '{}' WHERE name = 'heads'")
        try scratch.store().closing { store in
            #expect(try store.doubts().key == nil)
            #expect(try store.doubts().rows.first?.description == "signatures row heads: was not written by gatehouse with this key")
            try store.commit(world.set([.shopIOS: .open]))
        }
    }
}
