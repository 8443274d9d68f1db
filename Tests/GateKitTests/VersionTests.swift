import GateJSON
import GateKit
import GateModel
import Testing

/// Wire formats 6.2 items 1 to 3, by tables 5.1 and 5.2.
@Suite struct VersionTests {
    /// Table 5.1: the app, the feed's value, and whether the app is told to update: as numbers, and as LaunchGate's texts. Nil: no version.
    static let dotted: [(row: Int, app: String, feed: String, numeric: Bool?, text: Bool)] = [
        (1, "1.0", "1.1", true, true), (2, "1.1", "1.1", false, false), (3, "1.2", "1.1", false, false), (4, "1.9", "1.10", true, false),
        (5, "1.10", "1.9", false, true), (6, "9.0", "10.0", true, false), (7, "10.0", "9.0", false, true),
        (8, "1.2.3", "1.2.10", true, false),
        (9, "1.2.10", "1.2.3", false, true), (10, "1.0", "1.0.0", false, true), (11, "1.0.0", "1.0", false, false),
        (12, "2", "2.0", false, true),
        (13, "1.01", "1.1", false, true), (14, "1.1", "1.01", false, false), (15, "1.0", "1.00", false, true),
        (16, "99", "100", true, false),
        (17, "100", "2", false, true), (18, "10.4", "10.14", true, false), (19, "2024.1", "24.2", false, true),
        (20, "2.0.0", "2.0.0.1", true, true), (21, "1.0-beta", "1.0", true, false), (22, "1.0", "1.0-beta", false, true),
        (23, "1.0-beta", "1.0.1", true, true), (24, "1.0.0-rc.1", "1.0.0-rc.2", true, true), (25, "1.0b2", "1.0.1", nil, false),
        (26, "1.0+7", "1.0", false, false), (27, "v1.0", "1.9", true, false), (29, "1.0", " 1.0", nil, false), (30, "1.0", "", nil, false),
    ]

