/// A hash that is the same after a restart: FNV-1a of the bytes, mixed with the final step of MurmurHash3.
struct StableHash: Sendable {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

    var value: UInt64 { Self.mixed(state) }

    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 33) &* 0xff51_afd7_ed55_8ccd
        value = (value ^ value >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return value ^ value >> 33
    }
}
