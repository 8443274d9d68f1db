import GRDB

extension SQLArguments {
    var sqlite: StatementArguments {
        if let prepared { return prepared }
        guard named.isEmpty else { return StatementArguments(named) }
        // As boxes: GRDB's way for values of one type goes by a key path, which takes ten times as long as binding them.
        let boxes: [(any DatabaseValueConvertible)?] = values.map { $0 }
        return StatementArguments(boxes)
    }
}
