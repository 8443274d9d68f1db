extension SQLValue {
    /// How lists and faults name a row by its key: `3`, `k7Fq2Zx1`, half of a session's digest.
    static func name(ofKey values: [SQLValue]) -> String {
        values.map { value in
            switch value {
            case .null: ""
            case .integer(let number): String(number)
            case .real(let number): "\(number)"
            // A name must stay one word in a list, whatever somebody has put there.
            case .text(let text):
                String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value > 0x20 && $0.value < 0x7F ? $0 : "_" }))
            case .blob(let bytes): bytes.prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        }.joined(separator: ":")
    }
}
