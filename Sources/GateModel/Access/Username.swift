import GateJSON

/// The form of the names by which people sign in.
public enum Username {
    /// ASCII characters.
    public static let lengths = 1...64
    /// An ECMA 262 expression for the whole text: letters, digits and `. _ - @`, starting with a letter or digit; not digits alone, because
    /// those are an id in `/users/{user}`.
    public static let pattern = "^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9._@-]*$"

    public static func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        guard lengths.contains(bytes.count), let first = bytes.first, first.isASCIILetter || first.isASCIIDigit else { return false }
        return !bytes.allSatisfy(\.isASCIIDigit)
            && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-@".utf8.contains($0) }
    }
}
