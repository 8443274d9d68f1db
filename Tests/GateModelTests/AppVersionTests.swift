import GateModel
import Testing

@Suite struct AppVersionTests {
    /// Wire formats table 5.1, "numeric": is an app of this version told to update by this feed value?
    static let table: [(row: Int, app: String, feed: String, isTold: Bool)] = [
        (1, "1.0", "1.1", true), (2, "1.1", "1.1", false), (3, "1.2", "1.1", false), (4, "1.9", "1.10", true), (5, "1.10", "1.9", false),
        (6, "9.0", "10.0", true), (7, "10.0", "9.0", false), (8, "1.2.3", "1.2.10", true), (9, "1.2.10", "1.2.3", false),
        (10, "1.0", "1.0.0", false), (11, "1.0.0", "1.0", false), (12, "2", "2.0", false), (13, "1.01", "1.1", false),
        (14, "1.1", "1.01", false), (15, "1.0", "1.00", false), (16, "99", "100", true), (17, "100", "2", false),
        (18, "10.4", "10.14", true),
        (19, "2024.1", "24.2", false), (20, "2.0.0", "2.0.0.1", true), (21, "1.0-beta", "1.0", true), (22, "1.0", "1.0-beta", false),
        (23, "1.0-beta", "1.0.1", true), (24, "1.0.0-rc.1", "1.0.0-rc.2", true), (25, "1.0b2", "1.0.1", false), (26, "1.0+7", "1.0", false),
        (27, "v1.0", "1.9", true),
    ]

    @Test(arguments: table)
    func olderVersionIsToldToUpdate(row: Int, app: String, feed: String, isTold: Bool) {
        #expect(VersionScheme.dotted.isOlder(app, than: feed) == isTold, "row \(row)")
    }

    @Test(arguments: [(28, "v1.0"), (29, " 1.0"), (30, "")])
    func feedValueOfTheTableIsRefusedByThePublisher(row: Int, feed: String) {
        #expect(!VersionScheme.dotted.accepts(feed), "row \(row)")
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "v", "vv1", "1.0b2", "1,0", " 1.0", "1.0 ", "1.0-", "1.0-rc..1", "1.0-rc_1", "1.0+", "-1", "1.-1",
        "+1", "１.0",
        "1.0-é", "one",
    ])
    func whatIsNoVersionIsNil(text: String) {
        #expect(AppVersion(text) == nil)
    }

    @Test(arguments: [
        ("1.0.0-alpha", "1.0.0-alpha.1"), ("1.0.0-alpha.1", "1.0.0-alpha.beta"), ("1.0.0-alpha.beta", "1.0.0-beta"),
        ("1.0.0-beta", "1.0.0-beta.2"),
        ("1.0.0-beta.2", "1.0.0-beta.11"), ("1.0.0-beta.11", "1.0.0-rc.1"), ("1.0.0-rc.1", "1.0.0"), ("1.0.0", "1.0.0.1"),
        ("999999999999999999999998", "999999999999999999999999"), ("9.99999999999999999999999", "10"), ("0", "0.0.0.1"),
    ])
    func semanticVersioningOrdersPrereleasesAndAnyNumberOfDigits(older: String, newer: String) throws {
        let (one, two) = (try #require(AppVersion(older)), try #require(AppVersion(newer)))
        #expect(one < two)
        #expect(!(two < one))
        #expect(one != two)
    }

    @Test(arguments: [("1.0", "1"), ("1.0.0+7", "1.0+8"), ("v1.2", "1.2"), ("01.002", "1.2"), ("0.0", "0"), ("1.0-rc.01", "1.0-rc.1")])
    func differentSpellingsOfOneVersionAreEqual(one: String, other: String) throws {
        #expect(AppVersion(one) == AppVersion(other))
        #expect(try #require(AppVersion(one)).hashValue == (try #require(AppVersion(other))).hashValue)
    }
}
