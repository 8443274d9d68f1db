/// A database for one test, dropped with the value even if somebody is still connected. Thread-safe.
package final class PostgresDatabase: Sendable {
    package let name: String
    package let cluster: PostgresCluster

    init(name: String, cluster: PostgresCluster) { (self.name, self.cluster) = (name, cluster) }

    deinit {
        // If its test stopped the server, the database cannot be dropped; it goes with the server's folder.
        _ = try? cluster.run("DROP DATABASE \(name) WITH (FORCE)")
    }

    package var url: String { cluster.url(database: name) }

    package func url(user: String) -> String { cluster.url(database: name, user: user) }
}
