import GateJSON
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("2026-04-02T09:32:14Z", "2026-04-02T09:32:14.000Z"),
        ("2026-04-02T09:32:14.5Z", "2026-04-02T09:32:14.500Z"),
        ("2026-04-02T09:32:14.05Z", "2026-04-02T09:32:14.050Z"),
        ("2026-04-02T09:32:14.001Z", "2026-04-02T09:32:14.001Z"),
        ("2026-04-02t09:32:14z", "2026-04-02T09:32:14.000Z"),
        ("2026-04-02T09:32:14+02:00", "2026-04-02T07:32:14.000Z"),
        ("2026-01-01T00:15:00+05:45", "2025-12-31T18:30:00.000Z"),
        ("2026-12-31T23:59:59.999-00:30", "2027-01-01T00:29:59.999Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
        ("2000-02-29T12:00:00Z", "2000-02-29T12:00:00.000Z"),
        ("1969-12-31T23:59:59.998Z", "1969-12-31T23:59:59.998Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        // What older versions took, and so have kept.
        ("9999-12-31T23:59:59-00:01", "10000-01-01T00:00:59.000Z"),
        ("10000-01-01T00:00:59.000Z", "10000-01-01T00:00:59.000Z"),
    ])
    func textIsReadAndShownInUTCWithMilliseconds(text: String, shown: String) throws {
        #expect(try #require(Timestamp(text)).description == shown)
    }

    @Test(arguments: [
        "", "2026-04-02", "2026-04-02T09:32Z", "2026-04-02T09:32:14", "2026-04-02 09:32:14Z", "2026-04-02T09:32:14.Z",
        "2026-04-02T09:32:14.0001Z",
        "2026-04-02T09:32:14,5Z", "2026-06-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-04-02T24:00:00Z", "2026-04-02T09:60:14Z", "2026-04-02T09:32:61Z", "2026-04-02T09:32:14+24:00",
        "2026-04-02T09:32:14+01:60", "2026-04-02T09:32:14+0200", "2026-4-2T09:32:14Z", " 2026-04-02T09:32:14Z", "2026-04-02T09:32:14Z\n",
        "２０２６-04-02T09:32:14Z", "2026-04-02T09:32:14.٣Z", "+2026-04-02T09:32:14Z",
        "02026-04-02T09:32:14Z", "126-04-02T09:32:14Z", "100000-01-01T00:00:00Z",
    ])
    func whatIsNoTimeIsNil(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func everyMillisecondSurvivesBeingShownAndReadAgain() throws {
        let moments = stride(from: Int64(1_775_122_334_000), to: 1_775_122_336_000, by: 1)
        let spread = stride(from: Int64(-62_135_596_800_000), to: 253_402_300_799_999, by: 86_399_999 * 997)
        for milliseconds in Array(moments) + Array(spread) {
            let shown = Timestamp(milliseconds: milliseconds).description
            try #require(Timestamp(shown)?.milliseconds == milliseconds, "\(milliseconds) was shown as \(shown)")
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 1970), ("1970-01-01T01:00:00+01:00", 1970), ("9998-12-31T23:59:59.999Z", 9998),
        ("9998-12-31T13:59:59+14:00", 9998),
        ("2026-04-02T09:32:14Z", 2026), ("1970-01-01T00:00:00-12:00", 1970),
    ])
    func aTimeWithinTheYearsEnters(text: String, year: Int) throws {
        #expect(try Timestamp(entering: text) == Timestamp(text))
        #expect(Timestamp(text)?.year == year)
    }

    @Test(arguments: [
        ("noon", TimeFault.form), ("2026-06-31T00:00:00Z", .form), ("9999-01-01T00:00:00Z", .years), ("9998-12-31T23:59:59-00:01", .years),
        ("9999-01-01T00:00:00+14:00", .years), ("9998-12-31T23:59:60Z", .years), ("1970-01-01T00:00:00+00:01", .years),
        ("1969-12-31T23:00:00-12:00", .years),
        ("0000-01-01T00:00:00Z", .years), ("10000-01-01T00:00:00Z", .years),
    ])
    func anyOtherIsRefused(text: String, fault: TimeFault) {
        #expect(throws: fault) { try Timestamp(entering: text) }
    }

    @Test func laterMomentsAreGreater() throws {
        let early = try #require(Timestamp("2026-04-02T09:32:14.001Z"))
        let late = try #require(Timestamp("2026-04-02T09:32:14.002Z"))
        #expect(early < late)
        #expect(early.advanced(bySeconds: 90).description == "2026-04-02T09:33:44.001Z")
    }
}
