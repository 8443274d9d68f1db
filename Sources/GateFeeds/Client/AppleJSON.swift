import GateJSON
import GateModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON as the libraries on Apple platforms read it: strict, but for a byte order mark and UTF-16 (wire formats 1.1).
enum AppleJSON {
    /// The document's value, or nil when it is no JSON.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        var text = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            text = bytes.dropFirst(3)
        } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            guard let decoded = String(bytes: bytes, encoding: .utf16) else { return nil }
            text = Array(decoded.utf8)[...]
        }
        return try? JSONReader.read(Array(text), limits: .own)  // why it is no JSON is nothing to the client
    }

    /// A value cast to `Bool` through `NSNumber`: the numbers 0 and 1 pass for false and true.
    static func flag(_ value: JSONValue?) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .number(let text): Double(text) == 1 ? true : Double(text) == 0 ? false : nil
        default: nil
        }
    }
}
