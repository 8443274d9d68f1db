/// A database of one test's own, dropped with the value, whoever is still connected to it. Thread-safe.
package final class PostgresDatabase: Sendable {
    package let name: String
    package let cluster: PostgresCluster

    init(name: String, cluster: PostgresCluster) { (self.name, self.cluster) = (name, cluster) }

    deinit {
        // A server that was stopped by its test has nothing to drop; all of it goes with its folder.
        _ = try? cluster.run("DROP DATABASE \(name) WITH (FORCE)")
    }

    package var url: String { cluster.url(database: name) }

    package func url(user: String) -> String { cluster.url(database: name, user: user) }
}
