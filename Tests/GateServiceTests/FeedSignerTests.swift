import Foundation
import GateCrypto
import GateFeeds
import GateJSON
import GateStore
import GateTesting
import Testing

@testable import GateService

/// The keys of a data folder, and what a running server makes of them.
@Suite struct FeedSignerTests {
    private let place: TemporaryFolder
    private var folder: FeedKeyFolder { FeedKeyFolder(dataFolder: place.path) }
    private var file: String { place.path + "/keys/signing.json" }
    private let now = TestClock().now

    init() throws { place = try TemporaryFolder() }

    private func add() throws -> FeedKey {
        try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: now) }
    }

    private func activate(_ id: String) throws {
        _ = try folder.change { ring throws(ServiceError) in try ring.activate(id, at: now) }
    }

    @Test func keysAreForTheirOwnerAlone() throws {
        #expect(try folder.read() == nil)
        _ = try add()
        func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        #expect(try mode(place.path + "/keys") == 0o700)
        #expect(try mode(file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/keys") == ["signing.json"])
    }

    @Test func aFolderThatIsNotThereIsNamed() {
        let error = #expect(throws: StoreError.self) {
            _ = try FeedKeyFolder(dataFolder: place.path + "/none").change { ring throws(ServiceError) in ring.keys.count }
        }
        #expect(error?.code == .notFound && error?.hint.contains("--data") == true)
    }

    /// Whoever alters them waits for whoever does so at the time: none of forty is lost.
    @Test func keysThatSeveralMakeAtOnceAreAllKept() async throws {
        let folder = folder
        let made = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<5 {
                group.addTask {
                    try (0..<5).map { _ in
                        try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: TestClock().now) }.id
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        let kept = try #require(try folder.read())
        #expect(Set(kept.keys.map(\.id)) == made && made.count == 25)
        #expect(kept.keys.filter { $0.state == .active }.count == 1)
    }

    @Test func aRunningServerTakesChangesUp() throws {
        let signer = FeedSigner(folder: folder)
        #expect(try !signer.look(), "no keys, as before")
        #expect(signer.signing.keyID == nil && signer.fault == nil)
        #expect(signer.signing.list.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"keys":[]}"#)
        #expect(signer.signing.signature(over: [1]) == nil)

        let first = try add()
        #expect(try signer.look())
        #expect(signer.signing.keyID == first.id)
        #expect(try !signer.look())
        let second = try add()
        #expect(try signer.look(), "one that is next is told too")
        #expect(signer.signing.keyID == first.id)
        try activate(second.id)
        #expect(try signer.look())
        let signature = try #require(signer.signing.signature(over: [1, 2, 3]))
        #expect(signature.keyID == second.id)
        #expect(second.key.verifyingKey.verify(signature.bytes, over: [1, 2, 3]))
    }

    static let damages: [(String, @Sendable (String) throws -> Void)] = [
        ("empty", { try Data().write(to: URL(filePath: $0)) }),
        ("no JSON", { try Data("key\n".utf8).write(to: URL(filePath: $0)) }),
        ("JSON of something else", { try Data(#"{"keys":[{}]}"#.utf8).write(to: URL(filePath: $0)) }),
        ("endless", { try Data(repeating: 0x20, count: 100_000).write(to: URL(filePath: $0)) }),
        (
            "a folder",
            {
                try FileManager.default.removeItem(atPath: $0)
                try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
            }
        ),
        (
            "a link",
            {
                try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".aside")
                try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + ".aside")
            }
        ),
        ("writable by others", { try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: $0) }),
    ]

    /// The server starts, feeds go on without a signature, and the health says so; nobody is told that there are no keys.
    @Test(arguments: damages.indices) func keysThatCannotBeReadAtTheStart(index: Int) throws {
        _ = try add()
        let whole = try Data(contentsOf: URL(filePath: file))
        try Self.damages[index].1(file)
        let signer = FeedSigner(folder: folder)
        #expect(throws: StoreError.self) { try signer.look() }
        #expect(signer.signing.keyID == nil && signer.signing.list == nil, "\(Self.damages[index].0)")
        #expect(signer.fault == "signing: keys/signing.json cannot be read; native feeds are served unsigned")
        // Nor is what nobody could read written over.
        #expect(throws: StoreError.self) { try add() }

        try FileManager.default.removeItem(atPath: file)
        try whole.write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try signer.look())
        #expect(signer.signing.keyID != nil && signer.fault == nil)
    }

    /// A server that has keys goes on with them.
    @Test(arguments: damages.indices) func keysThatCannotBeReadAnyMore(index: Int) throws {
        let key = try add()
        let signer = FeedSigner(folder: folder)
        #expect(try signer.look())
        try Self.damages[index].1(file)
        for _ in 1...2 { #expect(throws: StoreError.self) { try signer.look() } }
        #expect(signer.signing.keyID == key.id && signer.signing.list != nil)
        #expect(signer.fault == "signing: keys/signing.json cannot be read; native feeds are signed with the keys that were read before")
    }

    @Test func keysThatAreGoneGoOnSigning() throws {
        let key = try add()
        let signer = FeedSigner(folder: folder)
        #expect(try signer.look())
        let whole = try Data(contentsOf: URL(filePath: file))
        try FileManager.default.removeItem(atPath: place.path + "/keys")
        for _ in 1...2 {
            let error = #expect(throws: StoreError.self) { try signer.look() }
            #expect(error?.hint.contains("--force") == true)
        }
        #expect(signer.signing.keyID == key.id && signer.fault != nil)
        try FileManager.default.createDirectory(atPath: place.path + "/keys", withIntermediateDirectories: false)
        try whole.write(to: URL(filePath: file))
        #expect(try signer.look())
        #expect(signer.fault == nil)
    }

    /// After a restart too: phones that know the keys refuse every feed, and somebody must be told why.
    @Test func keysThatAreGoneAtTheStartAreMissed() throws {
        let key = try add()
        #expect(try FeedSigner(folder: folder).look())
        let whole = try Data(contentsOf: URL(filePath: file))
        try FileManager.default.removeItem(atPath: place.path + "/keys")
        let signer = FeedSigner(folder: folder)
        for _ in 1...2 { #expect(throws: StoreError.self) { try signer.look() } }
        #expect(signer.signing.keyID == nil && signer.signing.list == nil)
        #expect(signer.fault == "signing: keys/signing.json is missing; native feeds are served unsigned")
        // It is put back.
        try FileManager.default.createDirectory(atPath: place.path + "/keys", withIntermediateDirectories: false)
        try whole.write(to: URL(filePath: file))
        #expect(try signer.look())
        #expect(signer.signing.keyID == key.id && signer.fault == nil)
        // Signing was ended before the file went.
        _ = try folder.change { ring throws(ServiceError) in try ring.retire(key.id, force: true, at: now) }
        #expect(try signer.look())
        try FileManager.default.removeItem(atPath: file)
        let later = FeedSigner(folder: folder)
        #expect(try !later.look())
        #expect(later.fault == nil && later.signing.list != nil)
    }

    /// An error is for the log, and the log is for many.
    @Test func whatIsSaidOfADamagedFileTellsNothingOfIt() throws {
        let key = try add()
        var text = try String(contentsOfFile: file, encoding: .utf8)
        text = text.replacing(#""active""#, with: #""actife""#)
        try Data(text.utf8).write(to: URL(filePath: file))
        let error = #expect(throws: StoreError.self) { try folder.read() }
        #expect(!"\(String(describing: error))".contains(key.key.secretText))
    }
}
