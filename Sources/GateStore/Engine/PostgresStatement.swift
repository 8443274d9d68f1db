import PostgreSQL

/// A translated statement with its session. The server prepares it when it is first run, and keeps it by its text
/// (``PostgresOptions/preparedStatements``). Thread rule: the session's.
final class PostgresStatement {
    private let session: PostgresSession
    private let translation: SQLTranslation

    init(_ translation: SQLTranslation, of session: PostgresSession) { (self.session, self.translation) = (session, translation) }

    func run(_ arguments: SQLArguments) throws -> PostgresResult { try session.run(translation, arguments) }

    func rows(_ arguments: SQLArguments) throws -> [SQLRow] {
        let result = try run(arguments)
        return result.rows.map { SQLRow($0, columns: result.columns.names) }
    }

    func row(_ arguments: SQLArguments) throws -> SQLRow? {
        let result = try run(arguments)
        return result.rows.first.map { SQLRow($0, columns: result.columns.names) }
    }

    func cursor(_ arguments: SQLArguments) throws -> PostgresRows { try session.cursor(translation, arguments) }
}
