import GateJSON
import GateModel
import Testing

@testable import GateStore

/// A window that is made ready before it is written.
@Suite struct SpelledWindowTests {
    /// All of it stays but the place and the moment of its last event, whatever that tells.
    @Test(arguments: [nil, "Window 1 ended and changed what this one is about.", "]}", "\u{1F512}\"\\"])
    func whatIsMovedTellsItsPlaceAndMoment(detail: String?) throws {
        var window = try WindowTests.window(7, "shop/ios", "shop/android")
        let by = Actor(kind: .user, name: "ann]}")
        for sequence in 2...3 {
            window.overtake(by: by, at: Timestamp(milliseconds: 1_000), sequence: sequence, because: detail ?? "Something.")
        }
        if detail == nil { window.events.append(.init(at: Timestamp(milliseconds: 1_000), what: .started, actor: by, sequence: 4)) }
        let moved = try SpelledWindow(window).moved(to: 1_234, at: Timestamp(milliseconds: 999_999))
        let event = try #require(moved.window.events.last)
        #expect(event.sequence == 1_234 && event.at == Timestamp(milliseconds: 999_999))
        #expect(moved.window.events.dropLast() == window.events.dropLast())
        #expect(event.times == (detail == nil ? nil : 2))
        #expect(moved.document == moved.window.json.text)
        // It was not read back, and can be.
        #expect(try Window(json: JSONReader.read(moved.document)) == moved.window)
    }
}
