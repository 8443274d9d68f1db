import GateJSON
import GateModel
import Testing

@testable import gatectl

/// Words, signs, colours and tables.
struct OutputTests {
    @Test(
        arguments: [
            ([:], true, false, true), (["NO_COLOR": ""], true, false, true), (["NO_COLOR": "1"], true, false, false),
            (["TERM": "dumb"], true, false, false), ([:], true, true, false),
            ([:], false, false, false), (["FORCE_COLOR": "1"], false, false, true), (["FORCE_COLOR": "0"], false, false, false),
            (["FORCE_COLOR": "1", "NO_COLOR": "1"], false, false, false),
            (["FORCE_COLOR": "1", "TERM": "dumb"], true, false, false), (["FORCE_COLOR": "1"], true, true, false),
        ] as [([String: String], Bool, Bool, Bool)]
    )
    func colourIsForTerminalsThatWantIt(variables: [String: String], isTerminal: Bool, isRefused: Bool, colour: Bool) {
        #expect(Style.detect(environment: variables, isTerminal: isTerminal, refused: isRefused).colour == colour)
    }

    @Test(
        arguments: [
            (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), ([:], false), (["LANG": "C"], false),
            (["LC_ALL": "POSIX", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "en_US.ISO-8859-1", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "", "LANG": "en_US.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true),
            (["LANG": "en_US.ISO-8859-1", "LC_CTYPE": "UTF-8"], true),
        ] as [([String: String], Bool)]
    )
    func signsBeyondASCIIAreForLocalesInUTF8(variables: [String: String], unicode: Bool) {
        #expect(Style.detect(environment: variables, isTerminal: false, refused: false).unicode == unicode)
    }

    @Test func inASCIIOurOwnSignsHaveOthersThatStandForThem() {
        let ascii = Style(colour: false, unicode: false)
        #expect(ascii.shown("■ ▲ ◆ ○ → – · “x” … ≤ ⏎ × ◷ █") == "# ^ * o -> - - \"x\" ... <=   x @ #")
        #expect(ascii.shown("Zürich ■\u{301}") == "Zürich #\u{301}", "what others wrote stays")
        #expect(Style(colour: false, unicode: true).shown("■ …") == "■ …")
    }

    /// Text that others wrote cannot move the cursor, colour our words, or turn them round.
    @Test(arguments: [
        ("One\nTwo", "One⏎Two"), ("\u{1B}[31mred\u{7}", "?[31mred?"), ("a\tb\rc", "a?b?c"), ("\u{202E}gnp.exe", "?gnp.exe"),
        ("\u{2066}x\u{2069}", "?x?"), ("\u{9B}31m", "?31m"),
        ("Zürich – „bald“ 👩‍👧", "Zürich – „bald“ 👩‍👧"), ("\r\n", "?⏎"),
    ])
    func textOfOthersIsSafeForATerminal(text: String, safe: String) { #expect(Style.safe(text) == safe) }

    /// The last place before the terminal, for what nobody has made safe: our own colours and line breaks stay.
    @Test(arguments: [
        ("\u{1B}[31mBLOCKED\u{1B}[0m shop\n", "\u{1B}[31mBLOCKED\u{1B}[0m shop\n"), ("a\tb", "a\tb"), ("a\rb\u{8}", "a?b?"),
        ("\u{1B}[2J\u{1B}[H", "?[2J?[H"), ("\u{1B}]52;c;eA==\u{7}", "?]52;c;eA==?"), ("\u{9B}2J", "?2J"), ("\u{1B}[8mhidden", "?[8mhidden"),
        ("\u{202E}gnp.exe\u{2069}", "?gnp.exe?"), ("\u{1B}", "?"), ("\r\n", "?\n"), ("Zürich – „bald“ 👩‍👧 ■", "Zürich – „bald“ 👩‍👧 ■"),
        ("", ""),
    ])
    func controlCharactersDoNotReachATerminal(text: String, shown: String) {
        #expect(Style(colour: true, unicode: true).shown(text) == shown)
    }

    /// Whether there is any is looked for in the bytes; those by which they are told apart all occur up to U+2FFF.
    @Test func everyControlCharacterIsFoundAndNoOther() {
        let turning = Set("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}".unicodeScalars)
        for scalar in (0...UInt32(0x2FFF)).lazy.compactMap(Unicode.Scalar.init) where scalar != "\t" && scalar != "\n" {
            let isControl = scalar.properties.generalCategory == .control || turning.contains(scalar)
            let shown = Style.withoutControls("a\(scalar)b")
            if shown.unicodeScalars.elementsEqual(["a", isControl ? "?" : scalar, "b"]) { continue }
            Issue.record("U+\(String(scalar.value, radix: 16)) is shown as \(shown.debugDescription)")
        }
    }

    /// What has no colour has no escape sequence, ours or another's that looks the same.
    @Test func withoutColourNoEscapeSequenceIsShown() {
        #expect(Style(colour: false, unicode: true).shown("\u{1B}[31mred\u{1B}[0m") == "?[31mred?[0m")
    }

    @Test(
        arguments: [
            ([], nil), ([("one", 42, 0)], "one has change 42"),
            (
                [("one", 42, 0), ("two", 41, 3), ("three", 39, 0), ("four", 42, 31)],
                "one has change 42 · two is 1 change behind · three is 3 changes behind · four was not heard of for 31s"
            ),
            ([("a\u{1B}[2J", 1, 0)], "a?[2J has change 1"),
        ] as [([(String, Int, Int)], String?)]
    )
    func serversOfOneDatabase(_ servers: [(name: String, sequence: Int, silence: Int)], words: String?) {
        let start = Timestamp(milliseconds: 0)
        let known = servers.map { SharedServer(name: $0.name, startedAt: start, sequence: $0.sequence, silentSeconds: $0.silence) }
        #expect(Words.servers(known) == words)
    }

    @Test func aTableFitsAndItsFlexibleColumnsGiveWayInTurn() {
        var table = Table(["TIME", "WHAT", "REASON"], flexible: [2, 1])
        table.rows = [[.init("09:00"), .init("minimum version 4.2.0"), .init("a reason that is far too long")]]
        let plain = Style(colour: false, unicode: true)
        #expect(
            table.lines(style: plain, width: nil) == [
                "TIME   WHAT                   REASON", "09:00  minimum version 4.2.0  a reason that is far too long",
            ]
        )
        #expect(
            table.lines(style: plain, width: 45) == [
                "TIME   WHAT                   REASON", "09:00  minimum version 4.2.0  a reason that …",
            ]
        )
        #expect(table.lines(style: plain, width: 30) == ["TIME   WHAT           REASON", "09:00  minimum vers…  a reaso…"])
        for width in 26...80 { #expect(table.lines(style: plain, width: width).allSatisfy { $0.count <= width }, "\(width)") }
        #expect(table.lines(style: Style(colour: false, unicode: false), width: 30)[1] == "09:00  minimum ve...  a rea...")
        table.rows = [[.init("09:00"), .init("BLOCKED", .blocked), .init("x")]]
        #expect(
            table.lines(style: Style(colour: true, unicode: true), width: nil)[1] == "09:00  \u{1B}[31mBLOCKED\u{1B}[0m  x",
            "colour has no width"
        )
    }

    /// A name says what a command is about, so it is cut only when nothing else is left to cut.
    @Test func columnsThatATableCanDoWithoutGoBeforeANameIsCut() {
        var table = Table(["STATE", "TARGET", "DETAIL", "SINCE", "NEXT", "REV"], flexible: [2, 4, 1])
        table.expendable = [3, 5]
        table.rows = [
            ["BLOCKED", "shop-intern/android", "kill, all versions", "36d", "opens 2027-01-01 08:00 UTC", "4711"].map { .init($0) }
        ]
        let style = Style(colour: false, unicode: true)
        func row(_ width: Int) -> String { table.lines(style: style, width: width)[1] }
        #expect(row(100) == "BLOCKED  shop-intern/android  kill, all versions  36d    opens 2027-01-01 08:00 UTC  4711")
        #expect(row(80) == "BLOCKED  shop-intern/android  kill, al…  36d    opens 2027-01-01 08:00 UTC  4711")
        #expect(row(78) == "BLOCKED  shop-intern/android  kill, all ver…  opens 2027-01-01 08:00 UTC  4711")
        #expect(row(70) == "BLOCKED  shop-intern/android  kill, all v…  opens 2027-01-01 08:00 UTC")
        #expect(row(60) == "BLOCKED  shop-intern/android  kill, a…  opens 2027-01-01 08…")
        #expect(row(45) == "BLOCKED  shop-intern/and…  kill, a…  opens 2…")
        #expect(table.fits(79, style: style) && !table.fits(78, style: style))
        for width in 40...100 { #expect(table.lines(style: style, width: width).allSatisfy { $0.count <= width }, "\(width)") }
    }

    @Test(arguments: [
        (0, "0s"), (59, "59s"), (60, "1m"), (3_599, "59m"), (3_600, "1h"), (86_399, "23h"), (86_400, "1d"), (12 * 86_400 + 5, "12d"),
        (-5, "0s"),
    ])
    func anAgeIsRoundedDownToOneUnit(seconds: Int64, words: String) {
        #expect(Words.age(from: .init(milliseconds: 0), to: .init(milliseconds: seconds * 1_000)) == words)
    }

    @Test(arguments: [
        (45_000, "45s"), (960_000, "16m"), (7_140_000, "1h 59m"), (7_200_000, "2h"), (7_199_600, "2h"), (273_600_000, "3d 4h"),
        (259_200_000, "3d"), (-1, "0s"),
    ])
    func whatIsLeftIsToldInTwoUnits(milliseconds: Int64, words: String) {
        #expect(Words.left(from: .init(milliseconds: 0), to: .init(milliseconds: milliseconds)) == words)
    }

    @Test func aTimeIsToldInUTCAndBesideItAsClocksShowIt() throws {
        let time = try #require(Timestamp("2026-07-02T22:30:14.999Z"))
        let berlin = try #require(Zone(named: "Europe/Berlin"))
        let newYork = try #require(Zone(named: "America/New_York"))
        #expect(Words.time(time, inUTC: false, zone: newYork) == "2026-07-02 22:30:14 UTC (18:30 -04:00)")
        #expect(Words.time(time, inUTC: false, zone: berlin) == "2026-07-02 22:30:14 UTC (2026-07-03 00:30 +02:00)", "another day there")
        #expect(Words.time(time, inUTC: true, zone: berlin) == "2026-07-02 22:30:14 UTC")
        #expect(Words.time(time, inUTC: false, zone: .utc) == "2026-07-02 22:30:14 UTC")
        #expect(Words.clock(time, now: try #require(Timestamp("2026-07-02T01:00:00Z"))) == "22:30 UTC")
        #expect(Words.clock(time, now: try #require(Timestamp("2026-07-01T23:00:00Z"))) == "2026-07-02 22:30 UTC")
    }

    private func gate(_ json: String) throws -> Gate {
        try Gate(json: JSONReader.read(json), settings: PlatformSettings(versionScheme: .dotted))
    }

    @Test(arguments: [
        ("{}", "–"), (#"{"killSwitch":{"message":"x"}}"#, "kill · all versions"),
        (
            #"{"killSwitch":{"message":"x"},"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"x"},"alert":{"message":"x","blocking":false}}"#,
            "kill · all versions; also below 4.2.0 and 4.3.1, alert"
        ),
        (
            #"{"optionalUpdate":{"optionalVersion":"4.3.0","message":"x"},"alert":{"message":"x","blocking":true}}"#,
            "blocking alert; also update to 4.3.0 offered"
        ),
        (#"{"forceUpdate":{"message":"x"}}"#, "forced update · all versions"),
        (
            #"{"killSwitch":{"message":"x","opening":"2026-04-02T09:00:00Z","until":"2026-04-02T10:00:00Z"},"alert":{"message":"x","blocking":false}}"#,
            "opening, 34 % · all versions; also alert"
        ),
    ])
    func aGateIsToldWithTheRuleThatWinsFirst(json: String, words: String) throws {
        let now = try #require(Timestamp("2026-04-02T09:20:30Z"))
        #expect(Words.detail(try gate(json), at: now) == words)
    }

    /// BLOCKED by an alert is told with the alert's text.
    @Test(
        arguments: [
            ("{}", nil), (#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"r"},"alert":{"message":"a","blocking":true}}"#, "a"),
            (#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"r"},"alert":{"message":"a","blocking":false}}"#, "r"),
            (#"{"forceUpdate":{"message":"f"},"alert":{"message":"a","blocking":true}}"#, "f"),
        ] as [(String, String?)]
    )
    func theMessageIsThatOfTheState(json: String, message: String?) throws { #expect(Words.message(try gate(json)) == message) }

    @Test(arguments: [
        ("{}", "{}", "no rule changed"), ("{}", #"{"killSwitch":{"message":"x"}}"#, "killed"),
        (#"{"killSwitch":{"message":"x"}}"#, "{}", "opened"),
        (#"{"killSwitch":{"message":"x"}}"#, #"{"killSwitch":{"message":"y"}}"#, "changed the kill"),
        (
            #"{"killSwitch":{"message":"x"}}"#,
            #"{"killSwitch":{"message":"x","opening":"2026-04-02T09:00:00Z","until":"2026-04-02T10:00:00Z"}}"#, "began to open gradually"
        ),
        (
            #"{"killSwitch":{"message":"x","opening":"2026-04-02T09:00:00Z","until":"2026-04-02T10:00:00Z"}}"#,
            #"{"killSwitch":{"message":"x"}}"#, "killed"
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"x"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"x"}}"#, "minimum version 4.1.0 → 4.2.0"
        ),
        ("{}", #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"x"}}"#, "minimum version 4.1.0"),
        (#"{"alert":{"message":"x","blocking":false}}"#, "{}", "cleared alert"),
        ("{}", #"{"alert":{"message":"x","blocking":true},"forceUpdate":{"message":"x"}}"#, "set forced update, blocking alert"),
        (#"{"optionalUpdate":{"optionalVersion":"4.3.0","message":"x"}}"#, "{}", "cleared optional update"),
    ])
    func aChangeIsToldByTheRulesInWhichItDiffers(before: String, after: String, words: String) throws {
        #expect(Words.edits(try gate(before), try gate(after)) == words)
    }

    @Test(arguments: [
        (
            PollLoad(phones: 1_200, pollsPerSecond: 80, slower: .init(retryInterval: 60, pollsPerSecond: 20)),
            "Up to 1200 phones that asked here in the last minute will ask again while they are blocked: about 80 polls a second; "
                + "with --retry 60s about 20. What caches in front answer is not counted."
        ),
        (
            PollLoad(phones: 1, pollsPerSecond: 1, slower: nil),
            "Up to 1 phone that asked here in the last minute will ask again while they are blocked: about 1 poll a second. "
                + "What caches in front answer is not counted."
        ),
    ])
    func aPlanSaysWhatABlockMakesOfThePolls(load: PollLoad, line: String) {
        let plan = Plan(tier: .block, confirm: nil, reasonRequired: false, diff: [], warnings: [], load: load)
        let view = PlanView(targets: [], plan: plan, now: Timestamp(milliseconds: 0), inUTC: true)
        #expect(view.lines(Style(colour: false, unicode: true), width: nil) == ["  " + line])
    }
}
