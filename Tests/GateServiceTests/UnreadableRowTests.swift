import GateJSON
import GateModel
import GateStore
import Testing

@testable import GateService

/// R53: one row that cannot be read never stops the start. It is named in the health and shown as unreadable; everything else works.
@Suite struct UnreadableRowTests {
    private func house() throws -> House {
        let house = try House()
        try house.add("shop", "ios", "android")
        try house.add("bank", "ios")
        try house.addPerson("ann")
        return house
    }

    /// Everything that somebody does in a day, but for one app.
    private func expectWork(_ house: House, on target: String) throws {
        #expect(try house.set(target, to: Rules.kill).change != nil)
        #expect(try house.set(target, to: Rules.open).change != nil)
        _ = try house.make(try house.draft(target, in: 60))
        _ = try house.people().signIn("ann")
        let token = try house.access.createToken(name: "ci", role: .viewer, scope: .all, createdBy: "ann", from: .console)
        #expect(try house.access.caller(token: token, source: .api, requestId: "r", address: "").role == .viewer)
        #expect(try house.ledger.history(ChangeQuery(limit: 500), for: .admin).changes.count == house.ledger.sequence)
        #expect(try !house.access.audit(AuditQuery(limit: 500), for: .admin).entries.isEmpty)
        #expect(try house.ledger.events(after: 0, for: .admin).items.unwrapped().count == house.ledger.sequence)
    }

    @Test func aChangeThatCannotBeReadIsToldAsSuch() throws {
        let house = try house()
        try house.put(House.unreadable, on: "shop/ios")
        try house.put(.open, on: "shop/ios")
        let again = try house.restarted()
        #expect(again.ledger.health.state == .degraded)
        #expect(again.ledger.health.reasons == ["rows: changes row 6 cannot be read; stop the server and run gatehouse repair"])
        try expectWork(again, on: "shop/ios")

        let change = try again.ledger.change(6, for: .admin)
        #expect(change.isUnreadable && change.fault == nil)
        #expect(change.targets.map(\.target.description) == ["shop/ios"])
        #expect(
            change.targets[0].fault
                == "after/killSwitch/until cannot be read: until is an RFC 3339 time with its offset, such as 2026-04-02T09:32:14Z."
        )
        #expect(change.targets[0].json.object?["unreadable"] == change.targets[0].fault.map(JSONValue.string))
        #expect(try Change(json: change.json) == change)
        #expect(try again.ledger.change(8, for: .admin).isUnreadable == false)
        #expect(try again.ledger.history(ChangeQuery(app: AppKey("shop")!, limit: 50), for: .banker).changes.isEmpty)

