import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

/// Backups of a server that is at work, and what becomes of them: the restore drill.
@Suite(.timeLimit(.minutes(5)))
struct BackupTests {
    private static let feeds = [
        "/feeds/shop/ios/bellerophon.json", "/feeds/shop/android/bellerophon.json", "/feeds/shop/launchgate.json",
        "/feeds/shop/prince-of-versions.json",
    ]

    private func feeds(_ server: Server) async throws -> [String] {
        var bodies: [String] = []
        for path in Self.feeds { bodies.append(try await server.feedText(path)) }
        return bodies
    }

    private var migrations: [String] { ["--migrations", Programs.root.appendingPathComponent("Migrations").path] }

    private func gatehouse(_ arguments: String..., needsMigrations: Bool = true) async throws -> Outcome {
        try await run(
            Programs.gatehouse,
            arguments + (arguments.first == "backup" || !needsMigrations ? [] : migrations),
            environment: Server.environment
        )
    }

    /// Starts what was restored: it is sound, and goes on above what phones were told.
    private func expectGoingOn(_ server: Server, above lost: Int) async throws {
        #expect(try await server.gatehouse("verify").status == 0)
        try await server.start()
        _ = try await server.checked()
        #expect(try await server.client().status().sequence > lost)
    }

    /// The state of exactly one sequence comes back, feeds byte by byte, whoever made the backup; and no phone sees a sequence twice.
    @Test func aBackupUnderChangesIsRestoredIntoAnEmptyFolder() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop(options: "--backup-dir", place.path + "/backups", "--backup-every", "1d")
        // The clock makes one at the start, and there is one at a time.
        try await waitUntil("the clock has made its first backup") { try await !server.client().backups().isEmpty }
        let isDone = Mutex(false)
        // What phones get at each sequence, and how long a change takes beside backups.
        let storm = Task { () async throws -> (bodies: [Int: [String]], slowest: Duration, count: Int) in
            var (bodies, slowest): ([Int: [String]], Duration) = ([:], .zero)
            let client = try server.client()
            var revision = 1
            while !isDone.withLock({ $0 }) || revision < 40 {
                let begun = ContinuousClock.now
                let change = try await client.kill(revision.isMultiple(of: 2) ? nil : "Text \(revision)", at: revision).change
                slowest = max(slowest, ContinuousClock.now - begun)
                revision += 1
                bodies[try #require(change?.sequence)] = try await feeds(server)
            }
            return (bodies, slowest, revision)
        }
        var made: [String] = []
        for number in 1...4 {
            if number.isMultiple(of: 2) {
                let file = place.path + "/\(number).backup"
                let outcome = try await gatehouse("backup", "--data", server.data, "--out", file)
                #expect(outcome.status == 0, "\(outcome)")
                made.append(file)
            } else {
                made.append(place.path + "/backups/" + (try await server.createBackup().name))
            }
        }
        isDone.withLock { $0 = true }
        let (bodies, slowest, _) = try await storm.value
        #expect(slowest < .seconds(3), "on a machine that others use too")
        let last = try await server.client().status().sequence
        await server.kill()
        #expect(try await server.gatehouse("verify").status == 0)
        try FileManager.default.moveItem(atPath: server.data, toPath: place.path + "/lost")

        var (highest, compared) = (last, 0)
        for file in made {
            let verified = try await gatehouse("verify", "--from", file)
            #expect(verified.status == 0, "\(verified)")
            let words = verified.out.split(whereSeparator: { !$0.isNumber })
            let sequence = try #require(words.first.flatMap { Int($0) })
            let restored = try await gatehouse("restore", "--data", server.data, "--from", file)
            #expect(restored.status == 0, "\(restored)")
            #expect(restored.out.contains("It ends with change \(sequence)."))
            #expect(try await server.gatehouse("verify").status == 0)
            try await server.start()
            if let wanted = bodies[sequence] {
                #expect(try await feeds(server) == wanted)
                compared += 1
            }
            let client = try server.client()
            _ = try await server.checked()
            let revision = try await client.target("shop", "ios").target.revision
            let change = try #require(try await client.kill("Again \(file.count)", at: revision).change)
            #expect(change.sequence > highest)
            highest = change.sequence
            #expect(await server.stop() == 0)
        }
        #expect(compared > 0, "of \(made.count) backups")
    }

