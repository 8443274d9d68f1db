/// The form of the names by which people sign in.
public enum Username {
    /// ASCII characters.
    public static let lengths = 1...64
    /// An ECMA 262 expression for the whole text: letters, digits and `. _ - @`, starting with a letter or digit; not digits alone, because
    /// those are an id in `/users/{user}`.
    public static let pattern = "^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9._@-]*$"

    public static func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        guard lengths.contains(bytes.count), let first = bytes.first, isLetter(first) || isDigit(first) else { return false }
        return !bytes.allSatisfy(isDigit) && bytes.allSatisfy { isLetter($0) || isDigit($0) || "._-@".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
