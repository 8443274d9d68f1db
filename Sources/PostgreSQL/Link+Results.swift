import CPostgreSQL

/// libpq's results as values: libpq's pointers live until the result is cleared, so everything is copied before that.
extension Link {
    func read(_ result: OpaquePointer, _ statement: String, into reply: inout Reply) throws(PostgresError) {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK:
            reply.names = (0..<PQnfields(result)).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
            reply.affectedRows = Self.affectedRows(of: result)
            reply.rows = []
            reply.rows = try rows(of: result, PostgresColumns(names: reply.names), statement)
        case PGRES_COMMAND_OK:
            reply = Reply(affectedRows: Self.affectedRows(of: result))
            reply.parameters = (0..<PQnparams(result)).map { PostgresType(oid: PQparamtype(result, $0)) }
        case PGRES_EMPTY_QUERY:
            reply = Reply()
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            throw PostgresError(.connectionLost, "COPY is not supported here, and ends the connection", statement: statement)
        default:
            throw Self.error(of: result, statement)
        }
    }

    private func rows(of result: OpaquePointer, _ columns: PostgresColumns, _ statement: String) throws(PostgresError) -> [PostgresRow] {
        let types = columns.names.indices.map { PostgresType(oid: PQftype(result, Int32($0))) }
        var rows: [PostgresRow] = []
        rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            var values: [PostgresValue] = []
            values.reserveCapacity(types.count)
            for (column, type) in types.enumerated() {
                guard let value = Self.value(result, row, Int32(column), type) else {
                    throw PostgresError(
                        .invalidAnswer,
                        "column \"\(columns.names[column])\" holds invalid UTF-8, or no value of its type",
                        column: columns.names[column],
                        statement: statement
                    )
                }
                values.append(value)
            }
            rows.append(PostgresRow(columns: columns, values: values))
        }
        return rows
    }

    private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: PostgresType) -> PostgresValue? {
        guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column) else { return .null }
        let count = Int(PQgetlength(result, row, column))
        return text.withMemoryRebound(to: UInt8.self, capacity: count) { type.decode(UnsafeBufferPointer(start: $0, count: count)) }
    }

    /// "an empty string" for statements that touch no rows (34.3.3).
    private static func affectedRows(of result: OpaquePointer) -> Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    static func error(of result: OpaquePointer, _ statement: String?) -> PostgresError {
        func part(_ field: gatehouse_error_field) -> String? { gatehouse_error_part(result, field).map { String(cString: $0) } }
        let sqlState = part(gatehouse_sqlstate)
        return PostgresError(
            sqlState.map { PostgresError.Kind(sqlState: $0) } ?? .connectionLost,
            part(gatehouse_message) ?? PQresultErrorMessage(result).map { LibpqWords(String(cString: $0)).text } ?? "the connection broke",
            sqlState: sqlState,
            detail: part(gatehouse_detail),
            hint: part(gatehouse_hint),
            constraint: part(gatehouse_constraint),
            column: part(gatehouse_column),
            table: part(gatehouse_table),
            statement: statement
        )
    }
}
