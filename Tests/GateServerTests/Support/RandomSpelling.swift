import Foundation
import GateTesting

/// JSON text made by hand, in all the spellings that RFC 8259 allows: a writer of ours would only ever make the one that our reader likes
/// best.
struct RandomSpelling {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Chance

    mutating func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    // MARK: JSON

    /// Members in any order, now and then with space around them.
    mutating func object(_ members: [(String, String)]) -> String {
        let parts = members.shuffled(using: &random).map { string($0.0, plain: true) + space() + ":" + space() + $0.1 }
        return "{" + space() + parts.joined(separator: space() + "," + space()) + space() + "}"
    }

    mutating func array(_ items: [String]) -> String { "[" + space() + items.joined(separator: "," + space()) + space() + "]" }

    /// A string, now and then with escapes where none are needed.
    /// - Parameter plain: mostly as people write names.
    mutating func string(_ text: String, plain: Bool = false) -> String {
        let escapesAll = chance(1, in: plain ? 40 : 8)
        var spelled = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": spelled += "\\" + String(scalar)
            case "\n" where chance(1, in: 2): spelled += "\\n"
            case "\u{0}"..<"\u{20}": spelled += Self.escape(scalar)
            default: spelled += escapesAll || chance(1, in: 200) ? Self.escape(scalar) : String(scalar)
            }
        }
        return spelled + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16) }.joined()
    }

    private mutating func space() -> String { chance(1, in: 30) ? one(of: [" ", "\n", "\t", "\r\n", "  "]) : "" }
}
