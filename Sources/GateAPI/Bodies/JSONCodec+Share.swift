import GateJSON
import GateModel

extension JSONCodec where Value == Double {
    /// A share, 0 to 1, written in steps of a thousandth, rounded down so that it never reads as 1 while one is missing.
    static let share = JSONCodec<Double>(.number) { value, name throws(ModelError) in
        guard case .number(let text) = value, let share = Double(text) else {
            throw .malformed("\(name) is a number, not \(value.kindInWords).")
        }
        return share
    } write: {
        .number(decimal($0))
    }

    private static func decimal(_ share: Double) -> String {
        // Nudged up a little before rounding down, because 0.95 is 0.9499… in binary.
        let thousandths = Int(share * 1_000 + 1e-6)
        let digits = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}