    /// What is lost is said, clients that saw it begin anew, and what was there is kept.
    @Test func aRestoreInPlaceTellsWhatIsLost() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        let file = place.path + "/one.backup"
        #expect(try await gatehouse("backup", "--data", server.data, "--out", file).status == 0)
        _ = try await server.client().kill("Back at nine.", at: 1)
        let lost = try await server.client().status().sequence
        let busy = try await gatehouse("restore", "--data", server.data, "--from", file)
        #expect(busy.status == 1)
        #expect(busy.err.contains("in use"), "\(busy)")
        let trial = try await gatehouse("restore", "--data", server.data, "--from", file, "--dry-run")
        #expect(trial.out.contains("Change \(lost) is lost:"), "\(trial)")
        await server.stop()
        let outcome = try await gatehouse("restore", "--data", server.data, "--from", file)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.out.contains("Change \(lost) is lost:"), "\(outcome)")
        #expect(outcome.out.contains("shop/ios"), "\(outcome)")
        #expect(outcome.out.contains("What was there is kept in \(server.data)/before-restore-"), "\(outcome)")
        #expect(outcome.out.contains("all sessions have ended"), "\(outcome)")
        try await server.start()
        let client = try server.client()
        #expect(try await server.checked().state == .ok)
        #expect(try await client.events(after: lost).reset)
        let change = try await client.change(try await client.status().sequence)
        #expect(change.kind == .restore)
        #expect(change.skipped == 1)
        #expect(try await server.feedText("/feeds/shop/ios/bellerophon.json").contains(#""apiInactive":false"#))
        await server.stop()
        #expect(try await server.gatehouse("verify").status == 0)
    }

    /// Starts a program and sends it a signal as soon as something is so; what ends before gets none.
    @discardableResult
    private func killed(
        _ arguments: [String],
        with signal: Int32 = SIGKILL,
        temporary: String? = nil,
        when isTime: () -> Bool
    ) async throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.gatehouse)
        process.arguments = arguments
        process.environment = Server.environment.merging(temporary.map { ["TMPDIR": $0] } ?? [:]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(60)
        while process.isRunning, !isTime(), ContinuousClock.now < end {}
        #expect(ContinuousClock.now < end, "\(arguments) did not come that far")
        if process.isRunning { kill(process.processIdentifier, signal) }
        let watch = killing(process, after: .seconds(60))
        defer { watch.cancel() }
        await ended(process)
        return process
    }

    private func size(_ path: String) -> Int? { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int }  // none is nil

    /// However early or late it is killed: no file under the backup's name, or a sound one.
    @Test func aBackupThatIsKilledLeavesNoHalfFile() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        let file = place.path + "/one.backup"
        let moments: [() -> Bool] = [
            { true }, { size(file + ".new") != nil }, { size(file + ".copy") != nil }, { size(file + ".copy") ?? 0 > 0 },
            { size(file + ".copy") ?? 0 > 100_000 },
            { size(file + ".new") ?? 0 > 0 }, { size(file + ".new") ?? 0 > 100_000 }, { size(file) != nil },
        ]
        for round in 0..<2 * moments.count {
            try? FileManager.default.removeItem(atPath: file)  // there is none after most rounds
            try await killed(["backup", "--data", server.data, "--out", file], when: moments[round % moments.count])
            guard size(file) != nil else { continue }
            #expect(try await gatehouse("verify", "--from", file).status == 0, "round \(round)")
        }
        #expect(try await gatehouse("backup", "--data", server.data, "--out", file).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["one.backup"], "what was left behind is gone")
        _ = try await server.client().kill("Back.", at: 1)
        await server.stop()
        #expect(try await server.gatehouse("verify").status == 0)
    }

    /// The same until the signal comes in time: these programs take a few milliseconds, and whoever watches them may be put aside as long.
    /// - Parameter isLate: whether it had done its work when the signal came; called after each.
    private func interrupted(
        _ arguments: [String],
        with signal: Int32,
        temporary: String? = nil,
        when isTime: () -> Bool,
        unless isLate: () -> Bool = { false }
    ) async throws -> Process {
        for _ in 0..<50 {
            let stopped = try await killed(arguments, with: signal, temporary: temporary, when: isTime)
            let late = isLate()
            if stopped.terminationReason == .uncaughtSignal, !late { return stopped }
            #expect(stopped.terminationReason == .uncaughtSignal || stopped.terminationStatus == 0)
        }
        throw Outrun()
    }

    /// The program has always ended before the signal.
    private struct Outrun: Error {}

    /// Somebody who presses Ctrl-C leaves no unencrypted copy behind, and the shell learns of the signal.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aCommandThatASignalEndsLeavesNoCopyOfSecrets(signal: Int32) async throws {
        let (place, temporary) = (try TemporaryFolder(), try TemporaryFolder())
        let server = try await Server.withShop()
        let file = place.path + "/one.backup"
        var stopped = try await interrupted(
            ["backup", "--data", server.data, "--out", file, "--with-keys"],
            with: signal,
            when: { size(file + ".copy") ?? 0 > 0 },
            unless: { unlink(file) == 0 }
        )
        #expect(stopped.terminationReason == .uncaughtSignal)
        #expect(stopped.terminationStatus == signal)
        let left = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(left.isEmpty)

        #expect(try await gatehouse("backup", "--data", server.data, "--out", file).status == 0)
        func extracted() -> Bool {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []  // there at every moment
            return names.contains { size("\(temporary.path)/\($0)/gatehouse.sqlite") ?? 0 > 0 }
        }
        stopped = try await interrupted(
            ["verify", "--from", file] + migrations,
            with: signal,
            temporary: temporary.path,
            when: extracted
        )
        #expect(stopped.terminationReason == .uncaughtSignal)
        #expect(stopped.terminationStatus == signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    /// Whatever size it comes to an end at: the copy is unencrypted, and a signal that the limit sends must not leave it there.
    @Test(arguments: [1, 16, 64]) func whereFilesMayNotGrowNothingIsLeftOfABackup(kibibytes: Int) async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        let command = "ulimit -f \(2 * kibibytes) && exec \"$0\" backup --data \"$1\" --out \"$2\""
        let words = ["-c", command, Programs.gatehouse, server.data, place.path + "/one.backup"]
        let outcome = try await run("/bin/sh", words, environment: Server.environment)
        #expect(outcome.status == 1 && outcome.err.contains("ulimit -f"), "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
    }

    /// Who writes `-` means a pipe, and would find a file of that name beside nothing in the pipe.
    @Test func aBackupIsNoStream() async throws {
        let server = try await Server.withShop()
        let outcome = try await gatehouse("backup", "--data", server.data, "--out", "-")
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("not to standard output: --out FILE"), "\(outcome.err)")
    }

    /// The same for a restore: restoring again mends it, whatever the first one had done.
    @Test func aRestoreThatIsKilledCanBeRunAgain() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        let (file, data) = (place.path + "/one.backup", server.data)
        #expect(try await gatehouse("backup", "--data", data, "--out", file).status == 0)
        _ = try await server.client().kill("Back.", at: 1)
        let lost = try await server.client().status().sequence
        await server.stop()
        func isAside(_ name: String) -> Bool {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []  // there at every moment
            return names.contains { $0.hasPrefix("before-restore-") && size("\(data)/\($0)/\(name)") != nil }
        }
        let moments: [() -> Bool] = [
            { size(data + "/restore.new/gatehouse.sqlite") != nil }, { size(data + "/restore.new/anchor.json") != nil },
            { isAside("keys") },
            { size(data + "/keys/rows.key.next") != nil }, { isAside("gatehouse.sqlite") }, { size(data + "/keys/rows.key.old") != nil },
            { isAside("publication") },
        ]
        for moment in moments { try await killed(["restore", "--data", data, "--from", file] + migrations, when: moment) }
        let outcome = try await gatehouse("restore", "--data", data, "--from", file)
        #expect(outcome.status == 0, "\(outcome)")
        try await expectGoingOn(server, above: lost)
        #expect(try await server.client().target("shop", "ios").target.gate == .open)
    }

    @Test func theServerKeepsBackupsByItselfAndListsThem() async throws {
        let place = try TemporaryFolder()
        let folder = place.path + "/backups"
        let server = try await Server.withShop(options: "--backup-dir", folder, "--backup-every", "1d", "--backup-keep", "3")
        let client = try server.client()
        try await waitUntil("the clock has made its first backup") { try await !client.backups().isEmpty }
        let gatectl = try Gatectl(server)
        // Then the clock's own first one is over.
        _ = try await server.createBackup()
        let created = try await gatectl("backup", "create", "--json")
        #expect(created.status == 0, "\(created)")
        let name = try #require(try created.json()["name"]?.string)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        #expect(try created.json()["bytes"]?.integer == bytes.count)
        let sum = try await run("/usr/bin/sha256sum", [folder + "/" + name], environment: Server.environment)
        #expect(sum.out.hasPrefix(try created.json()["sha256"]?.string ?? "?"))
        let listed = try await gatectl("backup", "list", "-o", "plain")
        #expect(listed.out.hasPrefix(name + "\t"), "\(listed)")
        for _ in 1...4 { _ = try await server.createBackup() }
        #expect(try await client.backups().count == 3)
        let page = String(decoding: try await client.raw("/metrics").body, as: UTF8.self)
        #expect(page.contains("\ngatehouse_backup_age_seconds "))
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    /// The private half never was on the server.
    @Test func encryptedBackupsAreRestoredWithTheOtherHalf() async throws {
        let place = try TemporaryFolder()
        let made = try await gatehouse("backup-key", "--out", place.path + "/key", needsMigrations: false)
        #expect(made.status == 0, "\(made)")
        let again = try await gatehouse("backup-key", "--out", place.path + "/key", needsMigrations: false)
        #expect(again.status == 1, "a key is never written over")
        let key = made.out.trimmingCharacters(in: .whitespacesAndNewlines)
        let server = try await Server.withShop(options: "--backup-dir", place.path + "/backups", "--backup-encrypt-to", key)
        let file = place.path + "/backups/" + (try await server.createBackup().name)
        await server.stop()
        #expect(try await gatehouse("verify", "--from", file).out.contains("It is encrypted to \(key)"))
        let refused = try await gatehouse("restore", "--data", server.data, "--from", file)
        #expect(refused.err.contains("with --key"), "\(refused)")
        let restored = try await gatehouse("restore", "--data", server.data, "--from", file, "--key", place.path + "/key")
        #expect(restored.status == 0, "\(restored)")
        #expect(try await server.gatehouse("verify").status == 0)
    }

    /// One of 64 does.
    @Test func aKeyMayBeginWithAHyphen() async throws {
        let place = try TemporaryFolder()
        let key = "-" + String(repeating: "A", count: 42)
        let server = try await Server.withShop(options: "--backup-dir", place.path + "/backups", "--backup-encrypt-to", key)
        let file = place.path + "/backups/" + (try await server.createBackup().name)
        #expect(try await gatehouse("verify", "--from", file).out.contains("It is encrypted to \(key)"))
        let made = try await gatehouse("backup", "--data", server.data, "--out", place.path + "/one.backup", "--encrypt-to", key)
        #expect(made.status == 0, "\(made)")
    }

    @Test func withoutAFolderABackupIsRefusedWithTheRemedy() async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl("backup", "create")
        #expect(outcome.status == 8, "\(outcome)")
        #expect(outcome.err.contains("--backup-dir"), "\(outcome)")
        let nowhere = try await gatehouse("backup", "--data", gatectl.server.data, "--out", "/nowhere/one.backup")
        #expect(nowhere.err.hasSuffix("Name a file in a folder that is there and can be written.\n"), "\(nowhere)")
        for options in [
            ["--backup-every", "1h"], ["--backup-dir", gatectl.home.path, "--backup-every", "soon"],
            ["--backup-dir", gatectl.home.path, "--backup-keep", "0"],
        ] {
            let refused = try await run(
                Programs.gatehouse,
                ["serve", "--data", gatectl.home.path + "/data"] + options + Server.assets,
                environment: Server.environment
            )
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.err.contains(options.count == 2 ? "--backup-dir" : options[2]), "\(refused)")
        }
    }

    /// An older database that somebody put in place by hand is made a backup and restored: that goes on above what phones were told.
    @Test func anOlderDatabaseThatWasPutInPlaceIsLedToTheRightCommand() async throws {
        let place = try TemporaryFolder()
        let server = try await Server.withShop()
        await server.stop()
        try FileManager.default.copyItem(atPath: server.data + "/gatehouse.sqlite", toPath: place.path + "/older.sqlite")
        try await server.start()
        _ = try await server.client().kill("Back.", at: 1)
        let lost = try await server.client().status().sequence
        await server.stop()
        try FileManager.default.removeItem(atPath: server.data + "/gatehouse.sqlite")
        try FileManager.default.copyItem(atPath: place.path + "/older.sqlite", toPath: server.data + "/gatehouse.sqlite")
        try await server.start()
        #expect(try server.log.contains("gatehouse restore --data \(server.data) --from FILE"))
        await server.stop()
        let verified = try await server.gatehouse("verify")
        #expect(verified.err.contains("gatehouse backup --data \(server.data) --out FILE"), "\(verified)")
        let file = place.path + "/older.backup"
        #expect(try await gatehouse("backup", "--data", server.data, "--out", file).status == 0)
        let restored = try await gatehouse("restore", "--data", server.data, "--from", file)
        #expect(restored.status == 0, "\(restored)")
        try await expectGoingOn(server, above: lost)
    }
}
