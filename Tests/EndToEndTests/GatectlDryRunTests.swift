import Foundation
import GateJSON
import GateTesting
import Testing

/// `-n` of writes for which the server makes no plan: of people, tokens, backups and rehearsals.
@Suite struct GatectlDryRunTests {
    @Test func nothingIsWrittenAndWhatWouldBeIsSaid() async throws {
        let backups = try TemporaryFolder()
        let gatectl = try Gatectl(try await Server.start("--backup-dir", backups.path, "--backup-every", "1d"))
        _ = try await gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android")
        _ = try await gatectl(
            ["users", "add", "sam", "--role", "operator", "--app", "shop", "--password-stdin"],
            input: "a long pass phrase\n"
        )
        _ = try await gatectl("tokens", "add", "deploy", "--role", "viewer")
        let begun = try await gatectl("rehearse", "shop", "ios", "--json").json()
        let id = try #require(begun["id"]?.string ?? begun["rehearsal.id"]?.string, "\(begun)")

        let commands: [(words: [String], told: String, changes: Bool)] = [
            (["tokens", "add", "ci", "--days", "30"], "make the token ci: your role of your apps, for 30 days", true),
            (["tokens", "add", "ci", "--role", "viewer", "--app", "shop"], "make the token ci: viewer of shop, for 90 days", true),
            (["tokens", "add", "ci", "--days", "1"], "make the token ci: your role of your apps, for 1 day\n", true),
            (["tokens", "rotate", "deploy", "--revoke"], "make another token in the place of deploy (", true),
            (["tokens", "revoke", "deploy"], "revoke deploy (", true),
            (["users", "add", "ann", "--role", "viewer", "--password-stdin"], "add ann, viewer of all apps", true),
            (["users", "invite", "sam"], "make another link for sam, operator of shop", true),
            (
                ["users", "set", "sam", "--role", "viewer", "--all-apps", "--disable", "--password-stdin"],
                "change sam, operator of shop: viewer, of all apps, disabled, with another password", true
            ),
            (["users", "set", "sam", "--role", "operator", "--enable"], "sam, operator of shop", false),
            (["users", "remove", "sam"], "remove sam, operator of shop", true),
            (["backup", "create"], "make a backup of everything up to change ", true),
            (["rehearse", "shop", "ios"], "rehearse the gate that is in force for shop/ios", true),
            (["rehearse", "change", id, "--for", "1h"], "change rehearsal \(id) of shop/ios", true),
            (["rehearse", "end", id], "end rehearsal \(id) of shop/ios", true),
        ]
        // The clock's own first backup.
        try await waitUntil("there is a backup") { try await !gatectl("backup", "list", "-o", "plain").out.isEmpty }
        let before = try await everything(gatectl)
        for (words, told, changes) in commands {
            let dryRun = try await gatectl(words + ["-n"])
            #expect(dryRun.status == 0, "\(words) \(dryRun)")
            let start = changes ? "Dry run: nothing was written. Would \(told)" : "Dry run: nothing would change: \(told)"
            #expect(dryRun.out.hasPrefix(start), "\(words) \(dryRun)")
            let document = try await gatectl(words + ["--dry-run", "--json"]).json()
            #expect(document["dryRun"] == .bool(true) && document["changed"] == .bool(changes), "\(words) \(document)")
        }
        let after = try await everything(gatectl)
        #expect(after.count == before.count)
        for (line, was) in zip(after, before) { #expect(line == was) }
    }

    @Test(
        arguments: [
            (["tokens", "revoke", "nightly"], 6), (["tokens", "rotate", "nightly"], 6), (["users", "invite", "tim"], 6),
            (["users", "set", "tim", "--disable"], 6), (["users", "remove", "tim"], 6), (["users", "add", "ADMIN", "--role", "viewer"], 8),
            (["tokens", "add", ""], 8), (["users", "add", "Kim Ü", "--role", "viewer"], 8),
            (["rehearse", "shop", "ios", "--for", "1s"], 8),
            (["rehearse", "shop", "nowhere"], 6), (["rehearse", "end", "12345678"], 6), (["backup", "create"], 8),
        ] as [([String], Int32)]
    )
    func whatCannotBeDoneIsRefusedInADryRunToo(words: [String], status: Int32) async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl(words + ["-n"]).status == status)
    }

    /// A dry run is no way to learn that one may do what one may not.
    @Test func whatSomebodyMayNotDoIsRefusedInADryRunToo() async throws {
        let gatectl = try await Gatectl.withShop()
        let made = try await gatectl("tokens", "add", "reader", "--role", "viewer").out
        let reader = ["GATECTL_TOKEN": String(made.dropLast())]
        let window = ["schedule", "add", "shop", "ios", "--from", "2030-01-01T09:00:00Z", "-y", "--", "kill", "-m", "x"]
        #expect(try await gatectl(window).status == 0)
        for words in [["tokens", "add", "ci", "--role", "admin"], ["rehearse", "shop", "ios"], ["schedule", "cancel", "1"]] {
            for dryRun in [[], ["-n"]] {
                let outcome = try await gatectl(words + dryRun, with: reader)
                #expect(outcome.status == 4, "\(words) \(outcome)")
            }
        }
        #expect(try await gatectl("schedule", "run", "1", "-y").status == 0, "without an end it is over then")
        for dryRun in [[], ["-n"]] { #expect(try await gatectl(["schedule", "cancel", "1"] + dryRun).status == 8) }
    }

    /// Everything that the commands could have changed.
    private func everything(_ gatectl: Gatectl) async throws -> [String] {
        var lists: [String] = []
        for words in [["users"], ["tokens", "list"], ["backup", "list"], ["rehearse", "list"], ["history"]] {
            let list = try await gatectl(words + ["-o", "plain"])
            #expect(list.status == 0, "\(words) \(list)")
            // What stands behind tells when it was used last.
            lists += list.out.split(separator: "\n").map { $0.split(separator: "\t").prefix(4).joined(separator: "\t") }
        }
        return lists
    }
}
