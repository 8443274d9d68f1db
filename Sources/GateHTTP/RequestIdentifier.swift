/// The text of a request's number: 16 hexadecimal digits.
package enum RequestIdentifier {
    package static func text(_ number: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 16) { buffer in
            for place in 0..<16 {
                buffer[place] = digits[Int(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15]
            }
            return 16
        }
    }
}
