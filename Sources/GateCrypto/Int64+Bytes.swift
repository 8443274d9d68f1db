extension Int64 {
    /// Its 8 bytes, the most significant first: the form of every number that is hashed, signed or sealed.
    package var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
