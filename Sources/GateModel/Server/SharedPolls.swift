package import GateJSON

/// What one of several servers of a database told the others of the polls that it counted.
package struct SharedPolls: Sendable, Hashable {
    /// Its name among them.
    package var server: String
    /// As that server wrote it: JSON, if it is what it should be; nothing where it was too long to be read.
    package var document: [UInt8]
    /// When it was counted, by that server's own clock, as are the times in the document.
    package var countedAt: Timestamp
    /// Milliseconds since then, by the database's clock; 0 or more.
    package var age: Int64

    package init(server: String, document: [UInt8], countedAt: Timestamp, age: Int64) {
        self.server = server
        self.document = document
        self.countedAt = countedAt
        self.age = age
    }

    /// A longer document is neither written nor read. At 120 to 150 bytes a feed, some 28,000 feeds that somebody polls fit.
    package static let mostBytes = 4 << 20
    /// More servers are not listened to.
    package static let mostServers = 64
}
