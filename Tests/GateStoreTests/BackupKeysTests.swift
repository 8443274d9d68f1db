import Foundation
import GateCrypto
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// The private keys of a data folder: in no backup, unless somebody asks for it.
@Suite(.onSQLite) struct BackupKeysTests {
    private static let keys = ["totp.key": "second factors", "device.key": "known browsers", "signing.json": "signed feeds"]

    /// A closed folder with keys of every kind.
    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        try store.close()
        for (name, text) in Self.keys { try Data(text.utf8).write(to: URL(filePath: scratch.data + "/keys/" + name)) }
        return scratch
    }

    private func key(_ name: String, of data: String) throws -> String? {
        try DurableFile.read(data + "/keys/" + name, doing: "Reading").map { String(decoding: $0, as: UTF8.self) }
    }

    private func restore(_ scratch: Scratch, to data: String, _ key: OpeningKey? = nil) throws -> RestoreReport {
        var request = RestoreRequest(
            directory: data,
            backup: scratch.path + "/one.backup",
            migrations: Scratch.migrations,
            now: { scratch.clock.now }
        )
        request.key = key
        return try Store.restore(request)
    }

    @Test(arguments: [false, true]) func keysAreInABackupOnlyWhenAsked(isEncrypted: Bool) throws {
        let scratch = try folder()
        let opening = isEncrypted ? OpeningKey(random: .system) : nil
        let path = scratch.path + "/one.backup"
        let rows = try #require(try DurableFile.read(scratch.data + "/keys/rows.key", doing: "Reading"))
        for withKeys in [false, true] {
            let backup = try Store.backUp(
                directory: scratch.data,
                to: path,
                at: scratch.clock.now,
                encryptedTo: opening?.sealingKey,
                withKeys: withKeys
            )
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            #expect(try BackupFile(path).check() == backup.whole)
            #expect((backup.manifest.keyBytes != nil) == withKeys)
            #expect(String(decoding: bytes.prefix(200), as: UTF8.self).contains(#""version":\#(withKeys ? 2 : 1),"#))
            let secrets = Self.keys.values.map { Array($0.utf8) } + [rows]
            for secret in secrets {
                #expect(bytes.firstRange(of: secret) == nil)
                let isThere = bytes.firstRange(of: Array(Base64URL.encode(secret).utf8)) != nil
                #expect(isThere == (withKeys && !isEncrypted))
            }
            #expect(try Store.verify(backup: path, migrations: Scratch.migrations, key: opening).1.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["data", "one.backup"])

            let data = scratch.path + "/elsewhere"
            defer { try? FileManager.default.removeItem(atPath: data) }  // it is there: asserted below
            let report = try restore(scratch, to: data, opening)
            #expect(try Store.verify(directory: data, migrations: Scratch.migrations).isEmpty)
            #expect(report.keys.sorted() == (withKeys ? Self.keys.keys.sorted() : []))
            #expect(report.trust == (withKeys ? .checked(ended: []) : .takenOver))
            for (name, text) in Self.keys { #expect(try key(name, of: data) == (withKeys ? text : nil)) }
            if withKeys {
                let mode = try FileManager.default.attributesOfItem(atPath: data + "/keys/signing.json")[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            #expect(!FileManager.default.fileExists(atPath: data + "/restore.new"))
        }
    }

    /// The folder's own may be newer, and apps may know them alone.
    @Test func aKeyThatIsThereIsNotReplaced() throws {
        let scratch = try folder()
        _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now, withKeys: true)
        try Data("newer".utf8).write(to: URL(filePath: scratch.data + "/keys/signing.json"))
        try FileManager.default.removeItem(atPath: scratch.data + "/keys/totp.key")
        let report = try restore(scratch, to: scratch.data)
        #expect(report.keys == ["totp.key"])
        #expect(try key("signing.json", of: scratch.data) == "newer")
        #expect(try key("totp.key", of: scratch.data) == "second factors")
        // What was there stays a folder that a server could run on.
        #expect(try key("signing.json", of: try #require(report.aside)) == "newer")
    }

    /// The first start on a new machine makes a key; who wrote the backup's rows, the backup's own tells.
    @Test func theKeyThatSignedTheBackupJudgesItsRows() throws {
        let scratch = try folder()
        try scratch.tamper(
            "INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES ('eve', 'eve', 'admin', 'x', 0, 0, 0)"
        )
        _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now, withKeys: true)
        let data = scratch.path + "/elsewhere"
        var configuration = scratch.configuration()
        configuration.directory = data
        configuration.random = .system
        try Store(configuration).close()
        let report = try restore(scratch, to: data)
        #expect(report.trust == .checked(ended: [StoreFault(place: "users", row: "1", problem: "was not written by gatehouse")]))
        #expect(report.administrators == [])
        #expect(try Store.verify(directory: data, migrations: Scratch.migrations).isEmpty)
    }

    @Test func aFolderWithoutKeysHasNoneInItsBackup() throws {
        let scratch = try folder()
        try FileManager.default.removeItem(atPath: scratch.data + "/keys")
        let path = scratch.path + "/one.backup"
        _ = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now, withKeys: true)
        #expect(try restore(scratch, to: scratch.path + "/elsewhere").keys == [])
    }

    @Test(arguments: ["", "[]", #"{"rows.key":1}"#, #"{"../passwd":"AAAA"}"#, #"{"rows.key":"="}"#]) func whatIsNoKeysIsRefused(
        text: String
    ) {
        #expect(BackupKeys(bytes: Array(text.utf8)) == nil)
    }
}
