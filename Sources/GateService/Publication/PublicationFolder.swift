import Foundation
import GateCrypto
import GateJSON
package import GateModel
package import GateStore
import Synchronization

/// `publication/`: the last feeds on disk, one file per app, for a start with an unreadable database.
///
/// Written by ``flush()`` in the background, at most a second after the change: writing before the answer made a change six times slower
/// (reliability section 2). A file is replaced by rename, so a crash leaves the old or the new one.
package final class PublicationFolder: Sendable {
    private struct Pending {
        /// nil removes the app's file.
        var apps: [AppKey: PublishedApp?] = [:]
        /// The last change that has a feed in ``apps`` or already in a file; nil if no one said.
        var sequence: Int?
    }

    private let dataFolder: String
    private let path: String
    /// The file beside the folder that says how far its feeds have come.
    private let sequencePath: String
    /// What still has to be written.
    private let pending = Mutex(Pending())
    /// The folder's stamp after the last flush; nil before the first, and while there is no folder.
    private let writing = Mutex<DurableFile.FolderStamp?>(nil)

    package init(dataFolder: String) {
        self.dataFolder = dataFolder
        path = dataFolder + "/publication"
        sequencePath = path + ".sequence"
    }

    /// Remembers what to write. Cheap; called while the commit lock is held.
    /// - Parameter sequence: the last change that any feed carries from now on.
    package func remember(_ apps: [(key: AppKey, app: PublishedApp?)], upTo sequence: Int? = nil) {
        pending.withLock { pending in
            for (key, app) in apps { pending.apps.updateValue(app, forKey: key) }
            pending.sequence = sequence ?? pending.sequence
        }
    }

    /// Whether no app's feeds were ever kept here, or all are gone.
    package var isEmpty: Bool {
        // Losing the error is safe: whoever writes to the folder or loads it meets an unreadable folder and reports it.
        (try? kept())?.isEmpty ?? true
    }

    /// Whether somebody else made or removed something here since the last flush: files that are missing would be written again only when
    /// their apps change.
    package var isTouched: Bool { writing.withLock { $0 != nil && $0 != DurableFile.FolderStamp(of: path) } }

    /// Writes what is remembered. What cannot be written now (a full disk) is kept for the next time.
    /// - Parameter pause: called before each file, so that more urgent disk work gets in between: a thousand files in a row make a
    ///   concurrent commit take twice as long.
    /// - Throws: the first error of the file system.
    package func flush(pause: () -> Void = {}) throws(StoreError) {
        try writing.withLock { stamp throws(StoreError) in
            let batch = pending.withLock { pending in
                defer { pending.apps = [:] }
                return pending
            }
            guard !batch.apps.isEmpty else { return }
            // Also after a failure: what could not be written stays remembered, and need not be rendered again.
            defer { stamp = DurableFile.FolderStamp(of: path) }
            do throws(StoreError) {
                try DurableFile.makePrivateFolder(path, doing: Self.writingFeeds)
                // Written before the files: it may be ahead of them, but never behind.
                if let sequence = batch.sequence {
                    try DurableFile.replace(sequencePath, with: Array("\(sequence)\n".utf8), doing: Self.writingFeeds)
                    try DurableFile.syncFolder(dataFolder, doing: Self.writingFeeds)
                }
                for (key, app) in batch.apps {
                    pause()
                    try write(app, key: key)
                }
                try DurableFile.syncFolder(path, doing: Self.writingFeeds)
            } catch {
                pending.withLock { pending in pending.apps.merge(batch.apps) { newer, _ in newer } }
                throw error
            }
        }
    }

    /// Every stored app, without damaged files: their digest does not match, so nobody can say what they would do.
    /// - Throws: when the folder cannot be read; a missing folder means that nothing was ever published.
    package func load() throws(StoreError) -> (apps: [PublishedApp], damaged: [String]) {
        let names = try DurableFile.names(in: path, doing: Self.readingFeeds)
        var apps: [PublishedApp] = []
        var damaged: [String] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            if let app = read(name) { apps.append(app) } else { damaged.append(name) }
        }
        return (apps, damaged)
    }

    /// The stored feeds of one app; nil when there are none, or they are damaged.
    package func load(_ key: AppKey) -> PublishedApp? { read("\(key).json") }

    /// The highest sequence in the readable feeds here; nil when there is none.
    /// - Throws: when the folder cannot be read.
    package func lastSequence() throws(StoreError) -> Int? {
        let bodies = try load().apps.flatMap { app in app.feeds.filter { $0.name == .gate }.map(\.bytes) }
        // A damaged document has no sequence to offer.
        return bodies.compactMap { body in (try? JSONReader.read(body, limits: .own))?.object?["sequence"]?.integer }.max()
    }

    /// ``lastSequence()`` if it is above `known`, otherwise nil. Only "not above" is taken from the folder's own sequence file, without
    /// reading all the feeds: thousands of files would delay every start.
    /// - Throws: when the folder cannot be read.
    package func lastSequence(above known: Int) throws(StoreError) -> Int? {
        // If the file is missing or says anything else, the feeds are read.
        if let word = try? DurableFile.read(sequencePath, doing: Self.readingFeeds),
            // Without its line feed it may have been cut off, and give a lower number.
            word.last == UInt8(ascii: "\n"), let last = Int(String(decoding: word.dropLast(), as: UTF8.self)), last <= known
        {
            return nil
        }
        return try lastSequence().flatMap { $0 > known ? $0 : nil }
    }

    /// Removes the files of apps that are not in `keys`: left behind by a crash between the commit and the write.
    /// - Throws: the first error of the file system. A file that stays is removed at the next start; it is read only if the database cannot
    ///   be.
    package func forgetOthers(than keys: Set<AppKey>) throws(StoreError) {
        for (name, key) in try kept() where !keys.contains(key) {
            try DurableFile.remove(path + "/" + name, doing: "Removing the feeds of an app that is gone")
        }
    }

    private static let writingFeeds = "Writing the feeds"
    private static let readingFeeds = "Reading the feeds that were published last"

    private func kept() throws(StoreError) -> [(String, AppKey)] {
        try DurableFile.names(in: path, doing: Self.readingFeeds).compactMap { name in
            guard name.hasSuffix(".json"), let key = AppKey(String(name.dropLast(5))) else { return nil }
            return (name, key)
        }
    }

    private func write(_ app: PublishedApp?, key: AppKey) throws(StoreError) {
        let file = path + "/\(key).json"
        guard let app else { return try DurableFile.remove(file, doing: Self.writingFeeds) }
        let content = Self.document(of: app)
        let sealed: JSONValue = ["sha256": .string(SHA256Digest(of: content.bytes).hexadecimal), "publication": content]
        let bytes = sealed.bytes
        // After a start nearly every file is already right, and thousands of flushes would delay the first changes. A file that cannot be
        // read is written again.
        if let present = try? DurableFile.read(file, doing: Self.writingFeeds), present == bytes { return }
        try DurableFile.replace(file, with: bytes, doing: Self.writingFeeds)
    }

    private static func document(of app: PublishedApp) -> JSONValue {
        var document: JSONObject = [
            "app": .string(app.key.text),
            "feeds": .array(
                app.feeds.map { feed in
                    [
                        "name": .string(feed.name.rawValue), "platform": feed.platform.map { .string($0.text) } ?? .null,
                        "path": .string(feed.path), "body": .string(String(decoding: feed.bytes, as: UTF8.self)),
                    ]
                }
            ),
            "aliases": .array(app.aliases.map { ["path": .string($0.path), "feed": .string($0.feed)] }),
        ]
        if !app.ownFeeds.isEmpty {
            document["ownFeeds"] = .array(
                app.ownFeeds.map { ["path": .string($0.path), "body": .string(String(decoding: $0.bytes, as: UTF8.self))] }
            )
        }
        return .object(document)
    }

    private func read(_ name: String) -> PublishedApp? {
        // A file that cannot be read is reported as damaged by the caller.
        guard let bytes = try? DurableFile.read(path + "/" + name, doing: Self.readingFeeds),
            let sealed = try? JSONReader.read(bytes, limits: .own).object,
            let content = sealed["publication"], sealed["sha256"]?.string == SHA256Digest(of: content.bytes).hexadecimal,
            let object = content.object, let key = object["app"]?.string.flatMap(AppKey.init(_:)), name == "\(key).json",
            let feeds = object["feeds"]?.array, let aliases = object["aliases"]?.array
        else { return nil }
        let read = feeds.compactMap { Self.feed($0.object) }
        guard read.count == feeds.count else { return nil }
        let keptFeeds = object["ownFeeds"]?.array ?? []
        let ownFeeds = keptFeeds.compactMap { feed -> PublishedApp.OwnFeed? in
            guard let path = feed.object?["path"]?.string, let body = feed.object?["body"]?.string else { return nil }
            return PublishedApp.OwnFeed(path: path, bytes: Array(body.utf8))
        }
        guard ownFeeds.count == keptFeeds.count else { return nil }
        return PublishedApp(
            key: key,
            feeds: read,
            ownFeeds: ownFeeds,
            aliases: aliases.compactMap { alias in
                guard let path = alias.object?["path"]?.string, let feed = alias.object?["feed"]?.string else { return nil }
                return (path, feed)
            }
        )
    }

    private static func feed(_ object: JSONObject?) -> PublishedApp.Feed? {
        guard let object, let name = object["name"]?.string.flatMap(FeedName.init(rawValue:)), let path = object["path"]?.string,
            let body = object["body"]?.string
        else { return nil }
        let bytes = Array(body.utf8)
        return PublishedApp.Feed(
            name: name,
            platform: object["platform"]?.string.flatMap(PlatformKey.init(_:)),
            path: path,
            bytes: bytes,
            digest: SHA256Digest(of: bytes)
        )
    }
}
