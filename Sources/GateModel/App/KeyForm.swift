/// The form that app and platform keys share.
enum KeyForm {
    static let rule = "use 1 to 63 lower-case letters, digits and hyphens, not starting with a hyphen"

    static func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
    }
}