    @Test("6.2.1 dotted versions are compared as numbers: table 5.1", arguments: dotted)
    func numeric(row: Int, app: String, feed: String, numeric: Bool?, text: Bool) throws {
        #expect(GateVersionComparison.numeric.isOlder(app, than: feed) == (numeric ?? false), "row \(row)")
        if numeric == nil { #expect(AppVersion(app) == nil || AppVersion(feed) == nil, "row \(row)") }
        let json = JSONValue.string(feed).text
        let document = try Documents.read(#"{"ios":{"requiredUpdate":{"minimumVersion":\#(json),"message":"m"}}}"#)
        #expect(document.decide(app).kind == (numeric == true ? .required : .open), "row \(row)")
    }

    @Test("6.2.1 what is no version is never zero, and no digits overflow") func unparsable() {
        for text in ["", "x", "1.", ".1", "1..2", "1.x", "1.0b2", " 1", "1 ", "١"] { #expect(AppVersion(text) == nil, "\(text)") }
        let long = String(repeating: "9", count: 400)
        #expect(GateVersionComparison.numeric.isOlder(long, than: long + "0"))
        #expect(!GateVersionComparison.numeric.isOlder("x", than: "1"))
    }

    /// Table 5.2: what GateKit takes for a version code, and whether 6 (or what is said) must update.
    static let codes: [(row: Int, json: String, installed: String, updates: Bool?)] = [
        (1, #""7""#, "6", true), (2, "7", "6", true), (3, #""6""#, "6", false), (3, "6", "6", false), (4, #""5""#, "6", false),
        (5, #""10""#, "9", true), (6, #""9""#, "10", false), (7, #""07""#, "6", true), (8, #""+7""#, "6", nil), (9, #""-1""#, "6", nil),
        (10, #""7 ""#, "6", nil), (10, #"" 7""#, "6", nil), (11, #""7.0""#, "6", nil), (11, "7.0", "6", nil), (12, #""1.2.3""#, "6", nil),
        (13, "7e0", "6", nil), (14, #""0x10""#, "6", nil), (14, #""7a""#, "6", nil), (14, #""1_000""#, "6", nil),
        (15, #""2147483647""#, "6", true), (16, #""2147483648""#, "6", true), (16, "2147483648", "6", true), (17, #""""#, "6", nil),
        (17, #""  ""#, "6", nil), (17, "null", "6", nil), (18, "true", "6", nil), (19, "{}", "6", nil), (19, "[]", "6", nil),
        (20, #""٧""#, "6", nil),
    ]

    @Test("6.2.2 version codes are whole numbers: table 5.2", arguments: codes)
    func code(row: Int, json: String, installed: String, updates: Bool?) throws {
        let document = try Documents.read(
            #"{"android":{"requiredUpdate":{"minimumVersion":\#(json),"message":"m"},"alert":{"message":"a","blocking":false}}}"#
        )
        let decision = document.decide("1.0", build: installed)
        #expect(decision.kind == (updates == true ? .required : .alert), "row \(row)")
        #expect(document.diagnostics.isEmpty == (updates != nil), "row \(row): \(document.diagnostics)")
    }

    @Test("6.2.3 the comparison can be chosen", arguments: dotted)
    func chosen(row: Int, app: String, feed: String, numeric: Bool?, text: Bool) throws {
        #expect(GateVersionComparison.text.isOlder(app, than: feed) == text, "row \(row)")
        guard AppVersion(feed) != nil else { return }
        let document = try Documents.read(#"{"ios":{"requiredUpdate":{"minimumVersion":"\#(feed)","message":"m"}}}"#)
        #expect(document.decide(app, .init(comparison: .text)).kind == (text ? .required : .open), "row \(row)")
    }

    @Test("6.2.3 codes are compared with the build") func codeComparison() throws {
        let document = try Documents.read(#"{"ios":{"requiredUpdate":{"minimumVersion":"10","message":"m"}}}"#)
        #expect(document.decide("4.0", build: "9", .init(comparison: .code)).kind == .required)
        #expect(document.decide("4.0", build: "10", .init(comparison: .code)).kind == .open)
        #expect(document.decide("4.0", build: "9").kind == .required)
        #expect(document.decide("10.0", build: "9").kind == .open)
    }

    @Test(
        "6.2.38 the build is compared where the platform counts in codes, the version where it does not",
        arguments: [
            ("macos", "code", "41", "4.1", "42", .open), ("macos", "code", "41", "42.0", "40", .required),
            ("macos", "code", "41", "40", nil, .required), ("macos", "code", "41", "40", "x", .required),
            ("macos", "code", "41", "4.1", nil, .open), ("macos", nil, "41", "4.1", "42", .required),
            ("android", "dotted", "5", "4.1", "410", .required), ("android", "dotted", "5", "5.0", "4", .open),
            ("android", "dotted", "5", nil, "4", .open), ("android", nil, "41", "4.1", "40", .required),
            ("android", nil, "41", "4.1", "42", .open), ("android", nil, "41", "4.1", nil, .open),
            ("android", nil, "5.0", "4.1", "410", .required), ("ios", "null", "41", "4.1", "42", .required),
        ] as [(String, String?, String, String?, String?, GateDecision.Kind)]
    )
    func scheme(platform: String, scheme: String?, minimum: String, version: String?, build: String?, kind: GateDecision.Kind) throws {
        let rule = #""requiredUpdate":{"minimumVersion":"\#(minimum)","message":"m"}"#
        let member = scheme.map { $0 == "null" ? #","versionScheme":null}"# : #","versionScheme":"\#($0)"}"# } ?? "}"
        let document = try Documents.read(Documents.native(rule, platform: platform).dropLast() + member)
        #expect(document.diagnostics == [])
        #expect(document.decide(version, build: build).kind == kind)
    }

    @Test func aSchemeThatIsNotKnownIsSaidAndTheUsualOneCounts() throws {
        let rule = #""requiredUpdate":{"minimumVersion":"41","message":"m"}"#
        for member in [#""semver""#, "7"] {
            let document = try Documents.read(Documents.native(rule, platform: "android").dropLast() + #","versionScheme":\#(member)}"#)
            #expect(document.diagnostics.map(\.path) == ["/versionScheme"])
            #expect(document.decide("4.1", build: "40").kind == .required)
        }
    }
}
