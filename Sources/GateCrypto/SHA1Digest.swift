/// A SHA-1 digest (FIPS 180-4 section 6.1), 20 bytes.
///
/// Only for ``TOTP``: every authenticator app has HMAC-SHA1, many have nothing else, and libsodium does not have it. SHA-1 is broken
/// for signatures, but HMAC does not depend on what was broken (RFC 6151 and RFC 6194 say so for MD5 and SHA-1).
enum SHA1Digest {
    static let blockByteCount = 64

    /// The digest of `message`, which is short: everything is kept in memory.
    static func bytes(of message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % blockByteCount != blockByteCount - 8 { padded.append(0) }
        let bitCount = UInt64(message.count) * 8
        for shift in stride(from: 56, through: 0, by: -8) { padded.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift))) }

        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: blockByteCount) { mix(padded[start..<start + blockByteCount], into: &state) }
        return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }

    /// HMAC-SHA1 of `message` under `key` (RFC 2104).
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > blockByteCount ? bytes(of: key) : key
        key += [UInt8](repeating: 0, count: blockByteCount - key.count)
        return bytes(of: key.map { $0 ^ 0x5c } + bytes(of: key.map { $0 ^ 0x36 } + message))
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 80)
        for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
        for index in 16..<80 { words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1) }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (choice, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            (a, b, c, d, e) = (rotate(a, by: 5) &+ choice &+ e &+ constant &+ words[index], a, rotate(b, by: 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] = state[index] &+ word }
    }

    private static func rotate(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
