import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Everything that can fail on a disk or in a database says what, where and why: to the log, and to nobody else.
@Suite struct FailureTests {
    /// SQLITE_READONLY; read_only_sql_transaction.
    private static let readOnly: StoreError.Cause = TestEngine.current == .sqlite ? .sqlite(8) : .postgresql("25006")

    private func database(_ house: House) -> String { house.configuration().place }

    @Test func aChangeThatFailsCarriesItsCauseAndItsTargets() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        try house.reopen(House.readOnly)
        let error = try refusal { try house.set("shop/ios", "shop/android", to: Rules.notify) }.unwrapped()
        let underlying = try #require(error.underlying as? StoreError)
        #expect((underlying.operation, underlying.cause, underlying.path) == ("Writing a change", Self.readOnly, database(house)))
        #expect(error.target == "shop/ios, shop/android")
        #expect(!"\(error)".contains(house.folder))
    }

    @Test func anIdempotencyRecordAWindowAndAPersonDoTheSame() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.add("shop", "ios")
        try house.reopen(House.readOnly)
        let unchanged = refusal {
            _ = try house.answer(.set([("shop/ios", 1)], Rules.open), key: IdempotencyKey(key: "k", request: [1]))
        }
        #expect((unchanged?.underlying as? StoreError)?.operation == "Writing an idempotency record")
        let window = refusal { try house.make(house.draft("shop/ios", in: 60, until: 120)) }
        #expect((window?.underlying as? StoreError)?.operation == "Writing a window")
        #expect(window?.target == "window 1")
        let person = refusal { try house.addPerson("bob") }
        #expect((person?.underlying as? StoreError)?.cause == Self.readOnly)
        let token = refusal { _ = try house.access.createToken(name: "ci", role: .admin, scope: .all, expiresAt: nil, by: .admin) }
        #expect((token?.underlying as? StoreError)?.operation == "Adding a token")
        let signIn = refusal { _ = try house.access.signIn(username: "ann", password: "wrong", totp: nil, from: .console) }
        #expect((signIn?.underlying as? StoreError)?.operation == "Writing a throttle")
    }

    @Test func aReadThatFailsCarriesItsCause() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.close()
        let error = try refusal { _ = try house.ledger.history(ChangeQuery(limit: 1), for: .admin) }.unwrapped()
        #expect((error.underlying as? StoreError)?.operation == "Reading the history")
        #expect((error.underlying as? StoreError)?.path == database(house))
    }

    /// What a caller did wrong is in the answer, and not in the log.
    @Test func aRefusalHasNoCause() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.add("shop", "ios")
        for body in [
            { try house.submit(.set([("shop/ios", 9)], Rules.kill)) }, { try house.submit(.createApp(AppKey("shop")!, name: "Shop")) },
        ] as [() throws -> Outcome] { #expect(try refusal { _ = try body() }.unwrapped().underlying == nil) }
        #expect(
            try refusal { _ = try house.access.createPerson(name: "ann", role: .admin, scope: .all, password: House.password, by: .admin) }
                .unwrapped().underlying == nil
        )
        #expect(try refusal { _ = try house.access.deletePerson("nobody", by: .admin) }.unwrapped().underlying == nil)
        #expect(ServiceError(StoreError(.ended, "Somebody else was faster")).underlying == nil)
        #expect(house.told.all.isEmpty)
    }

    // MARK: What nobody is answered

    @Test func housekeepingOnAFailingDiskIsToldOnceAndAgainWhenItWorks() throws {
        let house = try House()
        try house.add("shop", "ios")
        let folder = house.folder + "/publication"
        try Files.write([], to: folder)
        for _ in 1...30 {
            house.ledger.keepHouse()
            house.clock.advance(seconds: 1)
        }
        let told = house.told.take()
        #expect(told.map(\.stage) == [.began])
        #expect(told.first?.operation == "Writing the feeds")
        #expect(told.first?.cause == .system(ENOTDIR))
        #expect(told.first?.path == folder)
        #expect(told.first?.requestId == "housekeeping")
        try Files.remove(folder)
        house.ledger.keepHouse()
        house.ledger.keepHouse()
        #expect(house.told.take().map(\.stage) == [.ended(tries: 30, seconds: 30)])
    }

    @Test func aDatabaseThatStaysIllIsToldOnceBesideTheRequests() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.reopen(House.readOnly)
        for _ in 1...3 { _ = refusal { try house.set("shop/ios", to: Rules.kill) } }
        for _ in 1...20 { house.ledger.keepHouse() }
        #expect(house.told.all.map { "\($0.operation) \($0.stage) \($0.requestId)" } == ["Probing the database began housekeeping"])
        #expect(house.told.take().first?.cause == Self.readOnly)
        try house.reopen()
        house.ledger.keepHouse()
        #expect(house.told.take().map(\.stage) == [.ended(tries: 20, seconds: 0)])
    }

    @Test func whatTheScheduleCouldNotDoIsToldAsItsOwn() throws {
        let house = try House()
        try house.add("shop", "ios")
        let until = house.clock.now.advanced(bySeconds: 60)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"a","until":"\#(until)"}}"#)
        try house.reopen(House.readOnly)
        house.clock.advance(seconds: 61)
        for _ in 1...5 { house.schedule.doWhatIsDue() }
        let told = house.told.take()
        #expect(told.map(\.stage) == [.began])
        #expect((told.first?.requestId, told.first?.target) == ("schedule", "lifting the kill switch of shop/ios"))
        #expect((told.first?.operation, told.first?.cause, told.first?.path) == ("Writing a change", Self.readOnly, database(house)))
        try house.reopen()
        house.clock.advance(seconds: 4)
        house.schedule.doWhatIsDue()
        #expect(try house.target("shop/ios").gate == .open)
        #expect(house.told.take().map(\.stage) == [.ended(tries: 5, seconds: 4)])
    }

    /// What was asked for is done; what should have been noted beside it is told with the request that it came with.
    @Test func whatIsNotedBesideARequestIsToldWithIt() throws {
        let house = try House()
        try house.addPerson("ann")
        let session = try house.access.signIn(username: "ann", password: House.password, totp: nil, from: .console)
        let token = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "ann", from: .console)
        _ = house.access.counted(ServiceError(.forbidden, "forbidden", ""), of: "request.refused", subject: nil, from: .console)
        try house.reopen(House.readOnly)
        house.clock.advance(seconds: 61)
        for number in 1...3 {
            #expect(try house.access.session(session.secret, requestId: "s\(number)") != nil)
            #expect(throws: Never.self) { try house.access.caller(token: token, source: .api, requestId: "t\(number)", address: "") }
        }
        house.access.writeRefusals()
        #expect(
            house.told.all.map { "\($0.operation) \($0.requestId)" } == [
                "Writing a session s1", "Writing a token t1", "Writing the audit housekeeping",
            ]
        )
        #expect(house.told.take().allSatisfy { $0.stage == .began && $0.cause == Self.readOnly && $0.path == database(house) })
        try house.reopen()
        _ = try house.access.session(session.secret, requestId: "s4")
        _ = try house.access.session(session.secret, requestId: "s5")
        _ = try house.access.caller(token: token, source: .api, requestId: "t4", address: "")
        #expect(house.told.take().map(\.stage) == [.ended(tries: 3, seconds: 0), .ended(tries: 3, seconds: 0)])
    }

    @Test func aKeyThatCannotBeKeptOrReadSaysWhere() throws {
        let house = try House()
        try house.addPerson("ann")
        let session = try house.people().signIn("ann")
        let keys = house.folder + "/keys"
        try FileManager.default.removeItem(atPath: keys)
        try Files.write([], to: keys)
        let start = refusal { _ = try house.people().startTOTP(session.signedIn, environment: "test", from: .console) }
        #expect(start?.word == "second_factor_unavailable")
        #expect((start?.underlying as? StoreError)?.cause == .system(ENOTDIR))
        try Files.remove(keys)
        _ = try house.people().startTOTP(session.signedIn, environment: "test", from: .console)
        try Files.write([1, 2, 3], to: keys + "/totp.key")
        let confirm = refusal { _ = try house.people().confirmTOTP(session.signedIn, code: "123456", from: .console) }
        let short = try #require(confirm?.underlying as? StoreError)
        #expect((short.code, short.path) == (.corrupt, keys + "/totp.key"))
        #expect(!"\(short)".contains("123456"))
    }

    @Test func feedsThatCannotBeReadAtAStartWithoutADatabaseAreTold() throws {
        let house = try House()
        try house.close()
        try Files.write([], to: house.folder + "/publication")
        #expect(house.ledger.startFromPublication(because: StoreError(.corrupt, "no database")) == ["all apps"])
        #expect(
            house.told.take().map { "\($0.operation) \($0.path ?? "")" } == [
                "Reading the feeds that were published last \(house.folder)/publication"
            ]
        )
        #expect(house.ledger.health.reasons.contains("damaged: publication of all apps"))
        #expect(house.ledger.namelessHealth.reasons.contains("damaged: some kept feeds cannot be read"))
    }
}
