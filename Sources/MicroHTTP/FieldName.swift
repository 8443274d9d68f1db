/// Questions about the bytes of field names and hosts, asked of every poll and so written to be cheap.
enum FieldName {
    /// Whether the name is a token (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ name: UnsafeRawPointer, _ count: Int) -> Bool {
        var place = 0
        while place + 8 <= count {
            if !isPlain(name.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return isRareToken(name, count) }
            place += 8
        }
        if place < count, count >= 8 {
            // The last eight bytes, some of them again, rather than the rest byte by byte.
            return isPlain(name.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) || isRareToken(name, count)
        }
        return place > 0 && place == count || isRareToken(name, count)
    }

    /// Whether the bytes are those of `text`, ignoring case; `text` is in lower case. The caller has compared the lengths.
    @inline(__always)
    static func matches(_ bytes: UnsafeRawPointer, _ text: StaticString) -> Bool {
        let text = text.utf8Start
        var place = 0
        while text[place] != 0 {
            if bytes.load(fromByteOffset: place, as: UInt8.self) | 0x20 != text[place] | 0x20 { return false }
            place += 1
        }
        return true
    }

    /// Whether all eight bytes are letters or hyphens, which is what names are made of.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let top: UInt64 = 0x8080_8080_8080_8080
        let one: UInt64 = 0x0101_0101_0101_0101
        // After adding, the top bit of each byte below 0x80 tells whether a bound was reached; no byte carries into the next.
        let lowered = word | one &* 0x20
        let isLetter = (lowered &+ one &* (0x80 - 0x61)) & ~(lowered &+ one &* (0x80 - 0x7b))
        let isHyphen = ~((word ^ one &* 0x2d) &+ one &* 0x7f)
        return word & top == 0 && (isLetter | isHyphen) & top == top
    }

    private static func isRareToken(_ name: UnsafeRawPointer, _ count: Int) -> Bool {
        var isToken = count > 0
        for place in 0..<count where !tokenCharacters.contains(name.load(fromByteOffset: place, as: UInt8.self)) { isToken = false }
        return isToken
    }

    /// A set of ASCII characters.
    struct Characters {
        /// Those below 64, and those from 64 on.
        let low: UInt64
        let high: UInt64

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool {
            byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
        }
    }

    /// `tchar`: letters, digits and ``!#$%&'*+-.^_`|~``.
    static var tokenCharacters: Characters { Characters(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

    /// What a registered name, an address, its brackets and a port are made of (RFC 3986 section 3.2.2): letters, digits and `-._~%:[]`.
    /// No user, path or list.
    static var hostCharacters: Characters { Characters(low: 0x07ff_6020_0000_0000, high: 0x47ff_fffe_afff_fffe) }
}
