import GateJSON
import GateModel

/// The rule objects that LaunchGate and Gandalf share. Each has all of its members or is left out: an incomplete rule makes LaunchGate
/// discard the whole feed (wire formats 1.1).
enum RuleObject {
    static func requiredUpdate(_ version: String, _ message: Message) -> JSONValue {
        ["minimumVersion": .string(version), "message": .string(message.defaultText)]
    }

    static func optionalUpdate(_ version: String, _ message: Message) -> JSONValue {
        ["optionalVersion": .string(version), "message": .string(message.defaultText)]
    }

    static func alert(_ message: Message, blocking: Bool) -> JSONValue {
        ["message": .string(message.defaultText), "blocking": .bool(blocking)]
    }
}
