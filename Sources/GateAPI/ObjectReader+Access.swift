import GateJSON
import GateModel

extension ObjectReader {
    /// A time of an answer.
    /// - Throws: malformed (400) with the member's pointer for anything but an RFC 3339 time.
    mutating func time(_ name: String) throws(ModelError) -> Timestamp {
        try Self.time(try string(name), name)
    }

    /// As ``time(_:)``, or nil when the member is missing or null.
    mutating func optionalTime(_ name: String) throws(ModelError) -> Timestamp? {
        guard let text = try optionalString(name) else { return nil }
        return try Self.time(text, name)
    }

    /// A time that a request asks for, or nil when the member is missing or null.
    /// - Throws: malformed (400) as ``optionalTime(_:)``; `invalid_time` (422) for a time outside of ``Timestamp/years``.
    mutating func optionalRequestedTime(_ name: String) throws(ModelError) -> Timestamp? {
        guard let text = try optionalString(name) else { return nil }
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            guard error == .years else { return try Self.time(text, name) }
            throw .invalid("invalid_time", TimeFault.outside(name), field: "/" + name)
        }
    }

    /// One of a role's words.
    /// - Throws: malformed (400) with the member's pointer.
    mutating func role(_ name: String) throws(ModelError) -> Role {
        try Self.role(try string(name), name)
    }

    /// As ``role(_:)``, or nil when the member is missing or null.
    mutating func optionalRole(_ name: String) throws(ModelError) -> Role? {
        guard let text = try optionalString(name) else { return nil }
        return try Self.role(text, name)
    }

    /// The apps of a scope; nil when there is no such member. `null` is a value of its own: all apps.
    mutating func scope(_ name: String, in json: JSONValue) throws(ModelError) -> AppScope? {
        _ = optional(name)
        guard let value = json.object?[name] else { return nil }
        do { return try AppScope(json: value) } catch { throw error.within("/" + name) }
    }

    private static func time(_ text: String, _ name: String) throws(ModelError) -> Timestamp {
        guard let time = Timestamp(text) else {
            throw .malformed("\(name) is an RFC 3339 time such as 2026-04-02T09:32:14Z.", field: "/" + name)
        }
        return time
    }

    private static func role(_ text: String, _ name: String) throws(ModelError) -> Role {
        guard let role = Role(rawValue: text) else {
            throw .malformed("\(name) is one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).", field: "/" + name)
        }
        return role
    }
}
