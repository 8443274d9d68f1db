import GateJSON
import GateModel
import Testing

@testable import gatectl

/// The lists of windows, tokens and the audit as tables.
struct ListTests {
    private static let now = Timestamp("2030-03-30T07:00:00.000Z")!
    private static let style = Style(colour: false, unicode: true)
    private static let ann = Actor(kind: .user, name: "ann")

    /// From half past seven to half past eight, in UTC.
    private func window(in zone: String) throws -> Window {
        let key = TargetKey("shop/ios")!
        func time(_ hour: String) throws -> ZonedTime {
            try #require(Zone(named: zone)).zoned(Timestamp("2030-03-30T\(hour):30:00Z")!, as: zone)
        }
        return Window(
            id: 12,
            state: .pending,
            targets: [Window.Target(key: key, revision: 3, expected: GateEdit([.killSwitch], of: .open))],
            set: try GateEdit(json: JSONReader.read(#"{"killSwitch":{"message":"We are closed until the sale starts at nine."}}"#)),
            start: try time("07"),
            end: try time("08"),
            then: .open,
            actor: Self.ann,
            source: .gatectl,
            reason: "Everybody asked for it",
            accept: [],
            events: []
        )
    }

    private func lines(_ windows: [Window], _ width: Int?) -> [String] {
        ScheduleListCommand.lines(windows, Outlook(windows, []), Self.now, style: Self.style, width: width)
    }

    @Test func windowsFitTheTerminal() throws {
        let windows = [try window(in: "Europe/Berlin"), try window(in: "America/Argentina/Buenos_Aires")]
        for width in 80...200 { #expect(lines(windows, width).allSatisfy { $0.count <= width }, "\(width): \(lines(windows, width))") }
        #expect(lines(windows, nil)[1].contains("2030-03-30 08:30 Europe/Berlin"), "with room for it the zone is told")
        let narrow = lines(windows, 80)
        #expect(narrow[0].contains("FROM UTC") && narrow[0].contains("UNTIL UTC"))
        #expect(narrow[1].contains("shop/ios") && narrow[1].contains("03-30 07:30") && narrow[1].contains("03-30 08:30"), "\(narrow)")
        #expect(narrow[2].contains("03-30 07:30"), "\(narrow)")
    }

    /// Who may not see all targets of a window may not change it, and hears of that before they try.
    @Test func aWindowWithTargetsOutOfSightSaysSo() throws {
        var window = try window(in: "UTC")
        window.omitted = 2
        #expect(try #require(lines([window], nil).last).contains("PENDING  shop/ios, and 2 more  "))
        let told = WindowView.lines(window, now: Self.now)
        #expect(told[0] == "◷ PENDING  window 12  shop/ios, and 2 more")
        #expect(told[1] == "  note   only somebody who may change all of its targets can change it")
    }

    /// A window of whose start a part was refused does not hold what it says, and where is seen at once.
    @Test func aWindowThatRunsInPartNamesTheTargetsAndWhatTheyLack() throws {
        var window = try window(in: "UTC")
        window.state = .running
        window.targets = ["shop/macos", "shop/ios"].map { Window.Target(key: TargetKey($0)!, revision: 3, expected: window.set) }
        window.events = [.init(at: Self.now, what: .started, actor: Actor(kind: .system, name: "schedule"))]
        let row = { try #require(self.lines([window], nil).last) }
        #expect(try row().contains("RUNNING  shop/macos, shop/ios  "))
        window.targets[1].expected = GateEdit([:])
        window.events.append(.init(at: Self.now, what: .failed, actor: Actor(kind: .system, name: "schedule")))
        #expect(try row().contains("IN PART  shop/ios (not killSwitch), shop/macos  "))
        #expect(WindowView.lines(window, now: Self.now).first == "◷ IN PART  window 12  shop/ios (not killSwitch), shop/macos")
        // One that failed as a whole lacks everything, which its state says.
        window.state = .failed
        window.events.removeFirst()
        #expect(try row().contains("FAILED  shop/macos, shop/ios  "))
    }

    @Test func tokensFitTheTerminal() {
        let tokens = ["ci", "the night shift's laptop"].map { name in
            ListedToken(
                id: "k7Fq2Zx1",
                name: name,
                role: .operator,
                scope: .only([AppKey("shop")!, AppKey("bank")!]),
                owner: "annabelle",
                createdBy: "annabelle",
                createdAt: Self.now,
                expiresAt: nil,
                lastUsedAt: Self.now,
                revokedAt: Self.now,
                isActive: false
            )
        }
        let table = TokensListCommand.table(tokens, now: Self.now)
        for width in 45...120 { #expect(table.lines(style: Self.style, width: width).allSatisfy { $0.count <= width }, "\(width)") }
        #expect(table.lines(style: Self.style, width: 50)[1].hasPrefix("k7Fq2Zx1  ci "))
    }

    /// In the order of the rows, a row that stands for several is no older than the one before it.
    @Test func aRowForSeveralRefusalsHasTheTimeOfTheLast() {
        func entry(_ at: String, _ detail: JSONObject) -> AuditEntry {
            AuditEntry(
                at: Timestamp("2030-03-30T\(at).000Z")!,
                actor: nil,
                action: "session.create",
                outcome: .refused,
                address: "192.0.2.1",
                requestId: "1",
                detail: detail
            )
        }
        let table = AuditCommand.table([
            entry("06:59:58", [:]), entry("06:59:10", ["count": .integer(12), "until": .string("2030-03-30T06:59:51.000Z")]),
            entry("06:59:30", ["count": .integer(1), "until": .string("2030-03-30T06:59:30.000Z")]),
        ])
        let lines = table.lines(style: Self.style, width: nil)
        #expect(lines.dropFirst().map { $0.prefix(19) } == ["2030-03-30 06:59:58", "2030-03-30 06:59:51", "2030-03-30 06:59:30"])
        #expect(lines[2].contains("refused ×12 in 41s "), "\(lines)")
        #expect(lines[3].contains("refused ×1 "), "\(lines)")
    }

    @Test func aRehearsalHasTheTimeOfItsBeginning() {
        let table = AuditCommand.table([
            AuditEntry(
                at: Timestamp("2030-03-30T07:00:00.000Z")!,
                actor: nil,
                action: "rehearsal.create",
                outcome: .succeeded,
                subject: "shop/ios",
                address: "192.0.2.1",
                requestId: "1",
                detail: ["id": .string("k3_x9AbZ"), "until": .string("2030-03-30T09:00:00.000Z")]
            )
        ])
        let line = table.lines(style: Self.style, width: nil)[1]
        #expect(line.hasPrefix("2030-03-30 07:00:00") && line.contains("succeeded  shop/ios"), "\(line)")
    }
}
