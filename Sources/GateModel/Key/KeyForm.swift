import GateJSON

/// The form that app and platform keys share.
enum KeyForm {
    /// Length in ASCII characters.
    static let lengths = 1...63
    /// An ECMA 262 expression for the whole text.
    static let pattern = "^[a-z0-9][a-z0-9-]{0,62}$"
    static let rule = "use 1 to 63 lower-case letters, digits and hyphens, not starting with a hyphen"

    static func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        guard lengths.contains(bytes.count), bytes.first != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }
}
