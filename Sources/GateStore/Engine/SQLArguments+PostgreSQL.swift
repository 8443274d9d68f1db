import PostgreSQL

extension SQLArguments {
    /// In the order of the statement's numbers.
    /// - Throws: ``SQLError/Kind/other`` unless there is exactly one for each parameter.
    func postgres(for parameters: SQLTranslation.Parameters) throws -> [PostgresValue] {
        switch parameters {
        case .places(let count):
            guard named.isEmpty, values.count == count else {
                throw Self.misfit(
                    "the statement has \(count) parameters without names, and \(values.count + named.count) arguments were given"
                )
            }
            return values.map(\.postgres)
        case .names(let names):
            guard values.isEmpty, named.count == names.count else {
                throw Self.misfit(
                    "the statement has \(names.count) named parameters, and \(values.count + named.count) arguments were given"
                )
            }
            return try names.map { name in
                guard let value = named[name] else { throw Self.misfit("there is no argument for :\(name)") }
                return value.postgres
            }
        }
    }

    /// 07001: "using clause does not match dynamic parameters", of the SQL standard.
    private static func misfit(_ message: String) -> SQLError { SQLError(kind: .other, code: .postgresql("07001"), message: message) }
}
