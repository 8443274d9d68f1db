import GateJSON
import GateModel

/// The documents of `--json`.
enum Document {
    /// Within this name members are only added.
    static let schema = "gatectl/v1"

    static func list(_ items: [JSONValue], _ more: JSONObject = [:]) -> JSONValue {
        var object: JSONObject = ["schema": .string(schema)]
        for (name, value) in more.members { object[name] = value }
        object["items"] = .array(items)
        return .object(object)
    }

    static func of(_ members: JSONObject) -> JSONValue {
        var object: JSONObject = ["schema": .string(schema)]
        for (name, value) in members.members { object[name] = value }
        return .object(object)
    }
}
