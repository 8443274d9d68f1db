import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Everything as a file, and a file made true.
struct GatectlApplyTests {
    private static let applyAll = ["--accept", "text_order", "--confirm", "apply 4 targets"]

    @Test func whatIsExportedAndAppliedIsNoChange() async throws {
        let gatectl = try await Gatectl.withShop()
        try await gatectl.furnish()
        let before = try await gatectl.sequence()
        let export = try await gatectl("export")
        #expect(export.status == 0, "\(export)")
        #expect(export.err == "")
        for arguments in [["apply", "-f", "-"], ["apply", "-f", "-", "--prune"]] {
            let outcome = try await gatectl(arguments, input: export.out)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.out == "no change\n")
            #expect(try await gatectl(arguments + ["--json"], input: export.out).json()["changed"] == .bool(false))
            #expect(try await gatectl(arguments + ["-n"], input: export.out).out == "Dry run: nothing would change.\n")
        }
        let piped = try await run(
            "/bin/bash",
            ["-c", "set -o pipefail; '\(Programs.gatectl)' export | '\(Programs.gatectl)' apply -f -"],
            environment: gatectl.environment
        )
        #expect((piped.status, piped.out) == (0, "no change\n"))
        #expect(try await gatectl.sequence() == before)
        #expect(
            try await gatectl("export", "--json").json().text == JSONReader.read(export.out, limits: .own).text,
            "the same state, the same document"
        )
        #expect(try await gatectl("diff", "-f", "-", input: export.out).status == 0)
    }

    /// Native feeds tell sequence, revision and time, in which two servers differ.
    @Test func onAnEmptyServerTheFileRebuildsEveryFeedByteForByte() async throws {
        let gatectl = try await Gatectl.withShop()
        try await gatectl.furnish()
        let file = try gatectl.home.file("gates.json", try await gatectl("export").out)
        let empty = try Gatectl(try await Server.start())
        let refused = try await empty("apply", "-f", file, "-y")
        #expect(refused.status == 8, "what needs an acceptance needs it here too: \(refused)")
        let asked = try await empty("apply", "-f", file, "-y", "--accept", "text_order")
        #expect(asked.status == 3)
        #expect(asked.err.contains("--confirm 'apply 4 targets'"), "\(asked)")
        let outcome = try await empty(["apply", "-f", file, "-r", "rebuild"] + Self.applyAll)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try await empty.sequence() == 1, "all of it is one change")

        let (wanted, found) = (try await gatectl.feeds(), try await empty.feeds())
        #expect(wanted.count == 21)
        #expect(Set(wanted.keys) == Set(found.keys))
        for (path, bytes) in wanted {
            #expect(try Self.withoutPlace(found[path] ?? [], path) == Self.withoutPlace(bytes, path), "\(path)")
        }
        // And back: what the new server holds is what the old one does.
        #expect(try await gatectl("apply", "-f", "-", "--prune", input: empty("export").out).out == "no change\n")
        #expect(await empty.server.stop() == 0)
        #expect(try await empty.server.gatehouse("verify").status == 0)
    }

    private static func withoutPlace(_ bytes: [UInt8], _ path: String) throws -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard path.hasSuffix("/gate.json"), var object = try JSONReader.read(text).object else { return text }
        for name in ["sequence", "revision", "issuedAt"] { object[name] = nil }
        return JSONValue.object(object).text
    }

    @Test func applyingTwiceChangesOnce() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file(
            "gates.json",
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"news","name":"News","platforms":{"ios":{"gate":{"alert":{"message":"Hello.","blocking":false}}}}}]}"#
        )
        let first = try await gatectl("apply", "-f", file, "-r", "INC-1", "--json")
        #expect(first.status == 0, "\(first)")
        #expect(try first.json()["changed"] == .bool(true))
        #expect(try first.json()["target"]?.string == "news/ios")
        #expect(try first.json()["apps.0.after"]?.string == "News")
        let again = try await gatectl("apply", "-f", file, "-r", "INC-1")
        #expect((again.status, again.out) == (0, "no change\n"))
        #expect(try await gatectl.revision("news/ios") == 1)
        let change = try await gatectl("history", "news", "--json").json()
        #expect(
            (change["items.0.kind"]?.string, change["items.0.reason"]?.string, change["items.0.source"]?.string) == (
                "apply", "INC-1", "gatectl"
            )
        )
    }

    @Test func removalNeedsPruneAndThePhrase() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        let export = try #require(try JSONReader.read(await gatectl("export").out, limits: .own).object)
        let document = JSONValue.object([
            "schema": .string(ExportBody.form), "apps": .array(export["apps"]?.array?.filter { $0["key"] == .string("shop") } ?? []),
        ])
        let file = try gatectl.home.file("shop.json", document.text.replacing(#""android":{"settings""#, with: #""tv":{"settings""#))
        let before = try await gatectl.sequence()
        let kept = try await gatectl("apply", "-f", file, "--dry-run")
        #expect(!kept.out.contains("removed"), "\(kept)")
        let refused = try await gatectl("apply", "-f", file, "--prune", "-y")
        #expect(refused.status == 3)
        #expect(refused.err.contains("--confirm 'apply 2 targets'"), "\(refused)")
        #expect(refused.err.contains("shop/android  ○ OPEN   removed"), "\(refused)")
        #expect(try await gatectl("apply", "-f", file, "--prune", "--confirm", "apply 3 targets").status == 3)
        #expect(try await gatectl.sequence() == before)
        let done = try await gatectl("apply", "-f", file, "--prune", "--confirm", "apply 2 targets")
        #expect(done.status == 0, "\(done)")
        #expect(done.out.contains("REMOVED  shop/android"), "\(done)")
        // Whoever reads the history sees what went, and not that something was opened.
        #expect(try await gatectl("history", "shop", "android").out.contains("applied: removed the platform"))
        #expect(
            try await gatectl("status", "-o", "plain").out.split(separator: "\n").map { $0.split(separator: "\t")[1] } == [
                "shop/ios", "shop/tv",
            ]
        )
        #expect(try await gatectl.server.feed("/feeds/bank/launchgate.json").status == 404)
        #expect(try await gatectl("apps", "list", "--json").json()["items"]?.array?.count == 1)
    }

    @Test func aFileOfOneAppNeverRemovesAnother() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        let export = try await gatectl("export", "shop").out
        #expect(try await gatectl("apply", "-f", "-", "--prune", input: export).out == "no change\n")
        #expect(try await gatectl("export", "shpo").status == 6)
        #expect(try await gatectl("export", "shpo").err.contains("Did you mean shop?"))
    }

    @Test func anEmptyOrDamagedFileIsRefusedAndDeletesNothing() async throws {
        let gatectl = try await Gatectl.withShop()
        let export = try await gatectl("export").out
        let (before, targets) = (try await gatectl.sequence(), try await gatectl("status", "-o", "plain").out)
        let files = [
            "", " ", "{}", "[]", "null", String(export.prefix(export.count / 2)), String(export.dropLast(3)), export + export, "<html>",
            #"{"schema":"gatehouse/export/v1","apps":[]}"#, #"{"schema":"gatehouse/export/v2","apps":[]}"#, #"{"apps":[]}"#,
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","platforms":{}}]}"#,
            export.replacingOccurrences(of: #""platforms""#, with: #""platform""#),
            export.replacingOccurrences(of: #""ios": "#, with: #""android": "#),
        ]
        for text in files {
            for arguments in [["--prune", "--confirm", "apply 2 targets"], ["--prune", "--dry-run"], ["-y"]]
            where text != files[12] || arguments != ["-y"] {
                let outcome = try await gatectl(["apply", "-f", "-"] + arguments, input: text)
                #expect(outcome.status == 8, "\(text.prefix(60)) \(arguments): \(outcome)")
                #expect(outcome.out == "")
            }
        }
        #expect(try await gatectl("apply", "-f", "/no/such/file").status == 8)
        #expect(try await gatectl.sequence() == before)
        #expect(try await gatectl("status", "-o", "plain").out.split(separator: "\n").count == targets.split(separator: "\n").count)
    }

    /// Between the plan that was shown and its confirmation somebody else changes the same target.
    @Test func whatSomebodyElseChangedAfterThePlanIsNotOverwritten() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file(
            "gates.json",
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","platforms":{"ios":{"gate":{"killSwitch":{"message":"Down."}}}}}]}"#
        )
        let terminal = try gatectl.onTerminal("apply", "-f", file, with: ["NO_COLOR": "1"])
        try terminal.expect("Apply to shop/ios? [y/N] ")
        #expect(try await gatectl("alert", "shop", "ios", "-m", "Hello.").status == 0)
        terminal.type("y\n")
        try terminal.expect("changed meanwhile")
        #expect(try terminal.finish() == 5)
        #expect(try await gatectl.revision("shop/ios") == 2)
        // Another app's change is no reason to stop.
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        let second = try gatectl.onTerminal("apply", "-f", file, with: ["NO_COLOR": "1"])
        try second.expect("Apply to shop/ios? [y/N] ")
        #expect(try await gatectl("alert", "bank", "ios", "-m", "Hello.").status == 0)
        second.type("y\n")
        try second.expect("■ BLOCKED  shop/ios  revision 3")
        #expect(try second.finish() == 0)
    }

    @Test func whatAFileAndAServerDifferInExitsWith10() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("gates.json", try await gatectl("export").out)
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        let all = try await gatectl("diff", "-f", file)
        #expect(all.status == 10)
        #expect(all.out.contains("    - killSwitch.message: \"Back.\""), "\(all)")
        #expect(all.out.contains("  bank/ios   removed"), "\(all)")
        #expect(all.out.contains("  - app bank name: \"Bank\""), "\(all)")
        #expect(try await gatectl("diff", "shop", "-f", file).status == 10)
        #expect(try await gatectl("diff", "shop", "android", "-f", file).status == 0)
        #expect(try await gatectl("diff", "shop", "ios", "-f", file, "--json").json()["different"] == .bool(true))
        #expect(try await gatectl("diff", "shpo", "-f", file).status == 6)
        #expect(try await gatectl("diff", "-f", "-", input: "{}").status == 8)
        #expect(try await gatectl("diff", "shop", "ios", "-f", "-", input: #"{"killSwitch":{"message":"Back."}}"#).status == 0)
        // A rollback from the file, as after a night of break-glass.
        #expect(try await gatectl("apply", "-f", file, "--prune", "--confirm", "apply 2 targets").status == 0)
        #expect(try await gatectl("diff", "-f", file).status == 0)
    }

    /// Apps outside the caller's scope are not new: the server only does not show them.
    @Test func whatACallerMayNotSeeIsLeftOutOfTheDifference() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios")
        let file = try gatectl.home.file("all.json", try await gatectl("export").out)
        let bank = try gatectl.home.file("bank.json", try await gatectl("export", "bank").out)
        let added = try await gatectl("tokens", "add", "shop-only", "--role", "operator", "--app", "shop", "--days", "30")
        let limited = ["GATECTL_TOKEN": added.out.trimmingCharacters(in: .newlines)]
        let same = try await gatectl("diff", "-f", file, with: limited)
        #expect(same.status == 0 && same.out == "the server and the file are the same\n", "\(same)")
        #expect(same.err.contains("left out, because you may not see them: bank"), "\(same)")
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        let json = try await gatectl("diff", "-f", file, "--json", with: limited)
        #expect(json.status == 10 && !json.out.contains(#""app":"bank""#), "\(json)")
        #expect(json.out.contains(#""leftOut":["bank"]"#), "\(json)")
        #expect(try await gatectl("diff", "-f", file, "--json").out.contains(#""leftOut":[]"#))
        // Nothing was compared, so nothing is the same.
        let none = try await gatectl("diff", "-f", bank, with: limited)
        #expect(none.status == 4 && none.out.isEmpty, "\(none)")
        #expect(none.err.contains("you may see none of the file's apps"), "\(none)")
        #expect(try await gatectl("diff", "bank", "-f", file, with: limited).status == 6)
    }

    /// A file that was written before an incident must not lift its block unseen.
    @Test func aFileFromBeforeTheIncidentIsRefused() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("gates.json", try await gatectl("export", "--with-revisions").out)
        #expect(try await gatectl("apply", "-f", file, "-y").out == "no change\n")
        _ = try await gatectl("kill", "shop", "ios", "-m", "Incident.", "-r", "INC-7", "-y")
        for dry in [[], ["--dry-run"]] {
            let refused = try await gatectl(["apply", "-f", file, "-y"] + dry)
            #expect(refused.status == 5, "\(refused)")
            // What the server says, and how it is done all the same: apply has no --if-revision.
            #expect(refused.err.contains("at revision 1 of shop/ios, which is at 2 by now. Export again"), "\(refused)")
            #expect(refused.err.contains("apply it all the same: gatectl apply -f \(file) -y"), "\(refused)")
            #expect(refused.err.contains(" --ignore-revisions\n") && !refused.err.contains("--if-revision"), "\(refused)")
        }
        #expect(try await gatectl("status", "shop", "ios").out.contains("BLOCKED"))
        // Without the revisions it is a lift that is seen as one.
        let unseen = try await gatectl("apply", "-f", file, "--ignore-revisions")
        #expect(unseen.status == 3, "\(unseen)")
        let stable = try gatectl.home.file("stable.json", try await gatectl("export").out)
        #expect(try await gatectl("apply", "-f", file, "--ignore-revisions", "-y").status == 0)
        #expect(try await gatectl("status", "shop", "ios").out.contains("OPEN"))
        #expect(try await gatectl("apply", "-f", stable, "-y").status == 0)
        #expect(try await gatectl("status", "shop", "ios").out.contains("BLOCKED"))
        #expect(try await gatectl("apply", "-f", file, "--if-revision", "2").status == 64, "not offered")
    }

    /// Good for git: the same state, the same bytes, whatever happened in between.
    @Test func anExportIsStableAndWrittenWhole() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl("export").out
        _ = try await gatectl("kill", "shop", "ios", "-m", "Back.", "-y")
        #expect(try await gatectl("export").out != before)
        _ = try await gatectl("open", "shop", "ios", "-y")
        #expect(try await gatectl("export").out == before)
        #expect(!before.contains("revision") && !before.contains("sequence"))
        let file = gatectl.home.path + "/out.json"
        let written = try await gatectl("export", "-o", file)
        #expect(written.status == 0 && written.out.isEmpty, "\(written)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        #expect(try await gatectl("export", "-o", gatectl.home.path + "/none/out.json").status == 1)
        #expect(try await gatectl("status", "-o", file).status == 64)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    }

    /// A script that writes to a full disk must not go on as if it had the file.
    @Test(arguments: [["export"], ["status"], ["status", "--json"], ["history"], ["feed", "shop", "ios"]])
    func anAnswerThatCannotBeWrittenIsAFailure(_ command: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await run(
            "/bin/sh",
            ["-c", #"exec "$0" "$@" > /dev/full"#, Programs.gatectl] + command,
            environment: gatectl.environment
        )
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.err.contains("No space left on device"), "\(outcome)")
    }

    @Test func everyExportIsInTheAudit() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("export", "shop").status == 0)
        let audit = try await gatectl("audit", "--json").json()
        #expect(audit["items.0.action"]?.string == "export.create")
        #expect(audit["items.0.subject"]?.string == "shop")
    }

    /// What the server exports is what the offline commands read, to the byte of every feed, the native ones too.
    @Test func theServersExportRendersToTheServersFeedsWhileItIsDown() async throws {
        let gatectl = try await Gatectl.withShop()
        try await gatectl.furnish()
        let file = try gatectl.home.file("gates.json", try await gatectl("export", "--with-revisions").out)
        let wanted = try await gatectl.feeds()
        await gatectl.server.kill()
        let checked = try await gatectl("validate", "-f", file, "--accept", "text_order")
        #expect(checked.status == 0, "\(checked)")
        let site = gatectl.home.path + "/site"
        #expect(try await gatectl("render", "-f", file, "--out", site, "--accept", "text_order").status == 0)
        for (path, bytes) in wanted {
            #expect(FileManager.default.contents(atPath: site + path).map(Array.init) == bytes, "\(path)")
        }
    }

    /// The whole state stands in the file, with what waits; what is missing where it is applied is told, and nothing is scheduled by a
    /// file.
    @Test func anExportTellsTheWindowsAndAnApplyTellsThoseThatAreMissing() async throws {
        let gatectl = try await Gatectl.withShop()
        let before = try await gatectl("export").out
        #expect(!before.contains("windows"), "the same bytes as ever where nothing waits")
        for (day, message) in [("31", "Later."), ("30", "We open at nine.")] {
            let made = try await gatectl([
                "schedule", "add", "shop", "ios", "--from", "2030-03-\(day) 08:30", "--until", "2030-03-\(day) 09:00", "--tz",
                "Europe/Berlin", "-r", "sale", "-y", "--",
                "kill", "-m", message,
            ])
            #expect(made.status == 0, "\(made)")
        }
        let export = try await gatectl("export", "shop").out
        let document = try JSONReader.read(export, limits: .own)
        #expect(document["windows.0.start.at"] == .string("2030-03-30T07:30:00.000Z"), "the next one first")
        #expect(document["windows.0.set.killSwitch.message"] == .string("We open at nine."))
        #expect(document["windows.0.reason"] == .string("sale"))
        #expect(document["windows.1.start.at"] == .string("2030-03-31T06:30:00.000Z"))
        #expect(try await gatectl("export", "shop").out == export)

        let file = try gatectl.home.file("gates.json", export)
        #expect(try await gatectl("apply", "-f", file).out == "no change\n")
        #expect(try await gatectl("apply", "-f", file).err.contains("windows_missing") == false, "both wait here")
        #expect(try await gatectl("diff", "-f", file).status == 0)
        let valid = try await gatectl("validate", "-f", file)
        #expect(valid.status == 0, "\(valid)")
        #expect(try await gatectl("schedule", "cancel", "2", "-r", "off").status == 0)
        let told = try await gatectl("apply", "-f", file, "--json").json()
        #expect(told["changed"] == .bool(false))
        #expect(told["warnings.0.code"] == .string("windows_missing"), "\(told.text)")
        #expect(told["warnings.0.detail"]?.string?.contains("shop/ios, from 2030-03-30T07:30:00.000Z") == true, "\(told.text)")

        let other = try await Gatectl.withShop()
        let applied = try await other("apply", "-f", "-", "-y", input: export)
        #expect(applied.status == 0, "\(applied)")
        #expect((applied.out + applied.err).contains("2 windows of the document would not happen"), "\(applied)")
        #expect(try await other("schedule", "list", "--json").json()["items"]?.array?.isEmpty == true)
        let wrong = try await other("apply", "-f", "-", "-y", input: export.replacing("2030-03-30T07:30:00.000Z", with: "soon"))
        #expect(wrong.status == 8)
        #expect(wrong.err.contains("windows/0"), "\(wrong)")
    }
}
