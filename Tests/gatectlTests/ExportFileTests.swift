import GateAPI
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import gatectl

/// Export files, read and rendered without a server.
struct ExportFileTests {
    private let folder: TemporaryFolder

    private static let now = Timestamp("2026-11-27T12:00:00Z")!

    init() throws { folder = try TemporaryFolder() }

    private static func document(_ platforms: String) -> String {
        #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","platforms":\#(platforms)}]}"#
    }

    @Test(
        arguments: [
            ("", "is empty, so it is not JSON", nil), ("{}", "", "/schema"),
            (#"{"schema":"gatehouse/export/v1","apps":[]"#, "is not JSON", nil), ("[]", "An export is an object, not an array", nil),
            (document(#"{"ios":{"gate":{"killSwitch":{"message":""}}}}"#), "", "/apps/0/platforms/ios/gate/killSwitch/message"),
            (
                document(#"{"android":{"gate":{"requiredUpdate":{"minimumVersion":"1.1","message":"x"}}}}"#), "",
                "/apps/0/platforms/android/gate/requiredUpdate/minimumVersion"
            ),
            (document(#"{"ios":{"gates":{}}}"#), "", "/apps/0/platforms/ios/gates"),
            (document(#"{"ios2":{}}"#), "", "/apps/0/platforms/ios2"),
            (
                #"{"schema":"gatehouse/export/v1","apps":[{"key":"a","name":"A","platforms":{}},{"key":"a","name":"B","platforms":{}}]}"#,
                "", "/apps/1/key"
            ),
        ] as [(String, String, String?)]
    )
    func aFaultInTheFileIsNamed(text: String, words: String, field: String?) throws {
        let file = try folder.file("gates.json", text)
        let failure = #expect(throws: Failure.self) { try ExportFile(path: file, at: Self.now) }
        #expect(failure?.exit == .refused)
        #expect(failure?.field == field, "\(String(describing: failure))")
        #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    }

    /// Notepad writes one. It is no fault of what stands behind it.
    @Test func theMarkOfAnEditorIsReadPast() throws {
        let text = Self.document(#"{"ios":{}}"#)
        let (plain, marked) = (try folder.file("plain.json", text), try folder.file("marked.json", "\u{FEFF}" + text))
        #expect(try ExportFile.json(in: marked) == ExportFile.json(in: plain))
        let empty = try folder.file("empty.json", "\u{FEFF}")
        #expect(#expect(throws: Failure.self) { try ExportFile(path: empty, at: Self.now) }?.message.contains("is empty") == true)
    }

    @Test func aFileThatIsNotThereOrCannotBeReadIsNamed() {
        let missing = #expect(throws: Failure.self) { try ExportFile(path: "/no/such/file", at: Self.now) }
        #expect(missing?.message == "the file /no/such/file is not there")
        let folder = #expect(throws: Failure.self) { try ExportFile(path: "/tmp", at: Self.now) }
        #expect(folder?.message == "the file /tmp cannot be read: Is a directory")
    }

    @Test func aRefusalThatMayBeOverriddenIsByItsCodeAlone() throws {
        let platforms =
            #"{"ios":{"settings":{"releases":["1.9.0","1.10.0"]},"gate":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"Update."}}}}"#
        let file = try folder.file("gates.json", Self.document(platforms))
        let failure = #expect(throws: Failure.self) { try ExportFile(path: file, at: Self.now) }
        #expect(failure?.code == "text_order")
        #expect(failure?.next.first?.text == "to take it all the same: --accept text_order")
        #expect(throws: Failure.self) { try ExportFile(path: file, at: Self.now, accept: ["another_code"]) }
        #expect(try ExportFile(path: file, at: Self.now, accept: ["text_order"]).feeds.isEmpty == false)
    }

    @Test(
        arguments: [
            ("[]", nil, "empty_document", "/apps"),
            (
                #"[{"path":"/a.json","feed":"launchgate.json"},{"path":"/a.json","feed":"launchgate.json"}]"#, nil, "invalid_alias",
                "/apps/0/aliases/1/path"
            ),
            (#"[{"path":"/a.json","feed":"bellerophon.json","platform":"android"}]"#, nil, "invalid_alias", "/apps/0/aliases/0/platform"),
            (#"[{"path":"/a.json","feed":"own/x.json"}]"#, nil, "invalid_alias", "/apps/0/aliases/0/feed"),
            (
                #"[{"path":"/a.json","feed":"launchgate.json"}]"#, #"[{"path":"/a.json","feed":"launchgate.json"}]"#, "alias_taken",
                "/apps/1/aliases/0/path"
            ),
            (
                "[" + (0...100).map { #"{"path":"/\#($0).json","feed":"launchgate.json"}"# }.joined(separator: ",") + "]", nil,
                "invalid_alias",
                "/apps/0/aliases"
            ),
        ] as [(String, String?, String, String)]
    )
    func whatNoServerWouldApplyIsNotValid(aliases: String, others: String?, code: String, field: String) throws {
        func app(_ key: String, _ aliases: String) -> String {
            #"{"key":"\#(key)","name":"A","aliases":\#(aliases),"platforms":{"ios":{}}}"#
        }
        let apps = code == "empty_document" ? [] : [app("shop", aliases)] + (others.map { [app("bank", $0)] } ?? [])
        let file = try folder.file("gates.json", #"{"schema":"gatehouse/export/v1","apps":[\#(apps.joined(separator: ","))]}"#)
        for isInForce in [false, true] {
            let failure = #expect(throws: Failure.self) { try ExportFile(path: file, at: Self.now, isInForce: isInForce) }
            #expect((failure?.code, failure?.field) == (code, field), "\(String(describing: failure))")
            #expect(failure?.exit == .refused)
        }
    }

    /// On the night on which the server stays down, nobody is there to lift a kill switch whose time is over.
    @Test func aKillSwitchThatHasLiftedItselfIsNotRendered() throws {
        func file(until: String) throws -> ExportFile {
            let platforms = #"{"ios":{"gate":{"killSwitch":{"message":"Back.","until":"\#(until)"}}}}"#
            return try ExportFile(path: folder.file("gates.json", Self.document(platforms)), at: Self.now, isInForce: true)
        }
        func isBlocked(_ file: ExportFile) throws -> Bool {
            let feed = try #require(file.feeds.first { $0.path == "/feeds/shop/ios/bellerophon.json" })
            return String(decoding: feed.bytes, as: UTF8.self).contains(#""apiInactive":true"#)
        }
        let over = try file(until: Self.now.description)
        #expect(try !isBlocked(over))
        #expect(over.warnings.map(\.code) == ["past_until"])
        #expect(over.warnings.first?.detail.hasPrefix("shop/ios: ") == true)
        #expect(over.staying.isEmpty)
        let later = try file(until: Self.now.advanced(bySeconds: 1).description)
        #expect(try isBlocked(later))
        #expect(!later.warnings.contains { $0.code == "past_until" })
        #expect(later.staying.map(\.code) == ["static_until"])
    }

    /// The same for windows: the document lists them with their ends, and what they set stands in its gates.
    @Test func whatAWindowSetIsNotRenderedAfterItsEnd() throws {
        func file(
            gate: String = #"{"killSwitch":{"message":"Sale.","retryInterval":15},"alert":{"message":"Hi.","blocking":false}}"#,
            set: String = #"{"killSwitch":{"message":"Sale."}}"#,
            start: String = "2026-11-27T11:00:00.000Z",
            end: String?,
            then: String = "open",
            isInForce: Bool = true
        ) throws -> (isBlocked: Bool, codes: [String], staying: [String]) {
            let ending = end.map { #","end":{"at":"\#($0)","wallTime":"2026-11-27T12:00","zone":"Europe/Berlin"}"# } ?? ""
            let text =
                #"{"schema":"gatehouse/export/v1","exportedAt":"2026-11-27T11:30:00Z","apps":[{"key":"shop","name":"Shop","platforms":{"ios":{"gate":\#(gate)}}}],"#
                + #""windows":[{"targets":[{"app":"shop","platform":"ios"}],"set":\#(set),"start":{"at":"\#(start)"}\#(ending),"then":"\#(then)"}]}"#
            let file = try ExportFile(path: folder.file("gates.json", text), at: Self.now, isInForce: isInForce)
            let feed = try #require(file.feeds.first { $0.path == "/feeds/shop/ios/bellerophon.json" })
            let codes = file.warnings.map(\.code).filter { $0.hasPrefix("past_") }
            return (String(decoding: feed.bytes, as: UTF8.self).contains(#""apiInactive":true"#), codes, file.staying.map(\.code))
        }
        let (past, later) = ("2026-11-27T12:00:00Z", "2026-11-27T12:00:01Z")
        #expect(try file(end: past) == (false, ["past_window"], []))
        #expect(try file(end: later) == (true, [], ["static_window"]))
        #expect(try file(end: nil) == (true, [], []))
        // What was there before is not in the document.
        #expect(try file(end: past, then: "restore") == (true, ["past_restore"], []))
        #expect(try file(end: later, then: "restore") == (true, [], ["static_window"]))
        #expect(try file(gate: "{}", set: #"{"killSwitch":null}"#, end: past, then: "restore") == (false, ["past_restore"], []))
        #expect(try file(gate: "{}", set: #"{"killSwitch":null}"#, end: past) == (false, [], []))
        // Set by a person since, or by a window that had not begun.
        #expect(try file(set: #"{"killSwitch":{"message":"Other."}}"#, end: past) == (true, [], []))
        #expect(try file(start: "2026-11-27T11:40:00Z", end: past) == (true, [], []))
        // An apply leaves it to people.
        #expect(try file(end: past, isInForce: false) == (true, [], []))
    }

    /// Whoever is let in at a growing share is let in by a server.
    @Test func aGradualOpeningIsRenderedAsTheBlockThatItIs() throws {
        let gate = #"{"killSwitch":{"message":"Back.","opening":"2026-11-27T11:00:00Z","until":"2026-11-27T12:10:00Z"}}"#
        let path = try folder.file("gates.json", Self.document(#"{"ios":{"gate":\#(gate)}}"#))
        let file = try ExportFile(path: path, at: Self.now, isInForce: true)
        #expect(!file.warnings.contains { $0.code.hasPrefix("opening_") }, "\(file.warnings)")
        #expect(file.staying.map(\.code) == ["static_until"])
        #expect(file.staying.first?.detail.contains("being lifted gradually until 2026-11-27T12:10:00.000Z") == true, "\(file.staying)")
        #expect(file.staying.first?.detail.contains("shuts everybody out") == true, "\(file.staying)")
        #expect(try ExportFile(path: path, at: Self.now).warnings.contains { $0.code == "opening_slows" }, "an apply goes on with it")
    }

    private static func platforms(_ count: Int, revision: Int) -> String {
        "{" + (0..<count).map { #""p\#($0)":{"revision":\#(revision)}"# }.joined(separator: ",") + "}"
    }

    private static func ownFeeds(_ count: Int, revision: Int) -> String {
        let feeds = (0..<count).map { #"{"name":"n\#($0)","platform":null,"template":"{\"blocked\":{\"$eval\":\"ios.blocked\"}}"}"# }
        return #"{"ios":{"revision":\#(revision)}},"ownFeeds":[\#(feeds.joined(separator: ","))]"#
    }

    /// What has a revision was exported, and a server keeps what it has.
    @Test(
        arguments: [
            (platforms(33, revision: 0), "too_many_platforms", "/apps/0/platforms"), (platforms(33, revision: 1), nil, nil),
            (platforms(32, revision: 0), nil, nil), (ownFeeds(21, revision: 0), "too_many_own_feeds", "/apps/0/ownFeeds"),
            (ownFeeds(21, revision: 2), nil, nil), (ownFeeds(20, revision: 0), nil, nil),
            (
                #"{"ios":{"gate":{"killSwitch":{"message":"x","opening":"2026-11-27T12:00:01Z","until":"2026-11-27T13:00:00Z"}}}}"#,
                "future_opening", "/apps/0/platforms/ios/gate/killSwitch/opening"
            ),
        ] as [(String, String?, String?)]
    )
    func whatTheServerRefusesOfAChangeIsNotValid(platforms: String, code: String?, field: String?) throws {
        let path = try folder.file("gates.json", Self.document(platforms))
        var failure: Failure?
        do throws(Failure) { _ = try ExportFile(path: path, at: Self.now) } catch { failure = error }
        #expect(failure?.code == code && failure?.field == field, "\(String(describing: failure))")
        #expect(throws: Never.self) { try ExportFile(path: path, at: Self.now, isInForce: true) }
    }

    /// A file that was written by hand may be for a server that has such keys from before.
    @Test func keysThatNothingNewGetsAreWarnedOf() throws {
        func codes(_ key: String, revision: Int, isInForce: Bool = false) throws -> [String] {
            let text =
                #"{"schema":"gatehouse/export/v1","apps":[{"key":"\#(key)","name":"A","platforms":{"gate":{"revision":\#(revision)}}}]}"#
            return try ExportFile(path: folder.file("gates.json", text), at: Self.now, isInForce: isInForce).warnings.map(\.code)
                .filter { $0.hasPrefix("invalid_") }
        }
        #expect(try codes("all", revision: 0) == ["invalid_app_key", "invalid_platform_key"])
        #expect(try codes("shop", revision: 0) == ["invalid_platform_key"])
        #expect(try codes("all", revision: 3) == [])
        #expect(try codes("all", revision: 0, isInForce: true) == [])
    }

    /// What a server has published it took once: on the night on which it is down, nobody must first find out how.
    @Test func whatIsInForceIsRenderedWithWarnings() throws {
        let platforms =
            #"{"ios":{"settings":{"releases":["1.9.0","1.10.0"]},"gate":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"Update."}}}}"#
        let file = try ExportFile(path: folder.file("gates.json", Self.document(platforms)), at: Self.now, isInForce: true)
        #expect(file.warnings.contains { $0.code == "text_order" })
        #expect(!file.feeds.isEmpty)
        #expect(file.unnumbered.map(\.code) == ["no_sequence"])
        let numbered = try ExportFile(path: folder.file("gates.json", Self.document(#"{"ios":{"revision":3,"sequence":7}}"#)), at: Self.now)
        #expect(numbered.unnumbered.isEmpty)
    }

    @Test func allThatIsRefusedIsOverriddenAtOnce() throws {
        let apps = ["bank", "shop"].map {
            #"{"key":"\#($0)","name":"A","platforms":{"ios":{"settings":{"releases":["1.9.0","1.10.0"]},"#
                + #""gate":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"Update."}}}}}"#
        }
        let file = try folder.file("gates.json", #"{"schema":"gatehouse/export/v1","apps":[\#(apps.joined(separator: ","))]}"#)
        let failure = #expect(throws: Failure.self) { try ExportFile(path: file, at: Self.now) }
        #expect(failure?.message.hasSuffix("; another rule is refused too") == true)
        #expect(failure?.next.first?.text == "to take it all the same: --accept text_order")
    }

    @Test func everyFeedOfAnExportIsRendered() throws {
        let file = try ExportFile(
            path: folder.file("gates.json", Self.document(#"{"ios":{"gate":{"killSwitch":{"message":"Back."}}},"android":{}}"#)),
            at: Self.now
        )
        #expect(file.targetCount == 2)
        let bellerophon = try #require(file.feeds.first { $0.path == "/feeds/shop/ios/bellerophon.json" })
        #expect(
            String(decoding: bellerophon.bytes, as: UTF8.self)
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back."}"#
        )
    }
}
