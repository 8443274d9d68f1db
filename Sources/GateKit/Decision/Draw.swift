/// Which share of the phones a phone belongs to: the same on every check and every system, and another for each rule and draw.
enum Draw {
    /// From 0 up to 100, evenly spread over installations.
    static func place(of installID: String, rule: String, draw: String) -> Double {
        // FNV-1a over the three, mixed as SplitMix64 does, because FNV alone leaves neighbouring names near each other.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(installID)\u{0}\(rule)\u{0}\(draw)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return Double(hash >> 11) / Double(1 << 53) * 100
    }
}
