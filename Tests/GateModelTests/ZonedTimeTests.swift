import GateJSON
import GateModel
import Testing

/// Point 20: nine o'clock is nine o'clock across a change of the clocks; a skipped time is refused, a doubled one asked.
@Suite struct ZonedTimeTests {
    @Test(arguments: [
        ("2026-03-28T09:00", "Europe/Berlin", "2026-03-28T08:00:00.000Z", "+01:00"),
        ("2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00.000Z", "+01:00"),
        ("2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z", "+02:00"),
        ("2026-03-29T09:00", "Europe/Berlin", "2026-03-29T07:00:00.000Z", "+02:00"),
        ("2026-10-25T01:59:59", "Europe/Berlin", "2026-10-24T23:59:59.000Z", "+02:00"),
        ("2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z", "+01:00"),
        ("2026-10-25T09:00", "Europe/Berlin", "2026-10-25T08:00:00.000Z", "+01:00"),
        ("2026-07-01T09:00", "America/New_York", "2026-07-01T13:00:00.000Z", "-04:00"),
        ("2026-07-01T09:00", "Asia/Kathmandu", "2026-07-01T03:15:00.000Z", "+05:45"),
        ("2026-07-01T09:00", "America/St_Johns", "2026-07-01T11:30:00.000Z", "-02:30"),
        ("2026-07-01T09:00", "Pacific/Kiritimati", "2026-06-30T19:00:00.000Z", "+14:00"),
        ("2026-07-01T09:00", "Pacific/Pago_Pago", "2026-07-01T20:00:00.000Z", "-11:00"),
        ("2028-02-29T12:00", "UTC", "2028-02-29T12:00:00.000Z", "+00:00"),
    ])
    func aWallTimeIsOneInstant(wall: String, zone: String, instant: String, offset: String) throws {
        let time = try ZonedTime(wallTime: #require(WallTime(wall)), zone: zone)
        #expect(time.at.description == instant)
        #expect(time.offset == offset)
        #expect(time.wallTime == WallTime(wall))
        #expect(try ZonedTime(at: time.at, zone: zone) == time)
        #expect(try ZonedTime(json: time.json) == time)
        #expect(try ZonedTime(request: time.json) == time)
    }

    @Test(arguments: [
        ("2026-03-29T02:00", "Europe/Berlin", "2026-03-29T01:59:00", "2026-03-29T03:00:00"),
        ("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:59:00", "2026-03-29T03:00:00"),
        ("2026-03-29T02:59:59", "Europe/Berlin", "2026-03-29T01:59:00", "2026-03-29T03:00:00"),
        ("2026-03-08T02:15", "America/New_York", "2026-03-08T01:59:00", "2026-03-08T03:00:00"),
        ("2026-10-04T02:10", "Australia/Lord_Howe", "2026-10-04T01:59:00", "2026-10-04T02:30:00"),
        // Samoa went over the date line and had no 30 December.
        ("2011-12-30T12:00", "Pacific/Apia", "2011-12-29T23:59:00", "2011-12-31T00:00:00"),
    ])
    func aSkippedTimeIsRefusedWithTheNearestOnes(wall: String, zone: String, before: String, after: String) throws {
        let wallTime = try #require(WallTime(wall))
        for fold in [nil, ZonedTime.Fold.earlier, .later] {
            let error = #expect(throws: ModelError.self) { try ZonedTime(wallTime: wallTime, zone: zone, fold: fold) }
            #expect(error?.code == "skipped_time")
            #expect(error?.choices.map { $0.object?["wallTime"] } == [.string(before), .string(after)])
            #expect(error?.detail.contains(before) == true && error?.detail.contains(after) == true)
        }
    }

    @Test(arguments: [
        ("2026-10-25T02:00", "Europe/Berlin", "2026-10-25T00:00:00.000Z", "2026-10-25T01:00:00.000Z"),
        ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
        ("2026-11-01T01:59:59", "America/New_York", "2026-11-01T05:59:59.000Z", "2026-11-01T06:59:59.000Z"),
        ("2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"),
    ])
    func aDoubledTimeIsAskedAbout(wall: String, zone: String, earlier: String, later: String) throws {
        let wallTime = try #require(WallTime(wall))
        let error = #expect(throws: ModelError.self) { try ZonedTime(wallTime: wallTime, zone: zone) }
        #expect(error?.code == "ambiguous_time")
        #expect(error?.choices.map { $0.object?["at"] } == [.string(earlier), .string(later)])
        #expect(try ZonedTime(wallTime: wallTime, zone: zone, fold: .earlier).at.description == earlier)
        #expect(try ZonedTime(wallTime: wallTime, zone: zone, fold: .later).at.description == later)
        for choice in error?.choices ?? [] { #expect(try ZonedTime(request: choice).json == choice) }
    }

    @Test(arguments: [
        "", "CET", "EST", "GMT+3", "Berlin", "Europe/Nowhere", "europe berlin", "../etc/localtime", String(repeating: "a/", count: 40),
    ])
    func whatIsNoZoneIsRefused(zone: String) {
        let error = #expect(throws: ModelError.self) { try ZonedTime(at: Timestamp(milliseconds: 0), zone: zone) }
        #expect(error?.code == "invalid_zone")
    }

    /// What is kept is read as it was meant then, whatever the walls and the zones of today say.
    @Test(arguments: [
        #"{"at":"2026-03-30T07:00:00.000Z","wallTime":"2026-03-30T09:00:00","zone":"Mars/Olympus_Mons","offset":"+02:00"}"#,
        #"{"at":"9999-12-31T23:30:00.000Z","wallTime":"10000-01-01T13:30:00","zone":"Pacific/Kiritimati","offset":"+14:00"}"#,
    ])
    func aKeptTimeIsReadWhateverItsZone(text: String) throws {
        #expect(try ZonedTime(json: JSONReader.read(text)).json.text == text)
    }

    @Test(arguments: [
        "2026-03-30 09:00", "2026-03-30T09", "2026-03-30T09:00Z", "2026-03-30T09:00+02:00", "2026-02-30T09:00", "2026-03-30T24:00",
        "2026-12-31T23:59:60", "09:00",
    ])
    func whatNoClockShowsIsNoWallTime(text: String) {
        #expect(WallTime(text) == nil)
    }

    @Test(arguments: [
        (#""2026-03-30T09:00:00+02:00""#, "2026-03-30T07:00:00.000Z", "UTC"),
        (#"{"at":"2026-03-30T07:00:00Z"}"#, "2026-03-30T07:00:00.000Z", "UTC"),
        (#"{"at":"2026-03-30T07:00:00Z","zone":"Europe/Berlin"}"#, "2026-03-30T07:00:00.000Z", "Europe/Berlin"),
        (#"{"wallTime":"2026-03-30T09:00","zone":"Europe/Berlin"}"#, "2026-03-30T07:00:00.000Z", "Europe/Berlin"),
        (#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","fold":"later"}"#, "2026-10-25T01:30:00.000Z", "Europe/Berlin"),
        (#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","offset":"+01:00"}"#, "2026-10-25T01:30:00.000Z", "Europe/Berlin"),
        (#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","offset":"+02:00"}"#, "2026-10-25T00:30:00.000Z", "Europe/Berlin"),
        (#"{"wallTime":"2026-07-01T02:30","zone":"Europe/Berlin","offset":"+02:00"}"#, "2026-07-01T00:30:00.000Z", "Europe/Berlin"),
    ])
    func aTimeCanBeAskedForInTheseForms(text: String, instant: String, zone: String) throws {
        let time = try ZonedTime(request: JSONReader.read(text))
        #expect(time.at.description == instant)
        #expect(time.zone == zone)
    }

    @Test(arguments: [
        ("7", "malformed", ""), ("{}", "malformed", ""), (#""09:00""#, "invalid_time", ""), (#""2026-03-30T09:00""#, "invalid_time", ""),
        (#"{"wallTime":"2026-03-30T09:00"}"#, "malformed", "/zone"), (#"{"wallTime":"9","zone":"UTC"}"#, "invalid_time", "/wallTime"),
        (#"{"at":"noon"}"#, "invalid_time", "/at"), (#"{"at":"2026-03-30T07:00:00Z","zone":"Mars/Olympus"}"#, "invalid_zone", "/zone"),
        (#"{"at":"2026-03-30T07:00:00Z","tz":"UTC"}"#, "malformed", "/tz"),
        (#"{"at":"2026-03-30T07:00:00Z","offset":"garbage"}"#, "invalid_time", "/offset"),
        (#"{"at":"2026-03-30T07:00:00Z","offset":"+2:000"}"#, "invalid_time", "/offset"),
        (#"{"at":"2026-03-30T07:00:00Z","offset":2}"#, "malformed", "/offset"),
        (#"{"at":"2026-03-30T07:00:00Z","zone":"Europe/Berlin","offset":"+01:00"}"#, "invalid_time", "/offset"),
        (#"{"wallTime":"2026-03-30T09:00","zone":"Europe/Berlin","offset":"+01:00"}"#, "invalid_time", "/offset"),
        (#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","offset":"+03:00"}"#, "invalid_time", "/offset"),
        (#"{"wallTime":"2026-10-25T02:30","zone":"Europe/Berlin","fold":"later","offset":"+02:00"}"#, "invalid_time", "/offset"),
        (#"{"wallTime":"2026-03-30T09:00","zone":"UTC","fold":"first"}"#, "malformed", "/fold"),
        (#"{"at":"2026-03-30T07:00:00Z","wallTime":"2026-03-30T07:00","zone":"Europe/Berlin"}"#, "invalid_time", "/wallTime"),
        (#"{"wallTime":"2026-03-29T02:30","zone":"Europe/Berlin"}"#, "skipped_time", "/wallTime"),
        (#""9999-12-31T23:59:59-00:01""#, "invalid_time", ""),
        (#"{"at":"9999-12-31T23:30:00Z","zone":"Pacific/Kiritimati"}"#, "invalid_time", "/at"),
        (#"{"at":"9998-12-31T23:30:00Z","zone":"Pacific/Kiritimati"}"#, "invalid_time", "/at"),
        (#"{"wallTime":"9998-12-31T23:30","zone":"America/New_York"}"#, "invalid_time", "/wallTime"),
        (#"{"at":"1970-01-01T02:00:00Z","zone":"America/New_York"}"#, "invalid_time", "/at"),
        (#"{"at":"2026-03-30T07:00:00Z","zone":"Europe/Berlin\u0000"}"#, "invalid_zone", "/zone"),
    ])
    func whatIsNoTimeIsRefusedAtItsField(text: String, code: String, field: String) {
        let error = #expect(throws: ModelError.self) { try ZonedTime(request: JSONReader.read(text)) }
        #expect(error?.code == code)
        #expect(error?.field == field)
    }
}
