import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct AuditTests {
    private func filled() throws -> (Store, [RecordedAuditEntry]) {
        let scratch = try Scratch()
        let store = try scratch.store()
        var entries: [RecordedAuditEntry] = []
        for number in 1...20 {
            scratch.clock.advance(seconds: 60)
            let entry = AuditEntry(
                at: scratch.clock.now,
                actor: number % 4 == 0
                    ? nil
                    : number % 2 == 0
                        ? Actor(kind: .token, name: "ben", id: "k7Fq2Zx1", user: number % 3 == 0 ? "ann" : nil)
                        : Actor(kind: .user, name: "ann", id: "3"),
                action: number % 3 == 0 ? "session.refused" : "token.created",
                outcome: number % 3 == 0 ? .refused : .succeeded,
                subject: number % 5 == 0 ? nil : "subject <\(number)>",
                address: number % 5 == 0 ? nil : "::1",
                requestId: "r\(number)",
                detail: number % 2 == 0 ? ["before": .null, "after": ["role": .string("admin")]] : nil
            )
            try store.appendAudit(entry)
            entries.append(RecordedAuditEntry(sequence: number, entry: entry))
        }
        return (store, entries)
    }

    @Test func entriesComeBackAsTheyWereWrittenNewestFirst() throws {
        let (store, entries) = try filled()
        #expect(try store.audit() == entries.reversed())
        #expect(try store.verifyAuditChain().fault == nil)
        #expect(try store.anchor().audit?.sequence == 20)
    }

    @Test func everyFilterGivesWhatItSays() throws {
        let (store, entries) = try filled()
        for actor in [nil, "ann", "ben"] {
            for action in [nil, "session.refused"] {
                for (since, until) in [(nil, nil), (entries[3].entry.at, entries[17].entry.at)] as [(Timestamp?, Timestamp?)] {
                    for (after, before) in [(nil, nil), (2, 19)] as [(Int?, Int?)] {
                        for limit in [2, 100] {
                            let query = AuditQuery(
                                actor: actor,
                                action: action,
                                since: since,
                                until: until,
                                after: after,
                                before: before,
                                limit: limit
                            )
                            let expected = entries.reversed().filter { recorded in
                                let entry = recorded.entry
                                return actor.map { entry.actor?.answers(to: $0) == true } ?? true
                                    && action.map { $0 == entry.action } ?? true
                                    && since.map { $0 <= entry.at } ?? true && until.map { entry.at < $0 } ?? true
                                    && after.map { $0 < recorded.sequence } ?? true && before.map { recorded.sequence < $0 } ?? true
                            }
                            #expect(try store.audit(query) == Array(expected.prefix(limit)), "\(query)")
                        }
                    }
                }
            }
        }
    }
}
