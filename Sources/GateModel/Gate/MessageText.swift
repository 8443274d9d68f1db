public import GateJSON

#if canImport(Darwin)
    import Foundation
#endif

/// The one place where text that reaches phones is cleaned and refused (wire formats 6.1 item 6; reliability R44).
public enum MessageText {
    /// A text that is taken, cleaned, or one that is kept, as it is.
    static func read(_ text: String, from source: DocumentSource, field: String) throws(ModelError) -> String {
        switch source {
        case .request: return try cleaned(text, field: field)
        case .kept:
            guard !text.isEmpty else { throw .invalid("invalid_message", "A message that is kept is empty.", field: field) }
            return text
        }
    }

    /// `text` trimmed, with line feeds for every line end, in NFC.
    /// - Throws: `invalid_message` (422) when nothing is left, when it is too long, or when it holds a character that could break or disguise a dialog.
    public static func cleaned(_ text: String, field: String) throws(ModelError) -> String {
        if isClean(text) { return text }
        let bare = trimmed(text)
        // Counted before it is looked at: no text of so many bytes comes down to what is allowed.
        guard bare.utf8.count <= mostBytes else { throw tooLong(bare.unicodeScalars.count, field) }
        // Both together are one character of Swift's.
        let lines = String(bare.map { $0 == "\r\n" ? "\n" : $0 })
        let clean = normalised(lines)
        if let scalar = clean.unicodeScalars.first(where: isRefused) {
            let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
            throw .invalid(
                "invalid_message",
                "A message cannot hold \(name): control, direction-override, tag and noncharacters are refused. Remove it.",
                field: field
            )
        }
        guard clean.unicodeScalars.contains(where: isVisible) else {
            throw .invalid("invalid_message", "A message cannot be empty: clients show a blank dialog or drop the rule.", field: field)
        }
        guard Message.lengths.contains(clean.unicodeScalars.count) else { throw tooLong(clean.unicodeScalars.count, field) }
        return clean
    }

    /// The longest text that could be cleaned to one of the allowed length. Composing makes at most four scalars one (U+1F82), and one of
    /// two line ends goes; a scalar has at most four bytes.
    private static let mostBytes = Message.lengths.upperBound * 16

    private static func tooLong(_ count: Int, _ field: String) -> ModelError {
        .invalid("invalid_message", "A message has at most \(Message.lengths.upperBound) characters; this one has \(count).", field: field)
    }

    /// Whether a text is as ``cleaned(_:field:)`` leaves it, told from its bytes alone: printable ASCII, which most texts are. Every text of
    /// every feed is looked at before it is published.
    private static func isClean(_ text: String) -> Bool {
        let bytes = text.utf8
        guard Message.lengths.contains(bytes.count), let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else {
            return false
        }
        return bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    }

    /// Without white space at its ends, by Unicode's own property and not Foundation's sets, which differ between systems.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// In NFC, by the tables of Swift's own library. Foundation's on Linux looks at the lower 16 bits of a character alone: it makes an Á of
    /// U+10041, a letter of Linear B, and an accent behind it.
    private static func normalised(_ text: String) -> String {
        #if canImport(Darwin)
            // There Foundation's tables are whole, and the library's are no public interface.
            text.precomposedStringWithCanonicalMapping
        #else
            String(decoding: text._nfcCodeUnits, as: UTF8.self)
        #endif
    }

    /// Whether there is something to see: a text of joiners and zero-width spaces is as blank a dialog as one of spaces.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // The braille pattern without a dot is a letter to Unicode and blank to people.
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint && scalar.value != 0x2800
    }

    /// Control characters but line feed, bidirectional controls, tag characters and noncharacters.
    public static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        // Line and paragraph separators end a line in some clients and not in others.
        case 0x2028, 0x2029: true
        case 0xFDD0...0xFDEF, 0xE0000...0xE007F: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }
}
