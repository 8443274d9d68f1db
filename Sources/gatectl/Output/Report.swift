import GateAPI
import GateJSON
import GateModel

/// Prints a failure: what happened, what to do now, the request's id; with JSON one object on standard error.
struct Report {
    let failure: Failure
    let console: Console

    func print() {
        if console.isJSON {
            return console.sayJSON(json)
        }
        console.say(console.err.tinted("error:", .blocked) + " " + Style.safe(failure.message))
        for value in failure.refused {
            let line = value.line.map { " · line \($0)" } ?? ""
            console.say(
                "  refused: \(Style.safe(value.path)) = \(Words.value(value.value)): \(Style.safe(value.detail)) (\(value.code))\(line)"
            )
        }
        // Only if the server found a fault in the input: after a change by somebody else, the field would say nothing.
        if failure.exit == .refused, let field = failure.field { console.say("  field: \(Style.safe(field))") }
        for (label, text) in failure.next { console.say("  " + (label.isEmpty ? "      " : "\(label): ") + text) }
        if let id = failure.requestId { console.say("  request: \(Style.safe(id))") }
    }

    var json: JSONValue {
        var error: JSONObject = [
            "exit": .integer(failure.exit.rawValue), "code": .string(failure.code), "message": .string(failure.message),
        ]
        if let cause = failure.cause { error["cause"] = .string(cause) }
        if let field = failure.field { error["field"] = .string(field) }
        if failure.outcomeUnknown { error["outcomeUnknown"] = .bool(true) }
        if !failure.refused.isEmpty { error["refused"] = .array(failure.refused.map(\.json)) }
        if let plan = failure.plan { error["plan"] = plan.json }
        if let command = failure.command { error["command"] = .string(command) }
        error["next"] = .array(failure.next.map { .string($0.text) })
        error["requestId"] = failure.requestId.map(JSONValue.string) ?? .null
        return ["schema": .string(Document.schema), "error": .object(error)]
    }
}
