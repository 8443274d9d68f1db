public import GateJSON

#if canImport(Darwin)
    import Foundation
#endif

/// The only place where text that reaches phones is cleaned and refused (wire formats 6.1 item 6; reliability R44).
public enum MessageText {
    /// Cleans a text from a request; returns a stored one as it is.
    static func read(_ text: String, from source: DocumentSource, field: String) throws(ModelError) -> String {
        switch source {
        case .request: return try cleaned(text, field: field)
        case .kept:
            guard !text.isEmpty else { throw .invalid("invalid_message", "A stored message is empty.", field: field) }
            return text
        }
    }

    /// `text` trimmed, in NFC, with every line end as a line feed.
    /// - Throws: `invalid_message` (422) when nothing is left, when it is too long, or when it holds a character that could break or
    ///   disguise a dialog.
    public static func cleaned(_ text: String, field: String) throws(ModelError) -> String {
        if isClean(text) { return text }
        let bare = trimmed(text)
        // Counted first: no text with more bytes than this can be cleaned down to the allowed length.
        guard bare.utf8.count <= mostBytes else { throw tooLong(bare.unicodeScalars.count, field) }
        // Swift treats the two together as one character.
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

    /// The longest text that cleaning could shorten to an allowed length. Composing turns at most four scalars into one (U+1F82), and one
    /// character of each two-character line end is dropped; a scalar has at most four bytes.
    private static let mostBytes = Message.lengths.upperBound * 16

    private static func tooLong(_ count: Int, _ field: String) -> ModelError {
        .invalid("invalid_message", "A message has at most \(Message.lengths.upperBound) characters; this one has \(count).", field: field)
    }

    /// Whether a text already is as ``cleaned(_:field:)`` would leave it, judged by its bytes alone: printable ASCII and line feeds, as
    /// most texts are. Every text of every feed is checked before it is published.
    private static func isClean(_ text: String) -> Bool {
        let bytes = text.utf8
        guard Message.lengths.contains(bytes.count), let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else {
            return false
        }
        return bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    }

    /// Without white space at its ends. Uses Unicode's own property rather than Foundation's sets, which differ between systems.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// In NFC, so that normalising it once more changes nothing.
    ///
    /// Swift's library puts marks in order before it takes U+0F73, U+0F75 and U+0F81 apart. Their parts may then be behind marks that
    /// belong after them; the second pass moves them.
    private static func normalised(_ text: String) -> String {
        var text = text
        for _ in 0..<mostPasses {
            let next = composed(text)
            // Compared by bytes, because Swift's == treats a text and its normalised form as equal.
            if next.utf8.elementsEqual(text.utf8) { break }
            text = next
        }
        return text
    }

    /// Two passes are enough for every character of today, and a third one sees that nothing changes.
    private static let mostPasses = 4

    /// One pass, by the tables of Swift's own library. Foundation's on Linux looks only at the lower 16 bits of a character: it composes
    /// U+10041, a letter of Linear B, and an accent after it into Á.
    private static func composed(_ text: String) -> String {
        #if canImport(Darwin)
            // On Apple systems Foundation's tables are complete, and the library's are not a public interface.
            text.precomposedStringWithCanonicalMapping
        #else
            String(decoding: text._nfcCodeUnits, as: UTF8.self)
        #endif
    }

    /// Whether there is something to see: a text made of joiners and zero-width spaces gives as blank a dialog as one made of spaces.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // To Unicode the braille pattern without dots is a letter, but people see a blank.
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint && scalar.value != 0x2800
    }

    /// Control characters except line feed, bidirectional controls, tag characters and noncharacters.
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
