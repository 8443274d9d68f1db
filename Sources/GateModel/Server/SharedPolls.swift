package import GateJSON

/// What one of several servers that share a database told the others about the polls it counted.
package struct SharedPolls: Sendable, Hashable {
    /// The server's name among them.
    package var server: String
    /// As that server wrote it: JSON, if it is valid; empty if it was too long to be read.
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

    /// A longer document is neither written nor read. At 120 to 150 bytes a feed, there is room for some 28,000 polled feeds.
    package static let mostBytes = 4 << 20
    /// Documents of more servers are ignored.
    package static let mostServers = 64
}
