import Foundation
import GateCrypto
import GateJSON
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// The keys that feeds are signed with, shared by the servers of one PostgreSQL while they run. Each folder here is a server's.
@Suite(.timeLimit(.minutes(5))) struct KeyShareTests {
    /// What was told.
    private final class Notes: Sendable {
        private let all = Mutex<[String]>([])
        var count: Int { all.withLock(\.count) }
        func add(_ note: String) { all.withLock { $0.append(note) } }
    }

    /// One server: a folder, a store, what `gatehouse keys` alters, and what the server does about it.
    private final class Host: Sendable {
        let house: House
        let share: KeyShare
        let notes = Notes()
        var path: String { house.folder }
        var folder: FeedKeyFolder { FeedKeyFolder(dataFolder: path) }
        let store: Store

        init(on database: PostgresDatabase, _ secret: String) throws {
            let house = try House(server: database, start: false)
            self.house = house
            var configuration = house.configuration()
            configuration.busyTimeout = 20
            configuration.sharing = KeySharing(try SharedSecret(Array(secret.utf8)))
            store = try Store(configuration)
            share = KeyShare(folder: FeedKeyFolder(dataFolder: house.folder)) { [notes] in notes.add($0) }
        }

        deinit { try? store.close() }  // ended by its test

        func look() throws { try share.look(at: store) }

        @discardableResult
        func add(at seconds: Int64 = 0) throws -> String {
            let at = TestClock().now.advanced(bySeconds: seconds)
            return try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: at) }.id
        }

        func activate(_ id: String, at seconds: Int64 = 0) throws {
            let at = TestClock().now.advanced(bySeconds: seconds)
            _ = try folder.change { ring throws(ServiceError) in try ring.activate(id, at: at) }
        }

        func ring() throws -> FeedKeyRing? { try folder.read() }
        var file: String { path + "/keys/signing.json" }
    }

    private let database: PostgresDatabase
    private let secret = SharedSecret.make(random: .system)

    init() throws { database = try PostgresCluster.shared().database() }

    private func hosts(_ count: Int = 2) throws -> [Host] { try (0..<count).map { _ in try Host(on: database, secret) } }

    /// Everybody has the same, and it stays so.
    private func expectEqual(_ hosts: [Host]) throws -> FeedKeyRing? {
        for _ in 0..<2 { for host in hosts { try host.look() } }
        let first = try hosts[0].ring()
        for host in hosts { #expect(try host.ring()?.fileBytes == first?.fileBytes) }
        let before = hosts.map(\.notes.count)
        for host in hosts { try host.look() }
        #expect(hosts.map(\.notes.count) == before, "There is nothing left to do.")
        return first
    }

    @Test func whatIsDoneToOneFolderReachesAll() throws {
        let hosts = try hosts(3)
        #expect(try expectEqual(hosts) == nil)
        let one = try hosts[0].add()
        #expect(try expectEqual(hosts)?.active?.id == one)
        let mode = try FileManager.default.attributesOfItem(atPath: hosts[2].file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let two = try hosts[1].add(at: 1)
        #expect(try expectEqual(hosts)?.keys.map(\.id) == [one, two])
        try hosts[2].activate(two, at: 2)
        #expect(try expectEqual(hosts)?.active?.id == two)
        // Back again: what a ring was once is not what it is.
        try hosts[0].activate(one, at: 3)
        #expect(try expectEqual(hosts)?.active?.id == one)
        // Who starts now has them before its first feed.
        let late = try Host(on: database, secret)
        try late.look()
        #expect(try late.ring()?.fileBytes == hosts[0].ring()?.fileBytes)
    }

    @Test func ofTwoChangesAtOnceNoneIsLost() throws {
        let hosts = try hosts()
        let first = try hosts[0].add()
        _ = try expectEqual(hosts)
        let (here, there) = (try hosts[0].add(at: 1), try hosts[1].add(at: 2))
        var ring = try expectEqual(hosts)
        #expect(Set(ring?.keys.map(\.id) ?? []) == [first, here, there])
        #expect(ring?.active?.id == first)
        // Each has another one sign: the one that was said last does.
        try hosts[0].activate(here, at: 10)
        try hosts[1].activate(there, at: 9)
        ring = try expectEqual(hosts)
        #expect(ring?.active?.id == here)
        #expect(ring?.keys.count == 3 && ring?.keys.filter { $0.state == .retired }.count == 2)
    }

    /// Nobody had any, and each makes the first.
    @Test func twoFirstKeysAtOnceAreBothKept() throws {
        let hosts = try hosts()
        _ = try expectEqual(hosts)
        let (here, there) = (try hosts[0].add(), try hosts[1].add(at: 1))
        let ring = try expectEqual(hosts)
        #expect(ring?.keys.map(\.id) == [here, there])
        #expect(ring?.active?.id == there)
    }

    /// Whatever comes between: each server alters and looks as it likes, all at the same time.
    @Test func whatManyDoAtOnceIsAllKept() throws {
        let hosts = try hosts(3)
        _ = try expectEqual(hosts)
        let made = Mutex<Set<String>>([])
        let faults = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            let host = hosts[index / 2]
            for round in 0..<5 {
                do {
                    if index.isMultiple(of: 2) {
                        let id = try host.add(at: Int64(index * 10 + round))
                        made.withLock { _ = $0.insert(id) }
                    }
                    try host.look()
                } catch let error as StoreError where error.code == .busy {
                    // Told, and tried again a second later.
                    continue
                } catch { faults.withLock { $0.append("\(error)") } }
            }
        }
        #expect(faults.withLock { $0 } == [])
        for _ in 0..<3 { for host in hosts { try host.look() } }
        let ring = try expectEqual(hosts)
        #expect(Set(ring?.keys.map(\.id) ?? []) == made.withLock { $0 })
        #expect(made.withLock(\.count) == 15)
        #expect(ring?.keys.filter { $0.state == .active }.count == 1)
    }

    /// `gatehouse keys` on a folder whose server is down.
    @Test func whatWasDoneBetweenTwoRunsIsShared() throws {
        let hosts = try hosts()
        let one = try hosts[0].add()
        _ = try expectEqual(hosts)
        let two = try hosts[1].add(at: 1)
        let restarted = KeyShare(folder: hosts[1].folder) { _ in }
        try restarted.look(at: hosts[1].store)
        try hosts[0].look()
        #expect(try hosts[0].ring()?.keys.map(\.id) == [one, two])
    }

    // MARK: What is not right

    @Test func keysOfTwoFoldersThatNeverWereOneAreNotMixed() throws {
        let (here, there) = (try Host(on: database, secret), try Host(on: database, secret))
        // As two servers without a secret have them.
        let (one, two) = (try here.add(), try there.add(at: 1))
        try here.look()
        let before = try #require(FileManager.default.contents(atPath: there.file))
        let error = try #require(throws: StoreError.self) { try there.look() }
        #expect(error.code == .keysAtOdds)
        #expect("\(error)".contains(one) && "\(error)".contains(two) && "\(error)".contains("signing.json"))
        #expect(FileManager.default.contents(atPath: there.file) == before)
        try here.look()
        #expect(try here.ring()?.keys.map(\.id) == [one])
        // As it says.
        try FileManager.default.moveItem(atPath: there.file, toPath: there.path + "/mine.json")
        try there.look()
        #expect(try there.ring()?.active?.id == one)
    }

    /// Copied by hand before there was a secret, and altered on one of them since.
    @Test func foldersThatWereCopiedAreJoined() throws {
        let (here, there) = (try Host(on: database, secret), try Host(on: database, secret))
        let one = try here.add()
        try FileManager.default.copyItem(atPath: here.file, toPath: there.file)
        let two = try here.add(at: 1)
        try here.activate(two, at: 2)
        try there.look()
        try here.look()
        #expect(try expectEqual([here, there])?.active?.id == two)
        #expect(try there.ring()?.keys.map(\.id) == [one, two])
    }

    /// An older dump was restored, or somebody put an old row back: what the servers know goes on.
    @Test(arguments: ["older", "gone"]) func anOlderRowIsReplacedByWhatTheServersHave(_ what: String) throws {
        let hosts = try hosts()
        let one = try hosts[0].add()
        _ = try expectEqual(hosts)
        try database.cluster.run("CREATE TABLE kept AS SELECT * FROM shared_keys WHERE name = 'signing.json'", in: database.name)
        let two = try hosts[0].add(at: 1)
        try hosts[0].activate(two, at: 2)
        _ = try expectEqual(hosts)
        try database.cluster.run("DELETE FROM shared_keys WHERE name = 'signing.json'", in: database.name)
        if what == "older" { try database.cluster.run("INSERT INTO shared_keys SELECT * FROM kept", in: database.name) }
        #expect(try expectEqual(hosts)?.active?.id == two)
        #expect(try hosts[0].store.sharedKeyRevisions()["signing.json"] == 3)
        #expect(try hosts[0].ring()?.keys.map(\.id) == [one, two])
        try database.cluster.run("DROP TABLE kept", in: database.name)
    }

    @Test func aRowThatNobodyCanOpenLeavesTheKeysThatThereAre() throws {
        let hosts = try hosts()
        let one = try hosts[0].add()
        _ = try expectEqual(hosts)
        try database.cluster.run(
            "UPDATE shared_keys SET revision = revision + 1, sealed = sealed || '\\x00' WHERE name = 'signing.json'",
            in: database.name
        )
        for host in hosts {
            let error = try #require(throws: StoreError.self) { try host.look() }
            #expect(error.code == .keysAtOdds && error.detail.contains("signing.json"))
            #expect(try host.ring()?.active?.id == one)
        }
        // As the message says.
        try database.cluster.run("DELETE FROM shared_keys WHERE name = 'signing.json'", in: database.name)
        #expect(try expectEqual(hosts)?.active?.id == one)
    }

    @Test func aFileThatIsGoneComesBack() throws {
        let hosts = try hosts()
        let one = try hosts[0].add()
        _ = try expectEqual(hosts)
        try FileManager.default.removeItem(atPath: hosts[1].file)
        #expect(try expectEqual(hosts)?.active?.id == one)
    }

    /// A file that cannot be read is told of by ``FeedSigner``; nothing is put in its place, and nothing of it is shared.
    @Test func aDamagedFileIsLeftAlone() throws {
        let hosts = try hosts()
        let one = try hosts[0].add()
        _ = try expectEqual(hosts)
        try Data("{".utf8).write(to: URL(filePath: hosts[1].file))
        for host in hosts { try host.look() }
        #expect(FileManager.default.contents(atPath: hosts[1].file) == Data("{".utf8))
        #expect(try hosts[0].ring()?.active?.id == one)
    }

    @Test func withoutASecretNothingIsShared() throws {
        let house = try House(server: database)
        let store = try #require(house.ledger.store)
        let folder = FeedKeyFolder(dataFolder: house.folder)
        _ = try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: TestClock().now) }
        try KeyShare(folder: folder) { _ in Issue.record("nothing is shared") }.look(at: store)
        #expect(try store.sharedKeyRevisions() == [:])
    }

    // MARK: Joining

    @Test func joiningIsTheSameInAnyOrderAndTwice() throws {
        var ring = FeedKeyRing()
        let now = TestClock().now
        let ids = try (0..<4).map { try ring.add(random: .system, at: now.advanced(bySeconds: Int64($0))).id }
        let base = ring
        var (one, two) = (base, base)
        #expect(try one.activate(ids[1], at: now.advanced(bySeconds: 20)))
        #expect(try one.retire(ids[2], at: now.advanced(bySeconds: 21)))
        let new = try one.add(random: .system, at: now.advanced(bySeconds: 22)).id
        #expect(try two.activate(ids[3], at: now.advanced(bySeconds: 19)))
        let joined = try FeedKeyRing(joining: one, with: two, areRelated: true)
        #expect(try FeedKeyRing(joining: two, with: one, areRelated: true).fileBytes == joined.fileBytes)
        #expect(try FeedKeyRing(joining: two, with: joined, areRelated: true).fileBytes == joined.fileBytes)
        #expect(try FeedKeyRing(joining: joined, with: one, areRelated: true).fileBytes == joined.fileBytes)
        #expect(joined.active?.id == ids[1])
        #expect(joined.keys.map(\.id) == ids + [new])
        #expect(joined.keys.map(\.state) == [.retired, .active, .retired, .retired, .next])
        // It is a ring that can be read again.
        #expect(FeedKeyRing(fileBytes: joined.fileBytes) != nil)
    }

    @Test func noMoreThanARingHolds() throws {
        let now = TestClock().now
        func full(retired: Int) throws -> FeedKeyRing {
            var ring = FeedKeyRing()
            for number in 0..<20 { _ = try ring.add(random: .system, at: now.advanced(bySeconds: Int64(number))) }
            for key in ring.keys.dropFirst().prefix(retired) { _ = try ring.retire(key.id, at: now.advanced(bySeconds: 30)) }
            return ring
        }
        let joined = try FeedKeyRing(joining: full(retired: 10), with: full(retired: 10), areRelated: true)
        #expect(joined.keys.count == FeedKeyRing.most)
        #expect(joined.keys.filter { $0.state != .retired }.count == 19)
        let error = try #require(throws: ServiceError.self) {
            _ = try FeedKeyRing(joining: full(retired: 0), with: full(retired: 0), areRelated: true)
        }
        #expect(error.word == "too_many_keys")
    }
}
