public import GateJSON

/// Android's version code, compared as a number. It has 64 bits: some apps use the long code, though released Gandalf clients see only its
/// low half.
public struct VersionCode: Sendable, Hashable, Comparable {
    public let value: Int64

    /// The code spelled by ASCII digits, leading zeros allowed ("07" is 7); nil for anything else, never zero.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0.isASCIIDigit }), let value = Int64(text) else {
            return nil
        }
        self.value = value
    }

    /// The code in a JSON value: `41` or `"41"` (wire formats 6.2 item 2).
    public init?(_ value: JSONValue) {
        switch value {
        case .string(let text), .number(let text): self.init(text)
        default: return nil
        }
    }

    public static func < (one: VersionCode, other: VersionCode) -> Bool { one.value < other.value }
}
