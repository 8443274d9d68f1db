import Foundation
import GateCrypto
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// Native feeds with a signature, and what becomes of them when the keys are changed.
@Suite struct SignedFeedsTests {
    private static let gate = "/feeds/shop/ios/gate.json"
    private let desk: Desk
    private let folder: FeedKeyFolder
    private let signer: FeedSigner

    init() throws {
        desk = try Desk().furnished()
        folder = FeedKeyFolder(dataFolder: desk.folder)
        signer = FeedSigner(folder: folder)
    }

    /// Makes a key, and has the feeds know of it.
    private func add() throws -> FeedKey {
        let key = try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: desk.clock.now) }
        try takeUp()
        return key
    }

    private func activate(_ key: FeedKey) throws {
        _ = try folder.change { ring throws(ServiceError) in try ring.activate(key.id, at: desk.clock.now) }
        try takeUp()
    }

    private func takeUp() throws {
        #expect(try signer.look())
        desk.table.sign(with: signer.signing)
    }

    private func expect(_ path: String, signedBy key: FeedKey?, _ place: SourceLocation = #_sourceLocation) throws {
        let response = desk.poll(path)
        let line = response.headers["Gatehouse-Signature"]
        let tag = String(SHA256Digest(of: response.body).hexadecimal.prefix(32))
        guard let key else {
            #expect(line == nil && response.headers["Access-Control-Expose-Headers"] == nil, sourceLocation: place)
            #expect(response.headers["ETag"] == "\"\(tag)\"", sourceLocation: place)
            return
        }
        let told = try #require(line, sourceLocation: place)
        let signature = try #require(FeedSignature(told), sourceLocation: place)
        #expect(signature.keyID == key.id && key.key.verifyingKey.verify(signature.bytes, over: response.body), sourceLocation: place)
        #expect(response.headers["Access-Control-Expose-Headers"] == "Gatehouse-Signature", sourceLocation: place)
        #expect(response.headers["ETag"] == "\"\(tag)-\(key.id)\"", sourceLocation: place)
    }

    /// An app with two platforms that nobody has done anything to.
    private func app(_ key: String) throws -> PublishedApp {
        var app = App(key: try AppKey(key).unwrapped(), name: key)
        for platform in [PlatformKey.ios, .android] {
            app.platforms[platform] = Target(
                key: TargetKey(app: app.key, platform: platform),
                settings: PlatformSettings(versionScheme: .dotted),
                gate: Gate(),
                revision: 1,
                sequence: 1,
                since: desk.clock.now,
                changedAt: desk.clock.now
            )
        }
        return try PublishedApp(rendering: app)
    }

    private func kill(_ text: String, at revision: Int) throws {
        try desk.change(
            #"{"app":"shop","platform":"ios","revision":\#(revision)}"#,
            #""set":{"killSwitch":{"message":"\#(text)"}}"#
        ).expect(200)
    }

    @Test func withoutAKeyNothingIsSigned() throws {
        try expect(Self.gate, signedBy: nil)
        let keys = desk.poll("/feeds/keys.json")
        #expect(keys.text == #"{"keys":[]}"#)
        for (name, value) in [
            ("Content-Type", "application/json; charset=utf-8"),
            ("Cache-Control", "public, max-age=0, s-maxage=2, stale-if-error=86400"), ("Access-Control-Allow-Origin", "*"),
        ] { #expect(keys.headers[name] == value) }
        #expect(desk.shows(keys.prepared, at: "/feeds/keys.json"))
        let missing = desk.poll(Self.gate + ".sig")
        #expect(missing.status == 404 && missing.headers["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test func nativeFeedsAreSignedAndNoOthers() throws {
        let paths = ["/feeds/shop/ios/bellerophon.json", "/feeds/shop/ios/combined.json", "/feeds/shop/launchgate.json"]
        let before = paths.map { desk.poll($0).prepared }
        let key = try add()
        for gate in [Self.gate, "/feeds/shop/android/gate.json", "/feeds/bank/ios/gate.json"] { try expect(gate, signedBy: key) }
        for (path, before) in zip(paths, before) {
            try expect(path, signedBy: nil)
            #expect(desk.poll(path).prepared === before, "it keeps its answer, and what was counted of it")
            #expect(desk.poll(path + ".sig").status == 404)
        }
        #expect(desk.poll("/feeds/keys.json").text == signer.signing.list.map { String(decoding: $0.bytes, as: UTF8.self) })
    }

    @Test func theSignatureIsAlsoAFileOfItsOwn() throws {
        _ = try add()
        let file = desk.poll(Self.gate + ".sig")
        #expect(file.text == desk.poll(Self.gate).headers["Gatehouse-Signature"])
        #expect(file.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(file.headers["Cache-Control"] == desk.poll(Self.gate).headers["Cache-Control"])
        #expect(file.headers["Access-Control-Allow-Origin"] == "*")
        #expect(file.headers["ETag"] == desk.poll(Self.gate).headers["ETag"])
        #expect(desk.shows(file.prepared, at: Self.gate + ".sig"))
        try kill("Back at 09:30.", at: 1)
        #expect(desk.poll(Self.gate + ".sig").text == desk.poll(Self.gate).headers["Gatehouse-Signature"])
        #expect(desk.poll(Self.gate + ".sig").headers["ETag"] != file.headers["ETag"])
    }

    @Test func aRotationSignsEverythingAnew() throws {
        let first = try add()
        try kill("Back at 09:30.", at: 1)
        let second = try add()
        try expect(Self.gate, signedBy: first)
        let document = desk.poll(Self.gate).body
        try activate(second)
        try expect(Self.gate, signedBy: second)
        #expect(desk.poll(Self.gate).body == document, "the document is the same")
        try kill("Back at 10:30.", at: 2)
        try expect(Self.gate, signedBy: second)
        _ = try folder.change { ring throws(ServiceError) in try ring.retire(second.id, force: true, at: desk.clock.now) }
        try takeUp()
        try expect(Self.gate, signedBy: nil)
        #expect(desk.poll(Self.gate + ".sig").status == 404)
        #expect(desk.poll("/feeds/keys.json").text.contains(#""state":"retired""#))
    }

    /// What was signed before the keys changed is not published after it.
    @Test func aChangeThatWasReadyBeforeARotationIsSignedWithTheNewKey() throws {
        let first = try add()
        let second = try add()
        let app = try app("shop")
        let ready = desk.table.ready([(app.key, app)])
        let unsigned = desk.table.ready([(app.key, nil)])
        try activate(second)
        ready.publish()
        try expect(Self.gate, signedBy: second)
        try activate(first)
        unsigned.publish()
        #expect(desk.poll(Self.gate).status == 404)
        #expect(desk.poll(Self.gate + ".sig").status == 404)
        ready.publish()
        try expect(Self.gate, signedBy: first)
    }

    @Test func anAliasCarriesTheSignatureOfItsFeed() throws {
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[{"path":"/old.json","feed":"gate.json","platform":"ios"}]}"#).expect(200)
        let first = try add()
        try expect("/old.json", signedBy: first)
        #expect(desk.poll("/old.json.sig").status == 404, "the file is at the feed's own address")
        let second = try add()
        try activate(second)
        try expect("/old.json", signedBy: second)
        #expect(desk.poll("/old.json").prepared === desk.poll(Self.gate).prepared)
    }

    @Test func whatComesAndGoesIsSigned() throws {
        let key = try add()
        try desk.ask(.post, "/api/v1/apps", #"{"key":"news","name":"News"}"#).expect(201)
        try desk.ask(.put, "/api/v1/apps/news/platforms/tv", "{}").expect(201)
        try expect("/feeds/news/tv/gate.json", signedBy: key)
        try desk.ask(.delete, "/api/v1/apps/news/platforms/tv", #"{"confirm":"delete news/tv"}"#).expect(200)
        for path in ["/feeds/news/tv/gate.json", "/feeds/news/tv/gate.json.sig"] { #expect(desk.poll(path).status == 404) }
    }

    /// As a start does it: more apps than one core signs by itself.
    @Test func manyAreSignedAtOnce() throws {
        let key = try add()
        let apps = try (0..<200).map { try app("app-\($0)") }
        desk.table.publish(apps.map { ($0.key, $0) })
        for app in apps { try expect("/feeds/\(app.key)/ios/gate.json", signedBy: key) }
        let other = try add()
        try activate(other)
        for app in apps { try expect("/feeds/\(app.key)/android/gate.json", signedBy: other) }
    }

    /// R62: what the server cannot know about is "not now", so that edges keep what they have.
    @Test func keysThatCannotBeReadAreNotDenied() throws {
        _ = try folder.change { ring throws(ServiceError) in try ring.add(random: .system, at: desk.clock.now) }
        try Data("key".utf8).write(to: URL(filePath: desk.folder + "/keys/signing.json"))
        #expect(throws: (any Error).self) { try signer.look() }
        desk.table.sign(with: signer.signing)
        try expect(Self.gate, signedBy: nil)
        for path in ["/feeds/keys.json", Self.gate + ".sig"] {
            for response in [desk.poll(path), desk.ask(.get, path, as: .nobody)] {
                #expect(response.status == 503 && response.headers["Retry-After"] == "5")
                #expect((try? JSONReader.read(response.body)) == nil)
            }
        }
        #expect(desk.poll("/feeds/shop/tv/gate.json").status == 404)
    }

    /// An empty folder, and a database that is away: the servers of the database may share keys.
    @Test func whoKnowsNothingDoesNotSayThatThereIsNoKey() throws {
        let path = "/feeds/keys.json"
        #expect(desk.poll(path).text == #"{"keys":[]}"#)
        desk.table.set(.all)
        #expect(desk.poll(path).status == 503)
        desk.table.sign(with: .none)
        #expect(desk.poll(path).status == 503)
        let key = try add()
        #expect(desk.poll(path).text.contains(key.id), "It has keys of its own.")
        desk.table.sign(with: .none)
        #expect(desk.poll(path).status == 503)
        desk.table.set(.none)
        #expect(desk.poll(path).text == #"{"keys":[]}"#)
    }
}
