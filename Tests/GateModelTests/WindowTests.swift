import GateJSON
import GateModel
import Testing

@Suite struct WindowTests {
    private static let clock = Actor(kind: .system, name: "schedule")
    private static let document =
        #"{"id":12,"revision":2,"state":"running","due":"2026-03-30T07:00:00.000Z","targets":[{"app":"shop","platform":"ios","revision":41,"expected":{"killSwitch":{"message":"a","retryInterval":30}},"before":{"killSwitch":null}}],"set":{"killSwitch":{"message":"a","retryInterval":30}},"start":{"at":"2026-03-30T06:30:00.000Z","wallTime":"2026-03-30T08:30:00","zone":"Europe/Berlin","offset":"+02:00"},"end":{"at":"2026-03-30T07:00:00.000Z","wallTime":"2026-03-30T09:00:00","zone":"Europe/Berlin","offset":"+02:00"},"then":"open","actor":{"kind":"token","name":"check","id":"k7Fq2Zx1","user":"ann"},"source":"dashboard","reason":"Sale","accept":["text_order"],"events":[{"at":"2026-03-27T10:00:00.000Z","what":"made","actor":{"kind":"user","name":"ann"},"detail":null,"sequence":null},{"at":"2026-03-30T06:30:00.001Z","what":"started","actor":{"kind":"system","name":"schedule"},"detail":"x","sequence":1042}]}"#

    @Test func theDocumentComesBackByteForByte() throws {
        let window = try Window(json: JSONReader.read(Self.document))
        #expect(window.json.text == Self.document)
        #expect(window.hasStarted)
        #expect(window.rules == [.killSwitch])
    }

    @Test func aDueMomentIsThatOfTheNextStepAndThereIsNoneWithoutOne() throws {
        var window = try Window(json: JSONReader.read(Self.document))
        #expect(window.due == window.end?.at)
        window.state = .pending
        #expect(window.due == window.start.at)
        for state in Window.State.allCases where !state.isActive {
            window.state = state
            #expect(window.due == nil)
        }
    }

    /// What overtook it is told once in a row, and counted; what is told of a deletion stays, and so does the revision's count.
    @Test func whatOvertakesAWindowInARowIsOneEvent() throws {
        var window = try Window(json: JSONReader.read(Self.document))
        let (by, at) = (Self.clock, Timestamp(milliseconds: 1_000))
        func overtake(_ count: Int) {
            for sequence in 1...count { window.overtake(by: by, at: at, sequence: sequence, because: "Because of \(sequence).") }
        }
        overtake(3)
        window.events.append(.init(at: at, what: .overtaken, actor: by, detail: "shop/android was deleted.", sequence: 4))
        overtake(1)
        overtake(1)
        #expect(window.events.map(\.what) == [.made, .started, .overtaken, .overtaken, .overtaken])
        #expect(window.events.map(\.times) == [nil, nil, 3, nil, 2])
        #expect(window.events[2].detail == "Because of 3." && window.events[2].sequence == 3)
        #expect(window.revision == 8)
        #expect(try Window(json: JSONReader.read(window.json.text)) == window)
    }

    /// A number that nobody writes is no way to make the sum of them too large.
    @Test func howOftenIsBounded() throws {
        let event =
            #"{"at":"2026-03-27T10:00:00.000Z","what":"overtaken","actor":{"kind":"user","name":"ann"},"detail":null,"sequence":1,"times":"#
        func read(_ times: String) throws -> Window.Event { try Window.Event(json: JSONReader.read("\(event)\(times)}")) }
        for times in ["0", "-1", "1000000001", "9223372036854775807"] { #expect(throws: ModelError.self) { try read(times) } }
        var window = try Window(json: JSONReader.read(Self.document))
        window.events = [try read("1000000000")]
        window.overtake(by: Self.clock, at: Timestamp(milliseconds: 1_000), sequence: 1, because: "Because.")
        #expect(window.events.map(\.times) == [1_000_000_000])
    }

    /// Spans are half open: what starts when another ends does not meet it.
    @Test(
        arguments: [
            (10, 20, 20, 30, false), (10, 20, 19, 30, true), (10, 20, 12, 15, true), (10, 20, 5, 10, false), (10, 20, 5, 11, true),
            (10, nil, 20, 30, true),
            (10, nil, 5, 10, false), (10, nil, 5, nil, true), (30, nil, 5, nil, true), (10, 20, 20, nil, false), (10, 20, 5, nil, true),
        ] as [(Int64, Int64?, Int64, Int64?, Bool)]
    )
    func windowsOverlapWhenTheirSpansMeet(start: Int64, end: Int64?, otherStart: Int64, otherEnd: Int64?, expected: Bool) throws {
        let (one, two) = (try window(start, end), try window(otherStart, otherEnd))
        #expect(one.overlaps(two) == expected)
        #expect(two.overlaps(one) == expected)
    }

    /// One that a person ran early lasts from then on; one that the clock starts late was to begin at its time.
    @Test(arguments: [(5, 5, true), (5, 3, false), (15, 8, false)] as [(Int64, Int64, Bool)])
    func aWindowThatWasRunEarlyOverlapsFromThenOn(began: Int64, other: Int64, expected: Bool) throws {
        var early = try window(10, 20)
        let at = Timestamp(milliseconds: began * 1_000)
        early.events.append(Window.Event(at: at, what: .started, actor: Actor(kind: .user, name: "ann")))
        let short = try window(other, other + 2)
        #expect(early.overlaps(short) == expected)
        #expect(short.overlaps(early) == expected)
    }

    @Test func windowsOfOtherTargetsOrRulesDoNotOverlap() throws {
        #expect(try !window(10, 20).overlaps(window(10, 20, target: "shop/android")))
        #expect(try !window(10, 20).overlaps(window(10, 20, rule: .alert)))
    }

    private func window(_ start: Int64, _ end: Int64?, target: String = "shop/ios", rule: Rule = .killSwitch) throws -> Window {
        func time(_ seconds: Int64) throws -> ZonedTime { try ZonedTime(at: Timestamp(milliseconds: seconds * 1_000)) }
        return Window(
            id: 1,
            state: .pending,
            targets: [.init(key: try #require(TargetKey(target)), revision: 1, expected: GateEdit([rule: nil]))],
            set: GateEdit([rule: nil]),
            start: try time(start),
            end: try end.map(time),
            then: .open,
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            reason: nil,
            events: []
        )
    }
}
