import Foundation

/// Values of documents, most of them right, the rest at their limits and beyond. Every value is JSON text.
extension RandomSpelling {
    // MARK: Texts

    private static let scalars: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x17F, 0x300...0x36F, 0x370...0x5FF, 0x900...0x97F, 0xE00...0xE7F, 0x1100...0x11FF, 0x1E00...0x1FFF,
        0x2000...0x206F, 0x20D0...0x20FF,
        0x3040...0x30FF, 0xAC00...0xACFF, 0xE000...0xE010, 0xFB1D...0xFB4F, 0xFDD0...0xFDEF, 0xFE00...0xFE0F, 0xFEFF...0xFFFF,
        0x1D15E...0x1D164, 0x1F300...0x1F64F,
        0x2F800...0x2FA1D, 0x378...0x379, 0x1ACF...0x1ADF, 0xE0000...0xE007F, 0x10FFFD...0x10FFFF, 0...0x1F, 0x7F...0x9F,
    ]

    /// As it may be pasted: any scalars of any script, unassigned and forbidden ones too.
    mutating func anyText(_ lengths: ClosedRange<Int>) -> String {
        var text = ""
        for _ in 0..<Int.random(in: lengths, using: &random) {
            let range = chance(3, in: 4) ? Self.scalars[0] : one(of: Self.scalars)
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    mutating func text(most: Int) -> String {
        switch below(20) {
        case 0..<9:
            return one(of: [
                "Back at 09:30.", "Bitte aktualisieren.", "e\u{301}te\u{301}", " x ", "a\r\nb", "\u{1F469}\u{200D}\u{1F4BB}",
                "<b>&\"'/\\</b>", "\u{1100}\u{1161}\u{11A8}",
            ])
        case 9..<15: return anyText(1...30)
        case 15: return String(repeating: one(of: ["a", "é", "🐌", "e\u{301}", "\u{FB2C}"]), count: most)
        case 16: return String(repeating: one(of: ["a", "🐌"]), count: most + 1)
        case 17: return one(of: ["", " ", "\u{200B}", "\u{A0}", "\u{FEFF}", "\n"])
        case 18: return one(of: ["a\u{202E}b", "a\u{0}b", "a\u{7}", "a\u{FFFE}", "a\u{E0041}", "\u{2028}", "a\rb", "\u{301}a"])
        default: return anyText(1...40)
        }
    }

    mutating func message() -> String {
        guard chance(1, in: 3) else { return chance(1, in: 30) ? one(of: ["null", "7", "[]", "true"]) : string(text(most: 500)) }
        let tags = [
            "de", "pt-BR", "en", "zh-Hant-TW", "ar", "sr-Latn", "fr", "ja", "x-y", "DE", "i", "de_DE", "en-US-u-ca-gregory", "\u{212A}o",
            "default ", "qaa-123",
        ]
        var names = Set((0..<below(4)).map { _ in tags[below(chance(9, in: 10) ? 8 : tags.count)] })
        if chance(1, in: 60) {
            names.formUnion(
                (0..<one(of: [49, 50, 51])).map {
                    "q\(Character(Unicode.Scalar(97 + $0 / 26)!))\(Character(Unicode.Scalar(97 + $0 % 26)!))"
                }
            )
        }
        if chance(19, in: 20) { names.insert("default") }
        return object(names.sorted().map { name in (name, string(text(most: 500))) })
    }

    // MARK: Numbers

    /// A whole number as it may be spelled.
    mutating func number(_ limits: ClosedRange<Int>) -> String {
        switch below(20) {
        case 0..<14: return String(Int.random(in: limits, using: &random))
        case 14: return String(one(of: [limits.lowerBound, limits.upperBound]))
        case 15: return String(one(of: [limits.lowerBound - 1, limits.upperBound + 1]))
        default:
            return one(of: [
                "0", "-0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "5e0", "30.0", "1e400", "3.5",
                "0.1e2", "\"30\"", "null", "true", "30E+0",
                String(repeating: "9", count: 400),
            ])
        }
    }

    // MARK: Versions

    mutating func version() -> String {
        switch below(10) {
        case 0..<6: return one(of: ["1", "2", "41", "42", "7", "100"])
        case 6, 7: return one(of: ["4.2.0", "4.3", "1.0.0.1", "10.0"])
        default:
            return one(of: [
                "2147483647", "2147483648", "0", "01", "1.2.3.4.5", "1.", ".1", "", "1.0-beta", "v1", "٣", "1e3", "-1", " 1", "1\u{0}",
                "1.00", String(repeating: "9", count: 64),
                String(repeating: "9", count: 65), "9999999999", "1,2",
            ])
        }
    }

    mutating func versions() -> String {
        switch below(30) {
        case 0: return array((0..<one(of: [99, 100, 101])).map { "\"\($0 + 1)\"" })
        case 1: return one(of: ["null", "{}", "\"1\"", "[1]", "[null]"])
        default: return array((0..<below(4)).map { _ in string(version(), plain: true) })
        }
    }

    // MARK: Times

    /// RFC 3339 text, and what only looks like it.
    mutating func moment() -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        var year = one(of: [2027, 2030, 2100, 4000, 9997, 9998])
        if chance(1, in: 4) { year = one(of: [9998, 9999, 1970, 1969, 2026, 1, 0, 9998, 9999]) }
        let edge = chance(1, in: 3)
        let (month, day) =
            edge
            ? one(of: [(12, 31), (1, 1)])
            : (Int.random(in: 1...12, using: &random), Int.random(in: 1...(chance(1, in: 20) ? 31 : 28), using: &random))
        let (hour, minute, second) =
            edge ? one(of: [(23, 59, 59), (0, 0, 0), (23, 59, 60), (23, 30, 0), (0, 30, 0)]) : (below(24), below(60), below(60))
        let fraction = one(of: ["", "", "", ".5", ".05", ".999", ".000", ".0001", "."].dropLast(chance(9, in: 10) ? 2 : 0))
        let zone = one(
            of: ["Z", "Z", "Z", "+00:00", "-00:01", "+14:00", "-12:00", "+05:45", "+23:59", "-23:59", "z", "+24:00", ""].dropLast(
                chance(9, in: 10) ? 2 : 0
            )
        )
        let digits = String(year)
        let text =
            String(repeating: "0", count: 4 - digits.count) + digits
            + "-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))\(fraction)\(zone)"
        return chance(1, in: 40)
            ? one(of: ["", "now", "2027-01-01", "10000-01-01T00:00:00Z", "+2027-01-01T00:00:00Z", text + "\u{0}", text.lowercased()]) : text
    }

    mutating func time() -> String { chance(1, in: 40) ? one(of: ["null", "0", "{}", "1774000000000"]) : string(moment(), plain: true) }

    private static let zones = [
        "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Etc/GMT+12", "Etc/GMT-14", "Asia/Kathmandu",
        "Australia/Lord_Howe", "Africa/Monrovia",
        "America/St_Johns", "UTC", "SystemV/EST5", "US/Eastern", "Pacific/Apia", "Asia/Manila", "Europe/Amsterdam", "Antarctica/Troll",
        "CET", "Mars/Olympus", "europe/berlin", "Europe/Berlin\u{0}", "../etc/localtime", "", "GMT", "Europe/",
    ]

    mutating func zonedTime() -> String {
        let zone = string(Self.zones[below(chance(9, in: 10) ? 17 : Self.zones.count)], plain: true)
        switch below(10) {
        case 0..<3: return time()
        case 3: return object([("at", time())])
        case 4..<7: return object([("at", time()), ("zone", zone)])
        case 7..<9:
            let wall = String(moment().prefix(one(of: [16, 19, 19, 10])))
            return object(
                [("wallTime", string(wall, plain: true)), ("zone", zone)]
                    + (chance(1, in: 2) ? [("fold", one(of: ["\"earlier\"", "\"later\"", "\"now\""]))] : [])
            )
        default: return object([("at", time()), ("zone", zone), ("offset", "\"+01:00\"")])
        }
    }

    // MARK: Gates

    mutating func rule(_ name: String) -> String {
        if chance(1, in: 6) { return "null" }
        if chance(1, in: 60) { return one(of: ["{}", "[]", "7", "\"on\""]) }
        var members = [("message", message())]
        switch name {
        case "killSwitch":
            if chance(2, in: 3) { members.append(("retryInterval", number(5...3_600))) }
            if chance(1, in: 2) { members.append(("until", time())) }
        case "requiredUpdate":
            members.append(("minimumVersion", string(version(), plain: true)))
            if chance(1, in: 3) { members.append(("blockedVersions", versions())) }
        case "optionalUpdate": members.append(("optionalVersion", string(version(), plain: true)))
        case "alert": members.append(("blocking", chance(1, in: 20) ? "1" : one(of: ["true", "false"])))
        default: break
        }
        if chance(1, in: 60) { members.append((one(of: ["colour", "until", "mes\u{73}age ", ""]), "1")) }
        return object(members)
    }

    /// An edit of a few rules, each whole.
    mutating func gate() -> String {
        let names = ["killSwitch", "forceUpdate", "requiredUpdate", "optionalUpdate", "alert"].filter { _ in chance(1, in: 3) }
        var rules = (names.isEmpty ? ["killSwitch"] : names).map { name in (name, rule(name)) }
        if chance(1, in: 80) { rules.append((one(of: ["sleep", "\u{212A}illSwitch", "KillSwitch"]), "null")) }
        return object(rules)
    }

    // MARK: Apps, people, tokens

    mutating func settings() -> String {
        var members: [(String, String)] = []
        if chance(1, in: 4) { members.append(("versionScheme", one(of: ["\"dotted\"", "\"dotted\"", "\"code\"", "\"semver\"", "null"]))) }
        if chance(1, in: 3) {
            members.append(
                (
                    "storeURL",
                    one(of: [
                        "null", "\"https://apps.apple.com/app/id1\"", "\"https://play.google.com/store/apps/details?id=a&hl=de#x\"",
                        "\"http://example.com\"", "\"https://u:p@example.com\"", "\"https://\"",
                        "\"https://example.com/%zz\"", "\"https://例え.jp\"", "\"https://[::1]/\"", "\"https://example.com:99999/\"",
                        "\"HTTPS://EXAMPLE.com/../a|b^c\"", "\"https://a\\u0000b/\"",
                        "\"https://example.com/" + String(repeating: "a", count: one(of: [1_979, 1_980, 1_981])) + "\"", "7",
                    ])
                )
            )
        }
        if chance(1, in: 3) {
            members.append(("releases", chance(1, in: 30) ? array((0..<one(of: [1_000, 1_001])).map { "\"\($0 + 1)\"" }) : versions()))
        }
        if chance(1, in: 3) { members.append(("defaultRetryInterval", number(5...3_600))) }
        if chance(1, in: 60) { members.append(("theme", "1")) }
        return object(members)
    }

    mutating func alias() -> String {
        let path = one(of: [
            "/config.json", "/a/b/c.json", "/~x", "/A(b)!", "/;a=1", "/a@b", "/feeds/x", "/rehearsals/x", "/api/", "/a//b", "/a/../b", "/é",
            "/a b", "a", "/", "", "/openapi.json",
            "/" + String(repeating: "p", count: one(of: [510, 511, 512])), "/a\u{0}", "/%41", "/.", "/...", "/x\(below(40)).json",
            "/x\(below(40)).json",
        ])
        let feed = one(of: ["launchgate.json", "prince-of-versions.json", "bellerophon.json", "gate.json", "combined.json", "other.json"])
        let perPlatform = ["bellerophon.json", "gate.json", "combined.json"].contains(feed) != chance(1, in: 20)
        return object(
            [("path", string(path)), ("feed", "\"\(feed)\"")]
                + (perPlatform ? [("platform", one(of: ["\"ios\"", "\"android\"", "\"tv\"", "\"ios2\""]))] : [])
        )
    }

    mutating func key() -> String {
        one(of: [
            "news", "shop-2", "a", "0", String(repeating: "k", count: 63), String(repeating: "k", count: 64), "-a", "A", "a_b", "", "é",
            "a\u{0}", "shop", "x\(below(6))", "x\(below(6))",
        ])
    }

    mutating func scope() -> String {
        one(of: [
            "null", "null", "[]", "[\"shop\"]", "[\"shop\",\"bank\"]", "[\"shop\",\"shop\"]", "[\"no-such\"]", "[\"S\"]", "\"shop\"",
            "[null]", "{}",
        ])
    }

    mutating func role() -> String { one(of: ["\"viewer\"", "\"operator\"", "\"admin\"", "\"admin\"", "\"root\"", "null", "1"]) }

    mutating func username() -> String {
        chance(2, in: 3)
            ? "p\(below(30))"
            : one(of: [
                "ANN", "a@b.c", "x-_.1", "7", "", "é", "a b", String(repeating: "n", count: 64), String(repeating: "n", count: 65),
                "\u{FB01}x", "a\u{0}",
            ])
    }

    mutating func reason() -> [(String, String)] { chance(1, in: 3) ? [("reason", chance(1, in: 20) ? "7" : string(text(most: 500)))] : [] }
}
