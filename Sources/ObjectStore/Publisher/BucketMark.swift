import GateJSON

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
