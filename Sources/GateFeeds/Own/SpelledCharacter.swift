import GateJSON

/// One character of a string in JSON text: what it is, and how it is spelled there.
///
/// What a template means depends on what its texts say, however they are spelled: to JSON, `\u0024` is a dollar sign.
struct SpelledCharacter {
    /// Its byte if it is printable ASCII or white space; 0 for any other character, or for one byte of it.
    let ascii: UInt8
    let spelling: ArraySlice<UInt8>

    /// Reads a string without its quotes.
    /// - Parameters:
    ///   - bytes: text that was already read as JSON.
    ///   - position: that of the opening quote; afterwards, the one after the closing quote.
    static func string(in bytes: [UInt8], at position: inout Int) -> [SpelledCharacter] {
        position += 1
        var characters: [SpelledCharacter] = []
        while bytes[position] != UInt8(ascii: "\"") {
            let start = position
            guard bytes[position] == UInt8(ascii: "\\") else {
                position += 1
                let byte = bytes[start]
                characters.append(SpelledCharacter(ascii: byte < 0x80 ? byte : 0, spelling: bytes[start..<position]))
                continue
            }
            position += bytes[position + 1] == UInt8(ascii: "u") ? 6 : 2
            let spelling = bytes[start..<position]
            characters.append(SpelledCharacter(ascii: ascii(spelling), spelling: spelling))
        }
        position += 1
        return characters
    }

    /// The character that an escape stands for, if it is printable ASCII or one of the white space characters; otherwise 0.
    private static func ascii(_ escape: ArraySlice<UInt8>) -> UInt8 {
        switch escape[escape.startIndex + 1] {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return 0
        case UInt8(ascii: "u"):
            let value = UInt32(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16) ?? 0
            return value < 0x80 ? UInt8(value) : 0
        case let byte: return byte
        }
    }
}

extension [SpelledCharacter] {
    /// The text that is spelled.
    var text: String {
        // It was already read as JSON, so reading it again cannot fail.
        let spelled = [UInt8(ascii: "\"")] + flatMap(\.spelling) + [UInt8(ascii: "\"")]
        return (try? JSONReader.read(spelled))?.string ?? ""
    }

    /// Whether a place of a template begins here: `${`.
    func opensPlace(at index: Int) -> Bool {
        index + 1 < count && self[index].ascii == UInt8(ascii: "$") && self[index + 1].ascii == UInt8(ascii: "{")
    }

    /// The string with its quotes, in its own spelling, as a template that says exactly this text.
    var escapedForTemplates: [UInt8] {
        let quote = UInt8(ascii: "\"")
        var escaped = [quote]
        for index in indices {
            if opensPlace(at: index) { escaped.append(UInt8(ascii: "$")) }
            escaped += self[index].spelling
        }
        return escaped + [quote]
    }
}
