import Foundation
import GateJSON
import GateModel
import Testing

@testable import GateStore

/// `gatehouse repair`: a database with rows that nobody can read is sound again, and what was done to it can be seen.
@Suite struct RepairTests {
    private func faults(_ scratch: Scratch) throws -> [String] {
        try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.description)
    }

    @Test func everyRowIsMendedOrNoted() throws {
        let scratch = try UnreadableRowTests.ruined()
        let store = try scratch.store()
        let (history, schedule) = (try store.changes(), try store.loadSchedule())
        let report = try store.repair()
        #expect(report.rows.map(\.fault.name) == UnreadableRowTests.rows)
        #expect(report.rows.map(\.outcome) == [.noted, .noted, .noted, .ended, .noted, .removed, .noted, .removed])
        #expect(!report.isUnfinished)

        // Nothing of the history was rewritten, and what was done stands in the audit.
        #expect(try store.changes() == history)
        let entry = try store.audit(AuditQuery(action: "database.repair")).map(\.entry)[0]
        #expect(entry.actor == Actor(kind: .system, name: "repair"))
        #expect(
            entry.detail?["rows"]?.array?.compactMap(\.string) == [
                "changes row 5", "changes row 6", "audit row 2", "users row 2", "tokens row abc",
            ]
        )
        #expect(entry.detail?["ended"]?.array?.compactMap(\.string) == ["windows row 2"])
        #expect(entry.detail?["removed"]?.array?.compactMap(\.string) == [UnreadableRowTests.session, UnreadableRowTests.answer])

        // The window ended, with what could be read of it, and what stood there is kept.
        let window = try #require(try store.window(id: 2)?.window)
        #expect(window.state == .failed && window.fault == nil)
        #expect(window.targets.map(\.key) == [.shopIOS])
        #expect(window.events.last?.what == .failed)
        let file = try #require(report.keptFile)
        let kept = try JSONReader.read(Array(scratch.bytes(file)), limits: .own)
        #expect(kept.object?["replaced"]?.array?.first?.object?["document"]?.string?.contains("\"at\":\"12") == true)
        #expect(try store.loadSchedule().active == schedule.active)
        #expect(try store.loadSchedule().unreadable == [])
        try store.close()

        #expect(try faults(scratch) == [])
        // Again there is nothing to do, and nothing is done.
        let again = try scratch.store()
        let audit = try again.audit()
        #expect(try again.repair() == RepairReport())
        #expect(try again.audit() == audit)
        #expect(try again.unreadableRows().faults.isEmpty)
        try again.close()
        #expect(try faults(scratch) == [])
    }

    @Test func aTrialWritesNothing() throws {
        let scratch = try UnreadableRowTests.ruined()
        let before = try faults(scratch)
        let store = try scratch.store()
        let audit = try store.audit()
        let report = try store.repair(isTrial: true)
        #expect(report.rows.count == UnreadableRowTests.rows.count)
        #expect(try store.audit() == audit)
        try store.close()
        #expect(try faults(scratch) == before)
        #expect(try scratch.names().allSatisfy { !$0.hasPrefix("repair-") })
    }

    // MARK: What is in force

    private static let never = UnreadableRowTests.never
    private static let bad = Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30, until: never))

    /// `shop/ios` killed at revision 2, with a gate at revision 3 that nobody reads.
    private func sealed() throws -> Scratch {
        let scratch = try Scratch()
        try ReadBack.$isOff.withValue(true) {
            try scratch.store().closing { store in
                var world = try store.fill()
                try store.commit(
                    world.set([.shopIOS: Self.bad], settings: [.shopIOS: PlatformSettings(versionScheme: .dotted, releases: ["x"])])
                )
            }
        }
        return scratch
    }

    @Test func aTargetIsLeftUntilSomebodyDecides() throws {
        let scratch = try sealed()
        let store = try scratch.store()
        #expect(try store.loadState().sealed.map(\.key) == [.shop])
        let report = try store.repair()
        #expect(report.isUnfinished)
        let choices = [RepairReport.Choice(revision: 2, state: .blocked), RepairReport.Choice(revision: 1, state: .open)]
        #expect(report.rows.map(\.fault.name) == ["targets row shop/ios", "changes row 5"])
        #expect(report.rows.map(\.outcome) == [.undecided(choices), .noted])
        #expect(try store.loadState().sealed.map(\.key) == [.shop])
        try store.close()
        #expect(try faults(scratch).map { $0.prefix(20) } == ["targets row shop/ios"])
    }

    @Test func aTargetGetsAnEarlierGateAsAChangeOfItsOwn() throws {
        let scratch = try sealed()
        let store = try scratch.store()
        let report = try store.repair(reverting: [.shopIOS: 2])
        #expect(report.rows.map(\.outcome) == [.reverted(to: 2), .noted])
        #expect(!report.isUnfinished)
        let state = try store.loadState()
        #expect(state.sealed.isEmpty)
        let target = try #require(state.apps[0].platforms[.ios])
        #expect((target.gate, target.revision, target.sequence) == (.killed, 4, 6))
        // The settings are those of the last change of them that can be read.
        #expect(target.settings == .standard(for: .ios))
        let change = try #require(try store.changes(ChangeQuery(before: 7, limit: 1)).first)
        #expect((change.kind, change.actor.name) == (.revert, "repair"))
        #expect(change.reason?.contains("revision 2") == true)
        let entry = try store.audit(AuditQuery(action: "database.repair")).map(\.entry)[0]
        #expect(entry.detail?["reverted"]?.array?.compactMap(\.string) == ["shop/ios to revision 2"])
        // Life goes on.
        try store.close()
        #expect(try faults(scratch) == [])
    }

    @Test func aTargetThatCanBeReadMayBeRevertedToo() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        #expect(try store.repair(reverting: [.shopIOS: 1]).rows.isEmpty)
        #expect(try store.loadState().apps[0].platforms[.ios]?.gate == .open)
        try store.close()
        #expect(try faults(scratch) == [])
    }

    @Test func whatCannotBePutBackIsRefusedAndNothingIsDone() throws {
        let scratch = try sealed()
        let store = try scratch.store()
        let audit = try store.audit()
        for (target, revision, words) in [
            (TargetKey.shopIOS, 3, "cannot be read either"), (.shopIOS, 9, "never had a revision 9"),
            (.bankIOS, 1, "There is no target bank/ios"),
        ] {
            let error = #expect(throws: StoreError.self) { try store.repair(reverting: [target: revision]) }
            #expect(error?.code == .notFound)
            #expect(error?.detail.contains(words) == true, "\(error as Any)")
        }
        #expect(try store.audit() == audit)
    }

    @Test func anAlteredHistoryIsNothingToRepair() throws {
        let scratch = try UnreadableRowTests.ruined()
        try scratch.dropTriggers()
        try scratch.tamper("UPDATE changes SET reason = 'x' WHERE sequence = 4")
        let store = try scratch.store()
        let error = #expect(throws: StoreError.self) { try store.repair() }
        #expect(error?.code == .corrupt)
        #expect(error?.detail == "changes row 4: hash does not match")
    }

    /// An entry of a repair speaks for the rows that it names, and for no others.
    @Test func aRowThatIsRuinedLaterIsFoundAgain() throws {
        let scratch = try UnreadableRowTests.ruined()
        try scratch.store().closing { _ = try $0.repair() }
        try scratch.tamper("UPDATE windows SET document = 'x' WHERE id = 1")
        // That it is not what gatehouse wrote, and that nobody can read it.
        #expect(try faults(scratch).map { $0.prefix(13) } == ["windows row 1", "windows row 1"])
    }
}

extension Scratch {
    fileprivate func bytes(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: data + "/" + file))) }

    fileprivate func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: data) }
}