        let revision = try again.revision("shop/ios")
        #expect(word { try again.submit(.revert("shop/ios", revision, to: 2)) } == "revision_unreadable")
        #expect(word { try again.submit(.revert("shop/ios", revision, to: 1)) } == nil)
    }

    @Test func anOldChangeThatCannotBeReadIsFoundInTheBackground() throws {
        let house = try house()
        try house.put(House.unreadable, on: "bank/ios")
        try house.put(.open, on: "bank/ios")
        // More than the start reads.
        let between = try house.restarted()
        for _ in 0..<110 {
            try between.set("shop/ios", to: Rules.kill)
            try between.set("shop/ios", to: Rules.open)
        }
        let again = try between.restarted()
        #expect(again.ledger.health == Health(state: .ok, reasons: []))
        try again.lookThroughRows()
        #expect(again.ledger.health.reasons == ["rows: changes row 6 cannot be read; stop the server and run gatehouse repair"])
    }

    @Test func aWindowThatCannotBeReadDoesNothing() throws {
        let house = try house()
        let (first, bad) = (try house.make(try house.draft("bank/ios", in: 30)).window.id, try house.putWindow())
        let again = try house.restarted()
        #expect(again.ledger.health.reasons == ["rows: windows row \(bad) cannot be read; stop the server and run gatehouse repair"])
        try expectWork(again, on: "shop/ios")
        let windows = try again.schedule.windows(WindowQuery(limit: 10), for: .admin).windows
        #expect(windows.map(\.id) == [3, bad, first])
        let window = try again.window(bad)
        #expect(window.fault == "document/start/at cannot be read: at is an RFC 3339 time.")
        #expect(window.state == .pending)
        #expect(window.targets.map(\.key.description) == ["shop/ios"])
        #expect(window.set.json.text == Rules.kill)
        #expect(window.json.object?["unreadable"] == window.fault.map(JSONValue.string))
        #expect(try Window(json: window.json) == window)
        #expect(word { _ = try again.schedule.cancel(bad, by: .admin) } == "window_unreadable")
        #expect(word { try again.run(bad) } == "window_unreadable")
        // The others are carried out.
        again.pass(31)
        #expect(try again.window(first).state == .done)
        #expect(try again.state("bank/ios") == .blocked)
    }

    @Test func peopleAndAuditGoOnWithoutARowThatCannotBeRead() throws {
        let house = try house()
        try house.putPeople()
        let again = try house.restarted()
        try expectWork(again, on: "shop/ios")
        #expect(try again.access.listPeople().map(\.name) == ["ann"])
        #expect(try again.access.tokens(for: .admin).allSatisfy { $0.name != "t" })
        let lines = try again.access.audit(AuditQuery(limit: 100), for: .admin).entries.filter { $0.fault != nil }
        #expect(lines.map(\.entry.action) == ["session.create"])
        #expect(lines.map(\.fault) == ["at holds no time"])
        try again.lookThroughRows()
        #expect(
            again.ledger.health.reasons == [
                "rows: audit row 2, users row 2, tokens row t cannot be read; stop the server and run gatehouse repair"
            ]
        )
    }

    // MARK: What is in force

    @Test func anAppWhoseGateCannotBeReadStaysAsItWasPublishedLast() throws {
        let house = try house()
        try house.submit(.aliases("bank", #"[{"path":"/bank.json","feed":"launchgate.json"}]"#))
        try house.set("bank/ios", to: Rules.kill)
        house.ledger.keepHouse()
        let feeds = house.sink.bytes
        try house.put(House.unreadable, on: "bank/ios")
        let again = try house.restarted()
        #expect(again.sink.bytes == feeds)
        #expect(
            again.ledger.health.reasons == [
                "rows: targets row bank/ios, changes row 8 cannot be read; bank takes no changes and is served as it was published last; stop the server and run gatehouse repair"
            ]
        )
        #expect(
            again.ledger.namelessHealth.reasons == [
                "rows: 2 rows cannot be read; 1 app takes no changes; stop the server and run gatehouse repair"
            ],
            "whoever is not signed in may ask, too"
        )
        try expectWork(again, on: "shop/ios")

        let bank = AppKey("bank")!
        #expect(word { try again.set("bank/ios", to: Rules.open) } == "app_unreadable")
        #expect(word { try again.submit(.set([("shop/ios", 3), ("bank/ios", 3)], Rules.kill)) } == "app_unreadable")
        #expect(word { try again.submit(.createApp(bank, name: "Bank")) } == "app_unreadable")
        #expect(word { try again.submit(.deleteApp(bank)) } == "app_unreadable")
        #expect(word { try again.submit(.settings("bank/ios", "{}")) } == "app_unreadable")
        #expect(word { _ = try again.ledger.app(bank, for: .admin) } == "app_unreadable")
        #expect(word { _ = try again.service.export(nil, for: .admin) } == "app_unreadable")
        #expect(word { _ = try again.service.export(AppKey("shop")!, for: .admin) } == nil)
        // Its addresses stay its own, and so do its feeds on disk.
        #expect(word { try again.submit(.aliases("shop", #"[{"path":"/bank.json","feed":"launchgate.json"}]"#)) } == "alias_taken")
        let third = try again.restarted()
        #expect(third.sink.bytes.filter { $0.key.contains("bank") } == feeds.filter { $0.key.contains("bank") })
    }

    @Test func aWindowOverAnAppThatCannotBeReadWaits() throws {
        let house = try house()
        let id = try house.make(try house.draft("bank/ios", in: 30)).window.id
        try house.put(House.unreadable, on: "bank/ios")
        let again = try house.restarted()
        again.pass(31)
        #expect(try again.window(id).state == .pending)
        #expect(again.ledger.health.reasons.contains { $0.hasPrefix("schedule: window \(id) ") })
        #expect(word { try again.run(id) } == "app_unreadable")
    }

    @Test func anAppThatWasNeverPublishedHasNoFeedsAndIsNamed() throws {
        let house = try house()
        try house.put(House.unreadable, on: "bank/ios")
        try house.close()
        let again = try House(again: house)
        #expect(!again.sink.bytes.isEmpty && again.sink.bytes.keys.allSatisfy { !$0.contains("bank") })
        #expect(again.ledger.health.reasons[0].contains("bank takes no changes and has no feeds, because none are kept"))
    }
}
