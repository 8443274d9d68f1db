/// Percent-encoding (RFC 3986 section 2.1). Decoding is done once and strictly: code that decodes twice, or forgives a bad escape, sees a
/// different path than the one checked.
package enum PercentEncoding {
    /// The decoded text, or nil for a bad escape, a NUL in either form, or bytes that are not UTF-8.
    /// - Parameter plusIsSpace: true in queries, false in paths.
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(ASCII.hexadecimal), let low = iterator.next().flatMap(ASCII.hexadecimal),
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
            case 0:
                return nil
            default:
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// A name or a value as part of a query: everything encoded that does not stand for itself everywhere in a URL.
    static func encode(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.utf8.reduce(into: []) { encoded, byte in
            encoded += ASCII.isUnreserved(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    /// True when a raw path can be read at all: no space or control character, no `%00`, no escape that is not two hexadecimal digits.
    package static func isReadable(path: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < path.count {
            let byte = path[place]
            if byte <= 0x20 || byte == 0x7f { return false }
            if byte == UInt8(ascii: "%") {
                guard place + 2 < path.count, let high = ASCII.hexadecimal(path[place + 1]),
                    let low = ASCII.hexadecimal(path[place + 2]), high | low != 0
                else { return false }
                place += 2
            }
            place += 1
        }
        return true
    }
}
