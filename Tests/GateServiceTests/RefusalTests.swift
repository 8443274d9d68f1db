import GateJSON
import GateModel
import GateStore
import Testing

@testable import GateService

/// Refusals in the audit: counted a minute long, one row each kind.
@Suite struct RefusalTests {
    private func refusals(_ house: House) throws -> [AuditEntry] {
        try house.service.store.unwrapped().audit(AuditQuery(limit: 1_000)).map(\.entry).filter { $0.outcome == .refused }.reversed()
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
        let entries = counter.due(at: now, all: true)
        #expect(entries.count == 1_001)
        #expect(entries.compactMap(count).reduce(0, +) == 5_000)
        #expect(counter.due(at: now, all: true).isEmpty)
    }

    /// A clock that was put back holds nothing back for ever.
    @Test func aClockThatGoesBackLosesNothing() {
        let counter = RefusalCounter()
        let late = Timestamp(milliseconds: 10_000_000)
        counter.count(.init(action: "a", code: "c", actor: nil, subject: nil, address: nil), at: late, requestId: "r")
        #expect(counter.due(at: late.advanced(bySeconds: -59), all: false).isEmpty)
        #expect(counter.due(at: late.advanced(bySeconds: -60), all: false).count == 1)
    }

    @Test func whoReadsTheAuditSeesTheRefusalsUntilNow() throws {
        let house = try House()
        try house.addPerson("ann")
        _ = refusal { _ = try house.access.signIn("ann", password: "wrong") }
        #expect(try house.access.audit(AuditFilter(), limit: 1).first?.isRefusal == true)
    }

    @Test func theNextStepOfSigningInIsNoRefusal() throws {
        let house = try House()
        try house.addPerson("ann")
        let access = house.people()
        let session = try access.signIn("ann")
        _ = try access.startTOTP(session.signedIn, environment: "", from: .console)
        let store = try house.service.store.unwrapped()
        let entry = AuditEntry(at: house.clock.now, actor: nil, action: "test", requestId: "r")
        _ = try store.editUser(id: session.signedIn.user.id) { user in
            user.totpSecret = user.totpPending
            return entry
        }
        #expect(word { _ = try access.signIn("ann") } == "totp_required")
        access.writeRefusals(all: true)
        #expect(try refusals(house).isEmpty)
    }
}
