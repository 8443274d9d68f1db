import GateJSON
import GateModel
import Testing

/// Kill switches that are lifted gradually.
@Suite struct OpeningTests {
    private static let nine = Timestamp("2026-04-02T09:00:00Z")!

    private func gate(_ members: String) throws -> Gate {
        let text = #"{"killSwitch":{"message":"a","retryInterval":30\#(members)}}"#
        return try Gate(json: try JSONReader.read(Array(text.utf8), limits: .own), settings: PlatformSettings(versionScheme: .dotted))
    }

    @Test func itStandsBesideTheEndAndComesBack() throws {
        let gate = try gate(#","until":"2026-04-02T09:10:00Z","opening":"2026-04-02T09:00:00Z""#)
        #expect(
            gate.json.text
                == #"{"killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T09:10:00.000Z","opening":"2026-04-02T09:00:00.000Z"}}"#
        )
        #expect(try Gate(stored: gate.json) == gate)
        #expect(try Gate(lenient: gate.json) == gate)
        #expect(gate.state == .blocked, "nobody who is not let in yet gets past it")
        #expect(gate.opened == .open)
        #expect(gate.opening?.start == Self.nine)
    }

    @Test(arguments: [
        (#","opening":"2026-04-02T09:00:00Z""#, "invalid_opening"),
        (#","until":"2026-04-02T09:00:00Z","opening":"2026-04-02T09:00:00Z""#, "invalid_opening"),
        (#","until":"2026-04-02T09:00:00Z","opening":"2026-04-02T09:00:01Z""#, "invalid_opening"),
        (#","until":"2026-04-03T09:00:01Z","opening":"2026-04-02T09:00:00Z""#, "invalid_opening"),
        (#","until":"2026-04-02T09:10:00Z","opening":"nine""#, "invalid_time"),
        (#","until":"2026-04-02T09:10:00Z","opening":"0001-01-01T00:00:00Z""#, "invalid_time"),
        (#","until":"2026-04-02T09:10:00Z","opening":9"#, "malformed"),
    ])
    func whatMeansNothingIsRefused(members: String, code: String) {
        let error = #expect(throws: ModelError.self) { try gate(members) }
        #expect(error?.code == code)
        #expect(error?.field == "/killSwitch/opening")
    }

    @Test func nullIsNone() throws { #expect(try gate(#","until":null,"opening":null"#).opening == nil) }

    @Test func theShareGrowsEvenly() throws {
        let opening = try #require(Opening(start: Self.nine, end: Self.nine.advanced(bySeconds: 600)))
        for (seconds, share) in [(-5, 0.0), (0, 0), (60, 0.1), (300, 0.5), (599, 599.0 / 600), (600, 1), (9_000, 1)] {
            #expect(opening.share(at: Self.nine.advanced(bySeconds: Int64(seconds))) == share)
        }
        #expect(opening.percent(at: Self.nine.advanced(bySeconds: 599)) == 99)
        #expect(opening.percent(at: Self.nine.advanced(bySeconds: 600)) == 100)
        #expect(Opening(start: Self.nine, end: Self.nine) == nil)
    }

    @Test func aKillSwitchIsOpenedFromNowOn() {
        let kill = KillSwitch(message: .text("a"), retryInterval: 30)
        let opening = kill.opening(at: Self.nine, over: 600)
        #expect(
            opening == KillSwitch(message: .text("a"), retryInterval: 30, until: Self.nine.advanced(bySeconds: 600), opening: Self.nine)
        )
        // It goes on from where it is: nobody who is in is shut out again.
        let later = Self.nine.advanced(bySeconds: 60)
        #expect(opening?.opening(at: later, over: 600) == opening)
        #expect(opening?.opening(at: later, over: 60)?.until == later.advanced(bySeconds: 60))
        #expect(opening?.opening(at: later, over: 60)?.opening == Self.nine)
    }

    @Test func itsOwnEndStaysTheEnd() {
        let kill = KillSwitch(message: .text("a"), retryInterval: 30, until: Self.nine.advanced(bySeconds: 100))
        #expect(kill.opening(at: Self.nine, over: 600)?.until == kill.until)
        #expect(kill.opening(at: Self.nine.advanced(bySeconds: 100), over: 600) == nil, "it lifts itself just now")
        let short = KillSwitch(message: .text("a"), retryInterval: 30, until: Self.nine.advanced(bySeconds: 9_000))
        #expect(short.opening(at: Self.nine, over: 600)?.until == Self.nine.advanced(bySeconds: 600))
    }
}
