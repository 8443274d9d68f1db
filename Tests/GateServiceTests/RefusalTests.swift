import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Refusals in the audit: counted a minute long, one row each kind.
@Suite struct RefusalTests {
    private func refusals(_ house: House) throws -> [AuditEntry] {
        try house.ledger.store.unwrapped().audit(AuditQuery(limit: 1_000)).map(\.entry).filter { $0.outcome == .refused }.reversed()
    }

    private func count(_ entry: AuditEntry) -> Int? { entry.detail?["count"]?.integer }

    @Test func equalRefusalsOfAMinuteAreOneRow() throws {
        let house = try House()
        try house.addPerson("ann")
        for _ in 0..<4 { _ = refusal { _ = try house.access.signIn("ann", password: "wrong") } }
        house.access.writeRefusals()
        #expect(try refusals(house).isEmpty)
        let first = house.clock.now
        house.clock.advance(seconds: 59)
        _ = refusal { _ = try house.access.signIn("ann", password: "wrong", from: "192.0.2.7") }
        let last = house.clock.now
        house.clock.advance(seconds: 1)
        house.access.writeRefusals()
        let entries = try refusals(house)
        #expect(entries.count == 1)
        #expect(entries.first.flatMap(count) == 5)
        #expect(entries.first?.at == first)
        #expect(entries.first?.detail?["until"] == JSONValue.string(last.description))
        #expect(entries.first?.detail?["code"] == JSONValue.string("wrong_credentials"))
        #expect((entries.first?.action, entries.first?.subject, entries.first?.address) == ("session.create", "ann", "192.0.2.7"))
        house.clock.advance(seconds: 60)
        house.access.writeRefusals(all: true)
        #expect(try refusals(house).count == 1)
    }

