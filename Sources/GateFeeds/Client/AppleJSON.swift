import GateJSON
import GateModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON as the libraries on Apple platforms read it: any UTF encoding, with or without a byte order mark; a comma after the last value and
/// duplicate names are allowed (wire formats 1.1; measured with Foundation on Linux).
enum AppleJSON {
    /// The document's value, or nil if it is not JSON.
    /// - Parameter names: of duplicate names, `JSONSerialization` uses the last and `JSONDecoder` the first.
    static func read(_ bytes: [UInt8], equalNames names: LooseJSON.Dialect.EqualNames = .last) -> JSONValue? {
        guard let text = text(bytes) else { return nil }
        // Nearly every document is strict JSON, and then there is only one way to read it. The reason why one is not does not matter to the
        // client.
        let value: JSONValue? =
            if let strict = try? JSONReader.read(text, limits: .own) { strict } else { (try? LooseJSON.read(text, .apple(names))) ?? nil }
        return value.flatMap { isFinite($0) ? $0 : nil }
    }

    /// The text, in the encoding indicated by its first bytes.
    private static func text(_ bytes: [UInt8]) -> String? {
        let start = (0..<4).map { $0 < bytes.count ? bytes[$0] : nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xEF, 0xBB, 0xBF, _): return String(strictly: bytes.dropFirst(3))
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF): return String(bytes: bytes, encoding: .utf32)
        case (0xFE, 0xFF, _, _), (0xFF, 0xFE, _, _): return String(bytes: bytes, encoding: .utf16)
        case (0, 0, 0, _?): return String(bytes: bytes, encoding: .utf32BigEndian)
        case (_?, 0, 0, 0): return String(bytes: bytes, encoding: .utf32LittleEndian)
        case (0, _?, _, _): return String(bytes: bytes, encoding: .utf16BigEndian)
        case (_?, 0, _, _): return String(bytes: bytes, encoding: .utf16LittleEndian)
        default: return String(strictly: bytes)
        }
    }

    /// Whether a double can hold every number; otherwise the document counts as invalid JSON.
    private static func isFinite(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let text): text.utf8.count < 4 || Double(text)?.isFinite ?? false
        case .array(let items): items.allSatisfy(isFinite)
        case .object(let object): object.members.allSatisfy { isFinite($0.value) }
        case .string, .bool, .null: true
        }
    }

    /// A value cast to `Bool` through `NSNumber`: the numbers 0 and 1 count as false and true.
    static func flag(_ value: JSONValue?) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .number(let text): Double(text) == 1 ? true : Double(text) == 0 ? false : nil
        default: nil
        }
    }

    /// A value cast to `Double` through `NSNumber`: true and false count as 1 and 0.
    static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .bool(let flag): flag ? 1 : 0
        case .number(let text): Double(text)
        default: nil
        }
    }
}
