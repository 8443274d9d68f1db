/// A phone's place in a draw for a share of phones: the same at every check and on every system, but different for each rule and each draw.
enum Draw {
    /// From 0 to just below 100, spread evenly over installations.
    static func place(of installID: String, rule: String, draw: String) -> Double {
        // FNV-1a over all three, then mixed as in SplitMix64, because FNV alone puts similar names close together.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(installID)\u{0}\(rule)\u{0}\(draw)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return Double(hash >> 11) / Double(1 << 53) * 100
    }
}
