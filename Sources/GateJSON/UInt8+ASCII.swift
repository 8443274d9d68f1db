/// Classes of ASCII characters. Forms that other programs have to agree about are checked by bytes, because the classes of `Character`, and
/// `\d` of a regular expression, have letters and digits of every script.
extension UInt8 {
    /// `0` to `9`.
    @inlinable package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// `a` to `z`.
    @inlinable package var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

    /// `A` to `Z` and `a` to `z`.
    @inlinable package var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }
}
