import GateJSON
import Testing

@testable import gatectl

/// Times as people type them, in the zone they mean.
struct TimeArgumentTests {
    /// A Monday in winter time, at 10:30 in Berlin.
    private static let now = Timestamp("2026-03-23T09:30:00Z")

    private func parse(_ text: String, _ zone: String) throws -> Timestamp {
        try TimeArgument.parse(text, now: try #require(Self.now), zone: try #require(Zone(named: zone)))
    }

    @Test(arguments: [
        ("2037-07-01 09:00", "Europe/Berlin", "2037-07-01T07:00:00.000Z"),
        ("2037-01-01 09:00", "Europe/Berlin", "2037-01-01T08:00:00.000Z"),
        ("2037-07-01T09:00:00-05:00", "Europe/Berlin", "2037-07-01T14:00:00.000Z"),
        ("2026-03-30T09:00:00Z", "Asia/Tokyo", "2026-03-30T09:00:00.000Z"),
        // A bare time is the next one to come: today's if it is still ahead, else tomorrow's.
        ("11:00", "Europe/Berlin", "2026-03-23T10:00:00.000Z"), ("10:31", "Europe/Berlin", "2026-03-23T09:31:00.000Z"),
        ("10:30", "Europe/Berlin", "2026-03-24T09:30:00.000Z"),
        ("09:00", "Europe/Berlin", "2026-03-24T08:00:00.000Z"), ("00:00", "Asia/Tokyo", "2026-03-23T15:00:00.000Z"),
        ("09:00", "UTC", "2026-03-24T09:00:00.000Z"),
        ("tomorrow 09:00", "Europe/Berlin", "2026-03-24T08:00:00.000Z"),
        ("tomorrow 23:59", "America/Los_Angeles", "2026-03-25T06:59:00.000Z"),
        // A time in the past stays there; the server refuses it.
        ("2020-01-01 09:00", "Europe/Berlin", "2020-01-01T08:00:00.000Z"), ("9998-12-31 12:00", "UTC", "9998-12-31T12:00:00.000Z"),
        ("2028-02-29 12:00", "UTC", "2028-02-29T12:00:00.000Z"),
    ])
    func aWallTimeIsThatOfItsZone(text: String, zone: String, time: String) throws { #expect(try parse(text, zone).description == time) }

    /// On the day of a clock change a bare time is the next one to come, too: it is asked about only while both are ahead, or none exists.
    @Test(
        arguments: [
            ("2037-03-29T20:00:00Z", "2037-03-30T00:30:00.000Z"), ("2037-03-29T00:59:00Z", nil),
            ("2037-03-29T01:00:00Z", "2037-03-30T00:30:00.000Z"), ("2037-03-28T20:00:00Z", nil),
            ("2037-10-25T20:00:00Z", "2037-10-26T01:30:00.000Z"), ("2037-10-25T00:29:00Z", nil),
            ("2037-10-25T00:30:00Z", "2037-10-25T01:30:00.000Z"), ("2037-10-25T01:30:00Z", "2037-10-26T01:30:00.000Z"),
        ] as [(String, String?)]
    )
    func aBareTimeOnTheDayOfAClockChange(now: String, time: String?) throws {
        let (now, zone) = (try #require(Timestamp(now)), try #require(Zone(named: "Europe/Berlin")))
        guard let time else {
            _ = #expect(throws: Failure.self) { try TimeArgument.parse("02:30", now: now, zone: zone) }
            return
        }
        #expect(try TimeArgument.parse("02:30", now: now, zone: zone).description == time)
    }

    @Test(arguments: [
        ("yesterday 14:03", "Europe/Berlin", "2026-03-22T13:03:00.000Z"), ("Yesterday 00:00", "Asia/Tokyo", "2026-03-21T15:00:00.000Z"),
        // It is Monday: the last one is a week ago, and the last Sunday was yesterday.
        ("last monday 09:00", "UTC", "2026-03-16T09:00:00.000Z"), ("last sunday 09:00", "UTC", "2026-03-22T09:00:00.000Z"),
        ("last Tuesday 14:03", "Europe/Berlin", "2026-03-17T13:03:00.000Z"), ("tomorrow 09:00", "UTC", "2026-03-24T09:00:00.000Z"),
        ("last tuesday 14:03", "America/Los_Angeles", "2026-03-17T21:03:00.000Z"),
    ])
    func whoAsksMayLookBack(text: String, zone: String, time: String) throws {
        let now = try #require(Self.now)
        #expect(try TimeArgument.parse(text, now: now, zone: try #require(Zone(named: zone)), looksBack: true).description == time)
        // What is planned lies ahead.
        if !text.hasPrefix("tomorrow") { #expect(throws: Failure.self) { try parse(text, zone) } }
    }

    @Test(arguments: [
        ("2037-03-29 02:30", "Europe/Berlin", Exit.refused, "no_such_time", "does not exist in Europe/Berlin"),
        ("2037-10-25 02:30", "Europe/Berlin", .refused, "ambiguous_time", "comes twice in Europe/Berlin"),
        ("2026-04-05 01:45", "Australia/Lord_Howe", .refused, "ambiguous_time", "comes twice in Australia/Lord_Howe"),
        ("2026-02-30 09:00", "UTC", .refused, "no_such_time", "there is no 2026-02-30"),
        ("2026-13-01 09:00", "UTC", .refused, "no_such_time", "there is no 2026-13-01"),
        ("9999-01-01T00:00:00Z", "UTC", .refused, "invalid_time", "lies outside the years 1970 to 9998"),
        ("9999-01-01 09:00", "UTC", .refused, "invalid_time", "lies outside"),
        ("1969-12-31 09:00", "UTC", .refused, "invalid_time", "lies outside"),
        ("1970-01-01 00:30", "Europe/Berlin", .refused, "invalid_time", "lies outside"),
        ("soon", "UTC", .usage, "usage", "is not a time such as"), ("24:00", "UTC", .usage, "usage", "is not"),
        ("9:00", "UTC", .usage, "usage", "is not"),
        ("tomorrow", "UTC", .usage, "usage", "is not"), ("09:60", "UTC", .usage, "usage", "is not"), ("", "UTC", .usage, "usage", "is not"),
        ("٠٩:٠٠", "UTC", .usage, "usage", "is not"),
        ("2026-06-31T09:00:00Z", "UTC", .usage, "usage", "is not"), ("2026-03-30  09:00", "UTC", .usage, "usage", "is not"),
    ])
    func whatNoClockShowsIsRefused(text: String, zone: String, exit: Exit, code: String, words: String) throws {
        let failure = #expect(throws: Failure.self) { try parse(text, zone) }
        #expect(failure?.exit == exit)
        #expect(failure?.code == code)
        #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    }

    @Test func ofATimeThatComesTwiceBothAreNamed() throws {
        let failure = #expect(throws: Failure.self) { try parse("2037-10-25 02:30", "Europe/Berlin") }
        #expect(failure?.next.first?.text == "name one of them: 2037-10-25T00:30:00.000Z or 2037-10-25T01:30:00.000Z")
    }

    /// As with --tz: 21:00 in UTC is not what somebody meant who mistyped Berlin.
    @Test(arguments: ["Europe/Berln", ":Europe/Berln", "/nowhere/Berlin", "CET-1CEST,M13.5.0,M10.5.0"])
    func aWallTimeIsRefusedWhereTZNamesNoZone(variable: String) throws {
        let zone = Zone.local(environment: ["TZ": variable])
        let now = try #require(Timestamp("2026-03-30T08:00:00Z"))
        for text in ["21:00", "tomorrow 21:00", "2026-04-01 21:00", "yesterday 21:00"] {
            let failure = #expect(throws: Failure.self) { try TimeArgument.parse(text, now: now, zone: zone, looksBack: true) }
            #expect(failure?.code == "invalid_zone" && failure?.message.contains(variable) == true, "\(text)")
        }
        #expect(try TimeArgument.parse("2026-03-30T21:00:00Z", now: now, zone: zone) == Timestamp("2026-03-30T21:00:00Z"))
        #expect(try TimeArgument.parse("21:00", now: now, zone: .local(environment: ["TZ": ""])) == Timestamp("2026-03-30T21:00:00Z"))
    }
}
