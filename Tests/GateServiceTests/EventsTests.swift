import GateJSON
import GateModel
import Testing

@testable import GateService

@Suite struct EventsTests {
    private func house() throws -> House {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        return house
    }

    @Test func changesAfterASequenceComeOldestFirst() throws {
        let house = try house()
        #expect(house.ledger.events(after: 0, for: .admin).items?.map(\.sequence) == [1, 2, 3, 4])
        #expect(house.ledger.events(after: 3, for: .admin).items?.map(\.sequence) == [4])
        #expect(house.ledger.events(after: 4, for: .admin).items == [])
        #expect(house.ledger.events(after: 4, for: .admin).sequence == 4)
    }

    /// Somebody who saw more than there is saw another history: the one before a restore.
    @Test func aSequenceFromTheFutureStartsAnew() throws {
        let (items, sequence) = try house().ledger.events(after: 5, for: .admin)
        #expect(items == nil)
        #expect(sequence == 4)
    }

    @Test func eventsOfOtherAppsAreHiddenAndStillCounted() throws {
        let house = try house()
        #expect(house.ledger.events(after: 0, for: .banker).items?.map(\.sequence) == [3, 4])
        try house.set("shop/ios", to: Rules.kill)
        let (items, sequence) = house.ledger.events(after: 4, for: .banker)
        #expect(items == [])
        #expect(sequence == 5)
    }

    @Test func afterARestartTheLatestChangesAreThere() throws {
        let house = try house()
        try house.close()
        let again = try House(again: house)
        #expect(again.ledger.events(after: 0, for: .admin).items?.map(\.sequence) == [1, 2, 3, 4])
    }

    @Test func afterARestartWhatIsTooLongAgoStartsAnew() throws {
        let house = try house()
        for round in 1...197 { try house.set("shop/ios", to: #"{"alert":{"message":"\#(round)","blocking":false}}"#) }
        try house.close()
        let again = try House(again: house)
        #expect(again.ledger.events(after: 0, for: .admin).items == nil)
        #expect(again.ledger.events(after: 1, for: .admin).items?.count == 200)
    }

    @Test func anEmptyHistoryHasNoEvents() throws {
        let (items, sequence) = try House().ledger.events(after: 0, for: .admin)
        #expect(items == [])
        #expect(sequence == 0)
    }

    private func change(_ sequence: Int) -> Change {
        Change(
            sequence: sequence,
            at: Timestamp(milliseconds: 0),
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            kind: .set,
            reason: nil,
            requestId: "r",
            app: AppKey("shop"),
            targets: []
        )
    }

    @Test func theRingForgetsTheOldestAndSaysSo() {
        var ring = RecentChanges([], floor: 0, capacity: 10)
        for sequence in 1...21 { ring.append(change(sequence), bytes: 0) }
        #expect(ring.floor == 11)
        #expect(ring.after(10, newest: 21, limit: 500)?.changes == nil)
        #expect(ring.after(11, newest: 21, limit: 500)?.changes.map(\.sequence) == Array(12...21))
        #expect(ring.after(21, newest: 21, limit: 500)?.changes == [])
        #expect(ring.after(11, newest: 21, limit: 3)?.changes.map(\.sequence) == [12, 13, 14])
    }
}
