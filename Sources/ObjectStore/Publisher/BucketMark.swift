import GateJSON

/// What publishers write down for one another: beside the prefix, `production.gatehouse/`. A document's path begins with a slash, so none is there.
enum BucketNote {
    static let suffix = ".gatehouse"

    /// What is put behind the prefix.
    static func path(_ file: String) -> String { "\(suffix)/\(file)" }
}

/// Whose feeds lie in a bucket, and how new they are, `mark.json`.
///
/// It is written before the feeds that it speaks of: it may say more than they do, and never less. Whoever knows less than it says does not
/// publish.
struct BucketMark: Sendable, Hashable {
    /// The history that they are of; nil for feeds that were put there from an export, without a server.
    var history: String?
    /// The last change that any of them has seen.
    var sequence: Int

    static let path = BucketNote.path("mark.json")

    init(history: String?, sequence: Int) { (self.history, self.sequence) = (history, sequence) }

    /// Nil for what is no mark.
    init?(_ bytes: [UInt8]) {
        // What cannot be read is no mark: the caller says so.
        guard let object = (try? JSONReader.read(bytes))?.object, let sequence = object["sequence"]?.integer else { return nil }
        self.init(history: object["history"]?.string, sequence: sequence)
    }

    var object: BucketObject {
        let json: JSONValue = ["format": .integer(1), "history": history.map { .string($0) } ?? .null, "sequence": .integer(sequence)]
        return .note(json)
    }
}

/// Which paths were ever published there and not removed since, `paths.json`: what finds the feeds of an app that went while the server was down.
enum BucketPaths {
    static let path = BucketNote.path("paths.json")

    /// Nil for what is no such list.
    static func read(_ bytes: [UInt8]) -> Set<String>? {
        // As above.
        guard let paths = (try? JSONReader.read(bytes, limits: .own))?.object?["paths"]?.array else { return nil }
        return Set(paths.compactMap(\.string).filter { $0.hasPrefix("/") })
    }

    static func object(_ paths: Set<String>) -> BucketObject {
        .note(["format": .integer(1), "paths": .array(paths.sorted().map { .string($0) })])
    }
}

extension BucketObject {
    /// What is for publishers and not for phones.
    fileprivate static func note(_ json: JSONValue) -> BucketObject {
        BucketObject(body: json.bytes, contentType: "application/json; charset=utf-8", cacheControl: "no-store")
    }
}
