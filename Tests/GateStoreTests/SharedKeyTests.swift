import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

/// Keys that servers share by a secret, on a real PostgreSQL: each folder here is a server's.
@Suite(.timeLimit(.minutes(5))) struct SharedKeyTests {
    private let database: PostgresDatabase
    private let secret = SharedSecret.make(random: .system)

    init() throws { database = try PostgresCluster.shared().database() }

    private func folder() throws -> Scratch { try Scratch(server: database) }

    private func sharing(_ secret: String? = nil) throws -> KeySharing {
        KeySharing(try SharedSecret(Array((secret ?? self.secret).utf8)))
    }

    private func open(_ folder: Scratch, secret: String? = nil) throws -> Store {
        let sharing = try sharing(secret)
        return try folder.store { configuration in
            configuration.sharing = sharing
            configuration.random = .system
            configuration.busyTimeout = 20
        }
    }

    /// A server that was never told of a secret.
    private func openAlone(_ folder: Scratch) throws -> Store { try folder.store { $0.random = .system } }

    private func audit(_ action: String = "a") -> AuditEntry {
        AuditEntry(at: Timestamp(milliseconds: World.start), actor: nil, action: action, requestId: "r")
    }

    private func add(_ name: String, to store: Store) throws {
        _ = try store.createUser(
            NewUser(
                name: name,
                role: .admin,
                passwordHash: PasswordHash(stored: "$argon2id$"),
                createdAt: Timestamp(milliseconds: World.start)
            ),
            audit: audit()
        )
    }

    private func bytes(_ folder: Scratch, _ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: folder.data + "/keys/" + name).map(Array.init)
    }

    private func keys(_ folder: Scratch) -> [[UInt8]?] { SharedKeyWork.names.map { bytes(folder, $0) } }

    private func write(_ bytes: [UInt8], _ name: String, _ folder: Scratch) throws {
        try FileManager.default.createDirectory(atPath: folder.data + "/keys", withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: folder.data + "/keys/" + name))
    }

    private func tamper(_ sql: String) throws { try database.cluster.run(sql, in: database.name) }

    private func rows() throws -> String {
        try database.cluster.run(
            "SELECT string_agg(name || revision || sealed::text, ' ' ORDER BY name) FROM shared_keys",
            in: database.name
        )
    }

    /// Everything in a folder's keys, and their bytes.
    private func contents(_ folder: Scratch) throws -> [String: [UInt8]?] {
        let path = folder.data + "/keys"
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: path).map { ($0, bytes(folder, $0)) }
        )
    }

    // MARK: Starting

    @Test func anEmptyFolderGetsTheKeysOfTheFirst() throws {
        let (one, two) = try (folder(), folder())
        let here = try open(one)
        try add("ann", to: here)
        let there = try open(two)
        #expect(keys(two) == keys(one))
        #expect(keys(two).allSatisfy { $0?.count == 32 } && Set(keys(two)).count == 3)
        for name in SharedKeyWork.names + ["shared.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: two.data + "/keys/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        #expect(try there.users().map(\.mayEnter) == [true])
        try add("ben", to: there)
        try add("eve", to: here)
        #expect(try here.doubts().isEmpty && there.doubts().isEmpty)
        try there.close()
        #expect(try Store.verify(directory: two.data, server: two.address, migrations: Scratch.migrations) == [])
        // Again, with nothing new.
        let before = (try rows(), try contents(two))
        #expect(try open(two).keyNotes == [])
        #expect((try rows(), try contents(two)) == before)
    }

    @Test func withoutASecretEachFolderHasItsOwn() throws {
        let (one, two) = try (folder(), folder())
        try add("ann", to: openAlone(one))
        #expect(try contents(one).keys.sorted() == ["rows.key"])
        #expect(code { _ = try openAlone(two).users() } == .keyMissing)
        #expect(try rows().trimmingCharacters(in: .whitespacesAndNewlines) == "")
    }

    /// A database that was served without, and the folder that belongs to it.
    @Test func theKeysThatAFolderHasAreThoseOfAll() throws {
        let (one, two) = try (folder(), folder())
        let alone = try openAlone(one)
        try add("ann", to: alone)
        try alone.close()
        let own = [UInt8](1...32)
        try write(own, "totp.key", one)
        let row = try #require(bytes(one, "rows.key"))
        let here = try open(one)
        #expect(here.keyNotes.count == 3)
        #expect(bytes(one, "rows.key") == row && bytes(one, "totp.key") == own)
        let there = try open(two)
        #expect(keys(two) == keys(one))
        #expect(try there.users().count == 1)
    }

    @Test func serversThatStartAtOnceOnAnEmptyDatabaseAgree() throws {
        let folders = try (0..<4).map { _ in try folder() }
        let stores = Mutex<[Store]>([])
        let faults = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: folders.count) { index in
            do {
                let store = try open(folders[index])
                try add("person\(index)", to: store)
                stores.withLock { $0.append(store) }
            } catch { faults.withLock { $0.append("\(error)") } }
        }
        #expect(faults.withLock { $0 } == [])
        #expect(Set(folders.map { keys($0) }).count == 1)
        for store in stores.withLock({ $0 }) {
            #expect(try store.users().filter(\.mayEnter).count == 4)
            #expect(try store.doubts().isEmpty)
        }
    }

    // MARK: Starts that are refused

    /// What is done to a database that a first server has left, and to the folder that starts on it.
    enum Damage: CaseIterable {
        case wrongSecret, alteredRow, swappedRows, oldRowUnderANewNumber, foreignRow, rowOfAnotherDatabase
        case otherRowsKey, otherFactorsKey, noKey, allRowsGone, oneRowGone, lostFactors
    }

    @Test(arguments: Damage.allCases) func whatDoesNotBelongTogetherIsNamedAndLeftAsItIs(_ damage: Damage) throws {
        let (one, two) = try (folder(), folder())
        let here = try damage == .noKey || damage == .lostFactors ? openAlone(one) : open(one)
        try add("ann", to: here)
        try here.close()
        var (start, given, word) = (two, secret, "shared_keys")
        switch damage {
        case .wrongSecret:
            given = SharedSecret.make(random: .system)
            word = "--keys-secret-file"
        case .alteredRow: try tamper("UPDATE shared_keys SET sealed = sealed || '\\x00' WHERE name = 'device.key'")
        case .swappedRows:
            try tamper(
                """
                UPDATE shared_keys a SET sealed = b.sealed FROM shared_keys b
                WHERE (a.name, b.name) IN (('rows.key', 'totp.key'), ('totp.key', 'rows.key'))
                """
            )
        case .oldRowUnderANewNumber: try tamper("UPDATE shared_keys SET revision = 2 WHERE name = 'rows.key'")
        case .foreignRow: try tamper("INSERT INTO shared_keys VALUES ('signing.json', 1, sha256('mine') || sha256('mine'))")
        case .rowOfAnotherDatabase:
            // The same secret, used twice.
            let key = SharedKey(name: "totp.key", revision: 1, bytes: [UInt8](repeating: 1, count: 32))
            let sealed = try sharing().seal(key, of: [UInt8](repeating: 9, count: 16), random: .system)
            try tamper("UPDATE shared_keys SET sealed = '\\x\(Hexadecimal.encode(sealed))' WHERE name = 'totp.key'")
        case .otherRowsKey:
            try write([UInt8](1...32), "rows.key", two)
            word = two.data + "/keys/rows.key"
        case .otherFactorsKey:
            try write([UInt8](1...32), "totp.key", two)
            word = two.data + "/keys/totp.key"
        case .noKey: word = two.data + "/keys/rows.key"
        case .allRowsGone:
            try tamper("DELETE FROM shared_keys")
            word = two.data + "/keys/rows.key"
        case .oneRowGone:
            try tamper("DELETE FROM shared_keys WHERE name = 'totp.key'")
            word = "totp.key"
        case .lostFactors:
            try tamper("UPDATE users SET totp_secret = '\\x00'")
            start = one
            word = one.data + "/keys/totp.key"
        }
        let before = (try rows(), try contents(start))
        let error = try #require(throws: StoreError.self) { _ = try open(start, secret: given) }
        #expect(error.code == .keysAtOdds)
        #expect("\(error)".contains(word), "\(error)")
        #expect(!"\(error)".contains(given))
        let after = (try rows(), try contents(start))
        #expect(after == before)
        // The server that has all keys starts, but for the rows that somebody has to look at.
        let isFirstFine = [.wrongSecret, .otherRowsKey, .otherFactorsKey, .noKey, .allRowsGone, .oneRowGone].contains(damage)
        if isFirstFine {
            let store = try open(one)
            #expect(try store.users().map(\.mayEnter) == [true])
            try store.close()
            if damage == .otherRowsKey || damage == .otherFactorsKey { try FileManager.default.removeItem(atPath: two.data + "/keys") }
            // And now the second does, as the message said.
            #expect(try open(two).users().map(\.mayEnter) == [true])
            #expect(keys(two) == keys(one))
        }
    }

    // MARK: A new key for the rows

    @Test(arguments: [true, false]) func aNewKeyReachesTheOthersAtTheirNextStart(isShared: Bool) throws {
        let (one, two) = try (folder(), folder())
        let here = try open(one)
        try add("ann", to: here)
        try here.close()
        try open(two).close()
        let old = try #require(bytes(two, "rows.key"))
        // The console may know the secret or not; the server that starts first knows it.
        let console = try isShared ? open(one) : openAlone(one)
        try console.signAnew(.kept, newKey: true) { _, _ in audit("rows.sign") }
        try add("ben", to: console)
        try console.close()
        #expect(bytes(one, "rows.key") != old)
        if !isShared { #expect(code { _ = try open(two) } == nil, "the key of before is shared still") }
        #expect(try open(one).users().filter(\.mayEnter).count == 2)
        let there = try open(two)
        #expect(keys(two) == keys(one))
        #expect(bytes(two, "rows.key.old") == old)
        #expect(try there.users().filter(\.mayEnter).count == 2)
        #expect(try there.doubts().isEmpty)
    }

    @Test func noNewKeyWhileAServerWorksWithTheOld() throws {
        let one = try folder()
        let store = try open(one)
        try add("ann", to: store)
        let began = DispatchSemaphore(value: 0)
        let watch = StoreWatch(try #require(one.address), as: "two", sequence: { 0 }, look: {}, dutyBegan: { began.signal() })
        #expect(began.wait(timeout: .now() + 60) == .success)
        let before = (try rows(), bytes(one, "rows.key"))
        #expect(code { try store.signAnew(.kept, newKey: true) { _, _ in audit() } } == .conflict)
        #expect((try rows(), bytes(one, "rows.key")) == before)
        watch.stop()
        try store.signAnew(.kept, newKey: true) { _, _ in audit() }
        #expect(try store.users().map(\.mayEnter) == [true])
        #expect(bytes(one, "rows.key") != before.1)
    }

    /// Who has an old dump must not have the stolen key back in force.
    @Test func aDatabaseOfBeforeTheNewKeyIsRefused() throws {
        let one = try folder()
        let first = try open(one)
        try add("ann", to: first)
        try first.close()
        let dumped = try database.cluster.database("TEMPLATE \(database.name)")
        let second = try open(one)
        try second.signAnew(.kept, newKey: true) { _, _ in audit() }
        try second.close()
        let (sharing, address) = (try sharing(), try DatabaseServer(dumped.url))
        let error = #expect(throws: StoreError.self) {
            _ = try one.store { ($0.sharing, $0.server) = (sharing, address) }
        }
        #expect(error?.code == .keysAtOdds && error?.detail.contains("older") == true, "\(String(describing: error))")
        try open(one).close()
    }

    // MARK: While servers run

    @Test func whatIsGoneIsPutThereAgainAndWhatIsAnotherIsNamed() throws {
        let one = try folder()
        let store = try open(one)
        #expect(try store.keepSharedKeys() == [])
        let before = try store.sharedKeyRevisions()
        try tamper("DELETE FROM shared_keys WHERE name = 'device.key'")
        #expect(try store.keepSharedKeys().count == 1)
        #expect(try store.sharedKeyRevisions() == before.merging(["device.key": 2]) { $1 })
        #expect(try store.sharedKey("device.key")?.bytes == bytes(one, "device.key"))
        // What was the row once, with its own number.
        let old = try sharing()
        let record = try #require(try SharedKeyRecord.read(from: one.data))
        let sealed = old.seal(
            SharedKey(name: "device.key", revision: 1, bytes: [UInt8](repeating: 3, count: 32)),
            of: record.set,
            random: .system
        )
        try tamper("UPDATE shared_keys SET revision = 1, sealed = '\\x\(Hexadecimal.encode(sealed))' WHERE name = 'device.key'")
        #expect(try store.keepSharedKeys().count == 1)
        #expect(try store.sharedKey("device.key")?.revision == 3)
        #expect(try store.sharedKey("device.key")?.bytes == bytes(one, "device.key"))
        // A newer one, by somebody who has the secret.
        let newer = SharedKey(name: "rows.key", revision: 2, bytes: [UInt8](repeating: 3, count: 32))
        #expect(try store.share(newer, over: 1))
        #expect(code { _ = try store.keepSharedKeys() } == .keysAtOdds)
        try tamper("UPDATE shared_keys SET sealed = sealed || '\\x00' WHERE name = 'totp.key'")
        #expect(code { _ = try store.sharedKey("totp.key") } == .keysAtOdds)
    }

    @Test func ofTwoThatPutSomethingAtOnceOneIsTold() throws {
        let (one, two) = try (folder(), folder())
        let (here, there) = (try open(one), try open(two))
        func key(_ byte: UInt8, _ revision: Int) -> SharedKey { SharedKey(name: "signing.json", revision: revision, bytes: [byte]) }
        #expect(try here.share(key(1, 1), over: nil))
        #expect(try !there.share(key(2, 1), over: nil))
        #expect(try there.sharedKey("signing.json")?.bytes == [1])
        #expect(try there.share(key(2, 2), over: 1))
        #expect(try !here.share(key(3, 2), over: 1))
        #expect(try here.sharedKey("signing.json")?.bytes == [2])
    }

    /// All servers stopped, the rows removed, and the first started with the new one: as README.md says.
    @Test func aSecretIsChangedForAnother() throws {
        let (one, two) = try (folder(), folder())
        let here = try open(one)
        try add("ann", to: here)
        try here.close()
        try open(two).close()
        let before = keys(one)
        let next = SharedSecret.make(random: .system)
        #expect(code { _ = try open(one, secret: next) } == .keysAtOdds)
        try tamper("DELETE FROM shared_keys")
        let again = try open(one, secret: next)
        #expect(try again.sharedKeyRevisions() == ["rows.key": 2, "totp.key": 2, "device.key": 2])
        let empty = try folder()
        for folder in [two, empty] {
            #expect(try open(folder, secret: next).users().map(\.mayEnter) == [true])
            #expect(keys(folder) == before)
        }
        #expect(code { _ = try open(folder()) } == .keysAtOdds)
    }

    /// The record is knowledge and no key.
    @Test func aServerGoesOnWithoutItsRecord() throws {
        let (one, two) = try (folder(), folder())
        let (here, there) = (try open(one), try open(two))
        try FileManager.default.removeItem(atPath: SharedKeyRecord.path(in: one.data))
        let key = SharedKey(name: "signing.json", revision: 1, bytes: [1])
        #expect(try here.share(key, over: nil))
        try here.remember(key.mark, of: key.name)
        #expect(try here.sharedKeyMark(key.name) == key.mark)
        #expect(try there.sharedKey(key.name)?.bytes == [1])
        #expect(try here.keepSharedKeys() == [])
    }

    /// What no server has counted is not counted on from.
    @Test(arguments: [Int.max, (1 << 53) + 1, -1, .min]) func aRecordOfAnImpossibleRevisionIsNone(_ revision: Int) throws {
        let one = try folder()
        try open(one).close()
        var record = try #require(try SharedKeyRecord.read(from: one.data))
        for (name, mark) in record.marks { record.marks[name] = SharedKey.Mark(revision: revision, digest: mark.digest) }
        try record.write(to: one.data)
        #expect(try SharedKeyRecord.read(from: one.data) == nil)
        let store = try open(one)
        #expect(try store.keepSharedKeys() == [])
        #expect(try store.sharedKeyRevisions() == ["rows.key": 1, "totp.key": 1, "device.key": 1])
        #expect(try SharedKeyRecord.read(from: one.data)?.marks.values.map(\.revision) == [1, 1, 1])
    }

    @Test(arguments: ["rows.key", "totp.key"]) func aFileThatHoldsNoKeyIsNamed(_ name: String) throws {
        let one = try folder()
        try open(one).close()
        try write([1, 2, 3], name, one)
        let error = try #require(throws: StoreError.self) { _ = try open(one) }
        #expect(error.code == .keysAtOdds && error.detail.contains("keys/\(name)"), "\(error)")
    }

    /// Nothing of the keys, nor of the secret, is in what somebody takes away with the database.
    @Test func theDatabaseTellsNothingOfTheKeys() throws {
        let one = try folder()
        let store = try open(one)
        try add("ann", to: store)
        let dump = try database.cluster.run("SELECT string_agg(encode(sealed, 'hex'), ' ') FROM shared_keys", in: database.name)
        for key in keys(one) { #expect(!dump.contains(Hexadecimal.encode(Array(try #require(key).prefix(8))))) }
        #expect(!dump.contains(Hexadecimal.encode(Array(try #require(Base64URL.decode(secret)).prefix(8)))))
    }
}
