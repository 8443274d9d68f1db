import GateCrypto
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// What an anchor from elsewhere tells of a backup whose key is elsewhere too.
@Suite(.onSQLite) struct BackupAnchorTests {
    private func anchor(_ anchor: ChainAnchor, _ alter: (ChainHead) -> ChainHead) -> ChainAnchor {
        ChainAnchor(changes: alter(anchor.changes), audit: anchor.audit)
    }

    @Test func theEndOfAnEncryptedBackupIsHeldAgainstTheAnchor() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let before = try store.anchor()
        try store.commit(world.set([.shopIOS: .open]))
        let path = scratch.path + "/one.backup"
        let manifest = try store.backUp(to: path, encryptedTo: OpeningKey(random: .system).sealingKey).manifest
        let own = try store.anchor()
        try store.commit(world.set([.shopIOS: .killed]))
        let after = try store.anchor()
        try store.close()

        #expect(try manifest.fault(against: own) == nil)
        #expect(try manifest.fault(against: ChainAnchor(changes: own.changes, audit: nil)) == nil)
        #expect(try manifest.fault(against: ChainAnchor(changes: .empty, audit: nil)) == nil)
        #expect(try manifest.fault(against: after)?.description == "changes row 6: is missing: the anchor knows rows up to 6")
        let rewritten = anchor(own) { ChainHead(sequence: $0.sequence, hash: .zero) }
        #expect(
            try manifest.fault(against: rewritten)?.description == "changes row 5: hash is not the anchor's: the history was rewritten"
        )
        #expect(code { _ = try manifest.fault(against: before) } == .keyMissing)
        // What is wrong for certain goes before what only the key tells.
        let mixed = ChainAnchor(changes: before.changes, audit: ChainHead(sequence: 9, hash: .zero))
        #expect(try manifest.fault(against: mixed)?.place == "audit")
    }
}
