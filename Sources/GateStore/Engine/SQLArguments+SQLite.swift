import GRDB

extension SQLArguments {
    var sqlite: StatementArguments {
        if let prepared { return prepared }
        guard named.isEmpty else { return StatementArguments(named) }
        // In array literals of up to four: for a list, GRDB looks up type information for each value, which takes longer than binding it.
        var arguments = StatementArguments()
        var index = 0
        while index + 4 <= values.count {
            arguments += [values[index], values[index + 1], values[index + 2], values[index + 3]]
            index += 4
        }
        switch values.count - index {
        case 1: arguments += [values[index]]
        case 2: arguments += [values[index], values[index + 1]]
        case 3: arguments += [values[index], values[index + 1], values[index + 2]]
        default: break
        }
        return arguments
    }
}
