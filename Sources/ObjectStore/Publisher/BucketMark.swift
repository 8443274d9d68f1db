import GateJSON

/// Whose feeds are in a bucket, and how new they are (`mark.json`).
///
/// It is written before the feeds that it describes: it may be ahead of them, and never behind. Whoever knows fewer changes than it names
/// does not publish.
struct BucketMark: Sendable, Hashable {
    /// The history that the feeds belong to; nil for feeds that were put there from an export, without a server.
    var history: String?
    /// The last change that any of them includes.
    var sequence: Int

    static let path = BucketNote.path("mark.json")

    init(history: String?, sequence: Int) { (self.history, self.sequence) = (history, sequence) }

    /// Nil for bytes that are not a mark.
    init?(_ bytes: [UInt8]) {
        // What cannot be read is not a mark: the caller reports that.
        guard let object = (try? JSONReader.read(bytes))?.object, let sequence = object["sequence"]?.integer else { return nil }
        self.init(history: object["history"]?.string, sequence: sequence)
    }

    var object: BucketObject {
        let json: JSONValue = ["format": .integer(1), "history": history.map { .string($0) } ?? .null, "sequence": .integer(sequence)]
        return .note(json)
    }
}
