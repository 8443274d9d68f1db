/// Base32 read back, as an authenticator does it.
package enum Base32Reader {
    private struct NotBase32: Error {}

    package static func decode(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits = ""
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { throw NotBase32() }
            let digits = String(value, radix: 2)
            bits += String(repeating: "0", count: 5 - digits.count) + digits
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).compactMap { UInt8(bits.dropFirst($0).prefix(8), radix: 2) }
    }
}
