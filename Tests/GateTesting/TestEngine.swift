import Foundation
package import Testing

/// The engine that the tests of store, service and server run on: SQLite, or with `GATEHOUSE_TEST_ENGINE=postgresql` a database for each
/// test on the tests' own PostgreSQL. `deploy/test` runs them on both.
package enum TestEngine: String, Sendable {
    case sqlite
    case postgresql

    package static let current: TestEngine = {
        let name = ProcessInfo.processInfo.environment["GATEHOUSE_TEST_ENGINE"] ?? "sqlite"
        guard let engine = TestEngine(rawValue: name) else {
            preconditionFailure("GATEHOUSE_TEST_ENGINE is sqlite or postgresql, not \(name)")
        }
        return engine
    }()

    /// A database for one test; nil if the store makes a file.
    package static func database() throws -> PostgresDatabase? {
        current == .postgresql ? try PostgresCluster.shared().database() : nil
    }
}

extension Trait where Self == ConditionTrait {
    /// Condition for tests about SQLite's file, its pages, or an alteration that only SQLite's own means can make.
    package static var onSQLite: Self { .enabled(if: TestEngine.current == .sqlite, "about SQLite's file") }
}
