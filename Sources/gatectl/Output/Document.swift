import GateJSON
import GateModel

/// The documents of `--json`.
enum Document {
    /// Within this name members are only added.
    static let schema = "gatectl/v1"

    static func list(_ items: [JSONValue], _ more: JSONObject = [:]) -> JSONValue {
        var members = more
        members["items"] = .array(items)
        return of(members)
    }

    static func of(_ members: JSONObject) -> JSONValue {
        var object: JSONObject = ["schema": .string(schema)]
        object.add(members)
        return .object(object)
    }
}

extension JSONObject {
    /// Adds the members of another object; of two with one name, the other's value stays.
    mutating func add(_ other: JSONObject) {
        for (name, value) in other.members { self[name] = value }
    }
}
