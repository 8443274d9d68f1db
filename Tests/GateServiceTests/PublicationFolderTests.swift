import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

@Suite struct PublicationFolderTests {
    private func app(_ name: String, _ alert: String = "a") throws -> PublishedApp {
        var app = App(key: AppKey(name)!, name: name, aliases: [Alias(path: "/\(name).json", feed: .library(.launchgate), platform: nil)])
        app.platforms[.ios] = Target(
            key: TargetKey("\(name)/ios")!,
            settings: .standard(for: .ios),
            gate: Gate(alert: Alert(message: .text(alert), blocking: true)),
            revision: 1,
            sequence: 1,
            since: Timestamp(milliseconds: 0),
            changedAt: Timestamp(milliseconds: 0)
        )
        return try PublishedApp(rendering: app)
    }

    /// A folder that is removed again, and what is in it.
    private func withFolder(_ body: (PublicationFolder, String) throws -> Void) throws {
        let data = try TemporaryFolder()
        try body(PublicationFolder(dataFolder: data.path), data.path + "/publication")
    }

    private func document(_ app: PublishedApp) -> [String] {
        app.feeds.map {
            "\($0.name.rawValue) \($0.platform?.text ?? "-") \($0.path) \($0.etag) \(String(decoding: $0.bytes, as: UTF8.self))"
        }
            + app.aliases.map { "\($0.path) \($0.feed)" }
    }

    @Test func whatWasPublishedIsReadBackAsItWas() throws {
        try withFolder { folder, path in
            let shop = try app("shop", "\"Ü\"\n\u{1F40C} </script>")
            folder.remember([(shop.key, shop)])
            #expect(folder.isEmpty)
            try folder.flush()
            #expect(!folder.isEmpty)
            let (apps, damaged) = try folder.load()
            #expect(apps.map(document) == [document(shop)])
            #expect(damaged == [])
            #expect(try Files.names(in: path) == ["shop.json"])
        }
    }

    /// What the folder says of itself spares reading every file; where it says more than is known, or nothing, the files are asked.
    @Test(arguments: [
        ("as written", 0, 1), ("as written", 1, nil), ("as written", 6, nil), ("", 0, 1), ("", 1, nil), ("9\n", 1, nil), ("junk", 0, 1),
        // Cut off: nobody knows what it said.
        ("01", 0, 1),
        // Not read at all where the database has what the word says.
        ("0\n", 0, nil),
    ])
    func howFarItCameIsAskedOfTheFilesWhenItMatters(word: String, known: Int, last: Int?) throws {
        try withFolder { folder, path in
            let shop = try app("shop")
            folder.remember([(shop.key, shop)], upTo: 6)
            try folder.flush()
            #expect(try String(contentsOfFile: path + ".sequence", encoding: .utf8) == "6\n")
            if word != "as written" { try Data(word.utf8).write(to: URL(filePath: path + ".sequence")) }
            #expect(try folder.lastSequence(above: known) == last)
            #expect(try folder.load().damaged == [])
            try folder.forgetOthers(than: [shop.key])
            #expect(try Files.names(in: path) == ["shop.json"])
        }
    }

    /// Of a write that is cut off in between, the folder's word may say more than the files, and never less.
    @Test func howFarItCameIsWrittenBeforeTheFeeds() throws {
        try withFolder { folder, path in
            func sequence() throws -> String { try String(contentsOfFile: path + ".sequence", encoding: .utf8) }
            for (number, text) in ["first", "newest"].enumerated() {
                let shop = try app("shop", text)
                let before = try? Files.bytes(path + "/shop.json")  // the first time there is none
                var seen: [String] = []
                folder.remember([(shop.key, shop)], upTo: 6 + number)
                try folder.flush {
                    #expect((try? Files.bytes(path + "/shop.json")) == before)
                    seen.append((try? sequence()) ?? "missing")
                }
                #expect(seen == ["\(6 + number)\n"])
            }
            // Whoever does not know how far it came leaves what was said.
            folder.remember([(AppKey("shop")!, nil)])
            try folder.flush()
            #expect(try sequence() == "7\n")
        }
    }

    @Test func nothingPublishedIsNothingDamaged() throws {
        try withFolder { folder, _ in
            try folder.flush()
            let (apps, damaged) = try folder.load()
            #expect((apps.count, damaged.count) == (0, 0))
        }
    }

    @Test func changesThatComeBetweenTwoWritesAreWrittenOnce() throws {
        try withFolder { folder, _ in
            let key = AppKey("shop")!
            for text in ["one", "two", "three"] { folder.remember([(key, try app("shop", text))]) }
            try folder.flush()
            #expect(try folder.load().apps.map(document) == [document(try app("shop", "three"))])
            folder.remember([(key, try app("shop", "four"))])
            folder.remember([(key, nil)])
            try folder.flush()
            #expect(try folder.load().apps.isEmpty)
            // What is not there can be removed again.
            folder.remember([(key, nil)])
            try folder.flush()
        }
    }

    /// R15: whatever happens to the file, the app has the feeds that were written or none, never others.
    @Test func aDamagedFileIsLeftOutAndNamed() throws {
        try withFolder { folder, path in
            let (shop, bank) = (try app("shop"), try app("bank"))
            folder.remember([(shop.key, shop), (bank.key, bank)])
            try folder.flush()
            let file = path + "/shop.json"
            let whole = Array(try Files.bytes(file))
            var damages: [[UInt8]] = [[], Array("{}".utf8), Array(whole.dropLast(2)), whole + whole]
            for index in stride(from: 0, to: whole.count, by: 7) {
                var flipped = whole
                flipped[index] ^= 1
                damages.append(flipped)
            }
            for damage in damages {
                try Files.write(damage, to: file)
                let (apps, damaged) = try folder.load()
                #expect(apps.map(document).allSatisfy { $0 == document(shop) || $0 == document(bank) })
                #expect(damaged == (apps.count == 2 ? [] : ["shop.json"]))
            }
            // One app's file under another's name is no file of that app.
            try Files.write(Files.bytes(path + "/bank.json"), to: file)
            #expect(try folder.load().damaged == ["shop.json"])
            // What is not ours is not read.
            try Files.write(whole, to: path + "/shop.json.new")
            try Files.write(whole, to: file)
            #expect(try folder.load().apps.count == 2)
        }
    }

    @Test func filesOfAppsThatAreGoneAreRemoved() throws {
        try withFolder { folder, path in
            let (shop, bank) = (try app("shop"), try app("bank"))
            folder.remember([(shop.key, shop), (bank.key, bank)])
            try folder.flush()
            try folder.forgetOthers(than: [bank.key])
            #expect(try Files.names(in: path) == ["bank.json"])
        }
    }

    @Test func whatCannotBeWrittenNowIsWrittenLater() throws {
        try withFolder { folder, path in
            let (old, new) = (try app("shop", "old"), try app("shop", "new"))
            try Files.write([], to: path)
            folder.remember([(old.key, old)])
            #expect(throws: (any Error).self) { try folder.flush() }
            folder.remember([(new.key, new)])
            #expect(throws: (any Error).self) { try folder.flush() }
            try Files.remove(path)
            try folder.flush()
            #expect(try folder.load().apps.map(document) == [document(new)])
        }
    }
}
