import Foundation

/// The one place where text that reaches phones is cleaned and refused (wire formats 6.1 item 6; reliability R44).
public enum MessageText {
    /// `text` trimmed, with line feeds for every line end, in NFC.
    /// - Throws: `invalid_message` (422) when nothing is left, when it is too long, or when it holds a character that could break or disguise a dialog.
    public static func cleaned(_ text: String, field: String) throws(ModelError) -> String {
        let lines = text.replacingOccurrences(of: "\r\n", with: "\n")
        let clean = lines.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        if let scalar = clean.unicodeScalars.first(where: isRefused) {
            let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
            throw .invalid("invalid_message", "A message cannot hold \(name): control, direction-override, tag and unassigned characters are refused. Remove it.", field: field)
        }
        guard Message.lengths.contains(clean.unicodeScalars.count) else {
            let remedy = clean.isEmpty ? "A message cannot be empty: clients show a blank dialog or drop the rule." : "A message has at most \(Message.lengths.upperBound) characters; this one has \(clean.unicodeScalars.count)."
            throw .invalid("invalid_message", remedy, field: field)
        }
        return clean
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
