import Foundation
import GateJSON
import Testing

@testable import gatectl

/// The system's time zones, against Foundation's own copy of the same database.
struct ZoneTests {
    @Test(arguments: [
        "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/Los_Angeles", "America/Sao_Paulo",
        "America/St_Johns", "Asia/Tokyo", "Asia/Kolkata",
        "Asia/Kathmandu", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia",
        "Pacific/Kiritimati", "Africa/Johannesburg",
        "Antarctica/Troll", "Etc/GMT+12", "Etc/UTC", "UTC", "CET",
    ])
    func clocksShowWhatFoundationSays(name: String) throws {
        let zone = try #require(Zone(named: name))
        let other = try #require(TimeZone(identifier: name))
        // Steps that meet every hour of the day and every day of the year, and do not avoid the changes.
        for seconds in stride(from: Int64(0), to: 4_200_000_000, by: 247 * 3_600) {
            let wanted = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            guard zone.offset(at: Timestamp(milliseconds: seconds * 1_000)) != Int64(wanted) else { continue }
            Issue.record(
                "\(Timestamp(milliseconds: seconds * 1_000)): \(zone.offset(at: Timestamp(milliseconds: seconds * 1_000))), not \(wanted)"
            )
            return
        }
    }

    /// Exact to the second at which clocks change, also beyond the years that the files list.
    @Test(arguments: [
        ("2026-03-29T01:00:00Z", 3_600, 7_200), ("2026-10-25T01:00:00Z", 7_200, 3_600), ("2093-03-29T01:00:00Z", 3_600, 7_200),
        ("2093-10-25T01:00:00Z", 7_200, 3_600),
    ])
    func aChangeHappensAtItsSecond(moment: String, before: Int64, after: Int64) throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let change = try #require(Timestamp(moment))
        #expect(zone.offset(at: Timestamp(milliseconds: change.milliseconds - 1)) == before)
        #expect(zone.offset(at: change) == after)
    }

    @Test(arguments: [
        ("UTC0", "2026-07-01T00:00:00Z", 0), ("EST5", "2026-07-01T00:00:00Z", -18_000), ("<+0330>-3:30", "2026-07-01T00:00:00Z", 12_600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3_600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0), ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00:00Z", 36_000),
        ("CET-1CEST,J60,J300", "2028-02-29T12:00:00Z", 3_600), ("CET-1CEST,J60,J300", "2028-03-01T12:00:00Z", 7_200),
        ("CET-1CEST,59,299/-24", "2028-02-29T12:00:00Z", 7_200),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:00Z", 7_200),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10_800), ("XXX-2<+03>-3,M12.5.0,M1.1.0", "2026-12-30T00:00:00Z", 10_800),
    ])
    func aRuleIsReadAsPOSIXWritesIt(rule: String, moment: String, offset: Int64) throws {
        #expect(try #require(ZoneRule(rule)).offset(at: try #require(Timestamp(moment))) == offset)
    }

    @Test(arguments: [
        "", "C", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-168",
        "<CET-1", "CET-1:60", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-1 ",
    ])
    func whatIsNoRuleIsRefused(rule: String) { #expect(ZoneRule(rule) == nil) }

    @Test(arguments: [
        "", "Mars/Base", "Europe", "europe", "../../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/Berlin/",
        "right/Europe/Berlin", "posix/Europe/Berlin", "tzdata.zi", "Europe/Berlin\u{0}x",
    ])
    func whatIsNoZoneIsRefused(name: String) { #expect(Zone(named: name) == nil) }

    @Test(
        arguments: [
            ("Europe/Berlin", "Europe/Berlin", 3_600), (":Europe/Berlin", "Europe/Berlin", 3_600),
            ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400), ("", "UTC", 0), ("UTC", "UTC", 0),
            ("Nowhere/Land", "UTC", 0), ("JST-9", nil, 32_400),
        ] as [(String, String?, Int64)]
    )
    func theLocalZoneIsWhatTZSays(variable: String, name: String?, offset: Int64) throws {
        let zone = Zone.local(environment: ["TZ": variable])
        #expect(zone.name == name)
        #expect(zone.offset(at: try #require(Timestamp("2026-01-01T00:00:00Z"))) == offset)
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["TZ"] == nil, "the tests have a zone of their own"))
    func withoutTZTheMachineSays() throws {
        let zone = Zone.local(environment: [:])
        let now = Timestamp.now
        var local = tm()
        var seconds = time_t(now.milliseconds / 1_000)
        try #require(localtime_r(&seconds, &local) != nil)
        #expect(zone.offset(at: now) == Int64(local.tm_gmtoff))
    }

    /// Nothing in a file makes the reader read beyond its end.
    @Test func aDamagedFileIsNoZone() throws {
        let bytes = try FileSystem.read(Zone.database + "/Europe/Berlin")
        #expect(ZoneFile(bytes) != nil)
        for length in stride(from: 0, to: bytes.count, by: 7) { #expect(ZoneFile(Array(bytes.prefix(length))) == nil, "\(length)") }
        for place in 20..<44 {
            var damaged = bytes
            damaged[place] ^= 0xFF
            _ = ZoneFile(damaged)
        }
    }
}