    @Test func whatDiffersHasARowOfItsOwn() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        for (name, address) in [
            ("ann", "192.0.2.7"), ("ann", "192.0.2.8"), ("bob", "192.0.2.7"), ("eve", "192.0.2.7"), ("mallory", "192.0.2.7"),
        ] {
            _ = refusal { _ = try house.access.signIn(name, password: "wrong", from: address) }
        }
        house.access.writeRefusals(all: true)
        let entries = try refusals(house)
        // Names that nobody has are one kind, and are not written down: people type passwords there.
        #expect(entries.map(\.subject).sorted { ($0 ?? "") < ($1 ?? "") } == [nil, "ann", "ann", "bob"])
        #expect(entries.compactMap(count).sorted() == [1, 1, 1, 2])
    }

    @Test func aThousandTriesAreAFewRows() throws {
        let house = try House()
        try house.addPerson("ann")
        for _ in 0..<1_000 { _ = refusal { _ = try house.access.signIn("ann", password: "wrong") } }
        house.access.writeRefusals(all: true)
        let entries = try refusals(house)
        #expect(entries.count == 2)
        #expect(entries.compactMap(count).reduce(0, +) == 1_000)
        #expect(Set(entries.compactMap { $0.detail?["code"]?.string }) == ["wrong_credentials", "too_many_tries"])
    }

    /// However the name is spelled, it is one person's password that is guessed at.
    @Test func anotherSpellingOfANameIsNoFreshStart() throws {
        let house = try House()
        try house.addPerson("ann")
        for name in ["ann", "ANN", "\u{FF41}nn", "A\u{FF2E}n", "an\u{FF4E}"] {
            #expect(word { _ = try house.access.signIn(name, password: "wrong") } == "wrong_credentials")
        }
        #expect(word { _ = try house.access.signIn("ann") } == "too_many_tries")
    }

    @Test func aFloodFromEverywhereIsCountedWithoutItsAddressesInTheEnd() {
        let counter = RefusalCounter()
        let now = Timestamp(milliseconds: 0)
        for number in 0..<5_000 {
            counter.count(.init(action: "a", code: "c", actor: nil, subject: nil, address: "address \(number)"), at: now, requestId: "r")
        }
        let entries = counter.due(at: now, .ending)
        #expect(entries.count == 101)
        #expect(entries.compactMap(count).reduce(0, +) == 5_000)
        #expect(entries.filter { $0.detail?["merged"] == .bool(true) }.map(\.address) == [nil])
        #expect(counter.due(at: now, .ending).isEmpty)
    }

    /// A day of knocking from everywhere at everything, with somebody who reads the audit every second.
    @Test func strangersCannotFillTheAudit() {
        let counter = RefusalCounter()
        var now = Timestamp(milliseconds: 1_774_000_000_000)
        var (rows, counted, number) = (0, 0, 0)
        for second in 0..<86_400 {
            for _ in 0..<3 {
                number += 1
                let code = ["wrong_credentials", "too_many_tries", "unauthenticated"][number % 3]
                counter.count(
                    .init(
                        action: "request.refused",
                        code: code,
                        actor: nil,
                        subject: "endpoint \(number % 45)",
                        address: "address \(number)"
                    ),
                    at: now,
                    requestId: "r"
                )
            }
            now = now.advanced(bySeconds: 1)
            let entries = counter.due(at: now, second % 2 == 0 ? .reading : .passing)
            rows += entries.count
            counted += entries.compactMap(count).reduce(0, +)
        }
        counted += counter.due(at: now, .ending).compactMap(count).reduce(0, +)
        #expect(counted == 3 * 86_400, "none is lost")
        #expect(rows < 100 + 1_440 + 3 * 1_440 + 10, "\(rows)")
    }

    /// Nor can somebody who may look at many apps, by exporting one after the other all day: there are no more rows than apps each hour.
    @Test func whatIsAllowedHasTheSameBudget() {
        let counter = RefusalCounter()
        var now = Timestamp(milliseconds: 0)
        let otto = Actor(kind: .user, name: "otto")
        func isFirst(_ app: String, from address: String = "192.0.2.7") -> Bool {
            let kind = RefusalCounter.Refusal(action: "export.create", code: nil, actor: otto, subject: app, address: address)
            return counter.isFirst(kind, at: now, requestId: "r")
        }
        #expect((0..<500).count { isFirst("app \($0)") } == 500)
        #expect((0..<500).count { isFirst("app \($0)") } == 0)
        let entries = counter.due(at: now, .ending)
        #expect(entries.compactMap(count) == Array(repeating: 1, count: 500))
        #expect(Set(entries.map(\.subject)).count == 500)
        #expect(entries.allSatisfy { $0.outcome == .succeeded && $0.detail?["code"] == nil })
        #expect(entries.count { $0.detail?["merged"] == .bool(true) && $0.address == nil } == 400)
        var rows = 0
        for minute in 0..<24 * 60 {
            now = now.advanced(bySeconds: 60)
            rows += (0..<20).count { isFirst("app \($0)", from: "address \(minute) \($0)") }
            rows += counter.due(at: now, .passing).count
        }
        #expect(rows < 2 * (24 * 60 + 100) + 2 * 24 * 20, "\(rows)")
    }

    /// An export of everything is told at once, whatever was exported before, and from however many addresses.
    @Test func anExportIsNotHiddenBehindOthers() throws {
        let house = try House()
        for app in ["shop", "bank"] { try house.add(app, "ios") }
        func caller(_ address: String) -> Caller {
            Caller(actor: Caller.admin.actor, role: .admin, scope: .all, source: .api, requestId: "r", address: address)
        }
        for number in 0..<150 { try house.access.exported(AppKey("shop"), apps: 1, by: caller("address \(number)")) }
        try house.access.exported(nil, apps: 2, by: caller("192.0.2.7"))
        try house.access.exported(AppKey("bank"), apps: 1, by: caller("192.0.2.8"))
        let store = try house.ledger.store.unwrapped()
        let entries = try store.audit(AuditQuery(limit: 2)).map(\.entry)
        #expect(entries.map(\.subject) == ["bank", nil])
        #expect(entries.map(\.address) == ["192.0.2.8", "192.0.2.7"])
        try house.access.exported(nil, apps: 2, by: caller("192.0.2.9"))
        house.clock.advance(seconds: 60)
        let told = try house.access.audit(AuditQuery(limit: 10), for: .admin).entries.map(\.entry).filter { $0.detail?["merged"] != nil }
        #expect(Set(told.map(\.subject)) == [nil, "shop"])
        #expect(told.compactMap(count).sorted() == [1, 49])
    }

    /// Nor does a flood hide what a person is refused.
    @Test func everyCallerHasABudgetOfTheirOwn() {
        let counter = RefusalCounter()
        let now = Timestamp(milliseconds: 0)
        for number in 0..<500 {
            counter.count(.init(action: "a", code: "c", actor: nil, subject: nil, address: "address \(number)"), at: now, requestId: "r")
        }
        let otto = Actor(kind: .user, name: "otto")
        for number in 0..<500 {
            counter.count(
                .init(action: "a", code: "c", actor: otto, subject: "endpoint \(number)", address: "192.0.2.7"),
                at: now,
                requestId: "r"
            )
        }
        let entries = counter.due(at: now, .ending).filter { $0.actor == otto }
        #expect(entries.count == 101)
        #expect(entries.compactMap(count).reduce(0, +) == 500)
    }

    /// One who goes on for hours: a row a minute that tells all, or in the end an hour's count.
    @Test func aBudgetComesBackWithTime() {
        let counter = RefusalCounter()
        var now = Timestamp(milliseconds: 0)
        func knock(_ number: Int) {
            counter.count(.init(action: "a", code: "c", actor: nil, subject: nil, address: "address \(number)"), at: now, requestId: "r")
        }
        for number in 0..<150 { knock(number) }
        _ = counter.due(at: now, .ending)
        now = now.advanced(bySeconds: 180)
        for number in 0..<10 { knock(number) }
        #expect(counter.due(at: now, .ending).filter { $0.address != nil }.count == 3)
        now = now.advanced(bySeconds: 86_400)
        for number in 0..<150 { knock(number) }
        #expect(counter.due(at: now, .ending).filter { $0.address != nil }.count == 100)
    }

    /// Strangers from ever new addresses do not fill the disk, however long they go on; who signed in has rows of their own meanwhile.
    @Test func aDayOfStrangersIsABoundedNumberOfRows() throws {
        let counter = RefusalCounter()
        let kept = Actor(kind: .user, name: "ann")
        var rows: [AuditEntry] = []
        for minute in 0..<24 * 60 {
            let now = Timestamp(milliseconds: Int64(minute) * 60_000)
            for number in 0..<50 {
                counter.count(
                    .init(action: "a", code: "c", actor: nil, subject: nil, address: "\(minute) \(number)"),
                    at: now,
                    requestId: "r"
                )
            }
            counter.count(.init(action: "a", code: "c", actor: kept, subject: "s", address: "home"), at: now, requestId: "r")
            rows += counter.due(at: now, .ending)
        }
        #expect(rows.compactMap(count).reduce(0, +) == 24 * 60 * 51)
        #expect(rows.count { $0.actor == nil } <= 100 + 2 * 24 * 60)
        #expect(rows.count { $0.actor == kept && $0.address == "home" } == 24 * 60)
    }

    /// A clock that was put back holds nothing back for ever.
    @Test func aClockThatGoesBackLosesNothing() {
        let counter = RefusalCounter()
        let late = Timestamp(milliseconds: 10_000_000)
        counter.count(.init(action: "a", code: "c", actor: nil, subject: nil, address: nil), at: late, requestId: "r")
        #expect(counter.due(at: late.advanced(bySeconds: -59), .passing).isEmpty)
        #expect(counter.due(at: late.advanced(bySeconds: -60), .passing).count == 1)
    }

    @Test func whoReadsTheAuditSeesTheRefusalsUntilNow() throws {
        let house = try House()
        try house.addPerson("ann")
        _ = refusal { _ = try house.access.signIn("ann", password: "wrong") }
        #expect(try house.access.audit(AuditQuery(limit: 1), for: .admin).entries.first?.entry.outcome == .refused)
    }

    @Test func theNextStepOfSigningInIsNoRefusal() throws {
        let house = try House()
        try house.addPerson("ann")
        let access = house.people()
        let session = try access.signIn("ann")
        _ = try access.startTOTP(session.signedIn, environment: "", from: .console)
        let store = try house.ledger.store.unwrapped()
        let entry = AuditEntry(at: house.clock.now, actor: nil, action: "test", requestId: "r")
        _ = try store.editUser(id: session.signedIn.userID) { user in
            user.totpSecret = user.totpPending
            return entry
        }
        #expect(word { _ = try access.signIn("ann") } == "totp_required")
        access.writeRefusals(all: true)
        #expect(try refusals(house).isEmpty)
    }
}
