import Foundation
package import GateJSON

/// A file of an app's own shape, with the meaning of its values: `Tests/Shapes/own-shapes.json` has twelve, for the tests of templates, of
/// gatectl and of the dashboard.
package struct OwnShape: Sendable, CustomStringConvertible {
    package let name: String
    package let file: String
    /// As typed: `$.maintenance=kill`.
    package let meanings: [String]
    /// Nil for a file of the whole app.
    package let platform: String?
    /// The rules that the file says are on, by platform.
    package let on: [String: Set<String>]
    /// Refusals that have to be overridden.
    package let accepts: [String]

    package var description: String { name }

    private struct Unreadable: Error {}

    private init(_ json: JSONValue) throws {
        guard let object = json.object, let name = object["name"]?.string, let file = object["file"]?.string,
            let meanings = object["map"]?.array?.compactMap(\.string), let on = object["on"]?.object
        else { throw Unreadable() }
        (self.name, self.file, self.meanings, platform) = (name, file, meanings, object["platform"]?.string)
        self.on = Dictionary(uniqueKeysWithValues: on.members.map { ($0.name, Set(($0.value.array ?? []).compactMap(\.string))) })
        accepts = object["accept"]?.array?.compactMap(\.string) ?? []
    }

    package static let all: [OwnShape] = {
        do {
            let text = try String(contentsOfFile: ProjectFiles.root + "/Tests/Shapes/own-shapes.json", encoding: .utf8)
            return try (JSONReader.read(text).array ?? []).map(OwnShape.init)
        } catch { preconditionFailure("own-shapes.json: \(error)") }
    }()

    /// The name of a rule where values are given a meaning.
    package static func word(ofRule rule: String) -> String {
        ["killSwitch": "kill", "forceUpdate": "force", "requiredUpdate": "required", "optionalUpdate": "optional"][rule] ?? rule
    }

    /// Whether a value of a file is a switch that is on.
    package static func isOn(_ value: JSONValue) -> Bool {
        switch value {
        case .bool(let flag): flag
        case .number(let text): Double(text) != 0
        case .string(let text): ["true", "on", "yes", "1"].contains(text.lowercased())
        default: false
        }
    }
}

extension JSONValue {
    /// The value at an RFC 6901 pointer; nil if there is none.
    package func value(at pointer: String) -> JSONValue? {
        var value: JSONValue? = self
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            switch value {
            case .object(let object): value = object.members.first { JSONPointer.member($0.name).dropFirst() == step }?.value
            case .array(let items): value = Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
            default: return nil
            }
        }
        return value
    }
}
