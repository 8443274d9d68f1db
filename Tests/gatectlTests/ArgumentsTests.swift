import ArgumentParser
import GateJSON
import GateTesting
import Testing

@testable import gatectl

/// Values as people type them.
struct ArgumentsTests {
    @Test(arguments: [("1s", 1), ("90s", 90), ("30m", 1_800), ("2h", 7_200), ("1d", 86_400), ("1000000d", 86_400_000_000)])
    func aSpanIsANumberAndAUnit(text: String, seconds: Int) { #expect(Span(argument: text)?.seconds == seconds) }

    @Test(arguments: ["", "s", "10", "0s", "-1s", "+1s", "1.5h", "1w", "1 s", "10S", "1000001s", "٣s", "99999999999999999999s"])
    func whatIsNoSpanIsRefused(text: String) { #expect(Span(argument: text) == nil) }

    @Test(arguments: [("1%", 1), ("95%", 95), ("100%", 100)]) func aShareIsAPercentage(text: String, percent: Int) {
        #expect(Share(argument: text)?.percent == percent)
    }

    @Test(arguments: ["", "%", "95", "0%", "101%", "-5%", "9.5%"]) func whatIsNoShareIsRefused(text: String) {
        #expect(Share(argument: text) == nil)
    }

    @Test(arguments: ["/config.json=launchgate", "/status=ios/bellerophon", "/a=b=prince-of-versions"]) func anAliasIsPrintedAsItIsTyped(
        text: String
    ) throws {
        #expect(AliasArgument.text(try AliasArgument.parse(text)) == text)
    }

    @Test(arguments: [
        ("config.json", Exit.usage), ("/a=", .refused), ("/a=x/y/z", .usage), ("a=launchgate", .refused), ("/a=nothing", .refused),
        ("/a=ios2/bellerophon", .refused),
    ])
    func whatIsNoAliasIsRefused(text: String, exit: Exit) {
        let failure = #expect(throws: Failure.self) { try AliasArgument.parse(text) }
        #expect(failure?.exit == exit)
    }

    /// A message is published as it was written, or not at all.
    @Test func aMessageIsTextInUTF8() throws {
        let folder = try TemporaryFolder()
        func text(_ bytes: [UInt8]) throws -> String? {
            let file = folder.path + "/message.txt"
            try FileSystem.replace(file, with: bytes, mode: 0o600)
            return try MessageOption.parse(["-m", "@" + file]).text()
        }
        #expect(try text(Array("Zurück um neun.".utf8)) == "Zurück um neun.")
        #expect(try text([0xEF, 0xBB, 0xBF] + Array("Zurück.".utf8)) == "Zurück.", "an editor's mark is no part of it")
        #expect(try MessageOption.parse(["-m", "Zurück."]).text() == "Zurück.")
        for message in [{ try text([0x5A, 0xFC]) }, { try MessageOption.parse(["-m", "Z\u{FFFD}r"]).text() }] as [() throws -> String?] {
            let failure = #expect(throws: Failure.self) { try message() }
            #expect(failure?.exit == .refused)
            #expect(failure?.code == "not_utf8")
        }
    }

    @Test func sinceIsASpanBackFromTheServersClockOrATimeAsItIs() async throws {
        let now = try #require(Timestamp("2026-03-30T09:00:00Z"))
        #expect(try await SinceArgument.time("24h") { now } == "2026-03-29T09:00:00.000Z")
        #expect(try await SinceArgument.time("1000000d") { now } == "1970-01-01T00:00:00.000Z")
        #expect(
            try await SinceArgument.time("2026-01-01T00:00:00+01:00") {
                Issue.record("nobody asked")
                return now
            } == "2026-01-01T00:00:00+01:00"
        )
        #expect(
            try await SinceArgument.time(nil) {
                Issue.record("nobody asked")
                return now
            } == nil
        )
    }

    @Test(arguments: [
        (["gatectl", "kill", "shop"], ["-y"], "gatectl kill shop -y"),
        (["/usr/bin/gatectl", "kill", "--confirm", "x", "shop"], ["--confirm", "shop/ios"], "gatectl kill shop --confirm shop/ios"),
        (["gatectl", "kill", "--confirm=x"], ["--confirm", "kill 2 targets"], "gatectl kill --confirm 'kill 2 targets'"),
        (["gatectl", "kill", "--confirm", "x"], ["-r", "REASON"], "gatectl kill --confirm x -r REASON"),
        (["gatectl", "rollback", "--if-revision", "9", "-y"], ["--if-revision", "10"], "gatectl rollback -y --if-revision 10"),
        (
            ["gatectl", "schedule", "add", "-r", " ", "--", "kill", "-m", "x"], ["-r", "REASON"],
            "gatectl schedule add -r REASON -- kill -m x"
        ),
        (["gatectl", "users", "add", "ann", "-y"], ["-y"], "gatectl users add ann -y"),
    ])
    func theCommandIsShownWithWhatItLacks(typed: [String], addition: [String], command: String) {
        #expect(Invocation.command(adding: addition, to: typed) == command)
    }

    @Test(arguments: [
        (["open", "shop", "ios", "--over", "10m", "-y"], "gatectl open shop ios -y"),
        (["open", "shop", "ios", "--over=10m"], "gatectl open shop ios"),
        (["rollback", "shop", "ios", "--last"], "gatectl rollback shop ios"), (["kill", "-m", "--over"], "gatectl kill -m --over"),
    ])
    func theCommandIsShownWithoutWhatIsTooMuch(typed: [String], command: String) {
        #expect(Invocation.command(adding: [], without: ["--over", "--last"], to: ["gatectl"] + typed) == command)
    }
}
