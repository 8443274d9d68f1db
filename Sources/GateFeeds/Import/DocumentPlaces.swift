import GateJSON

/// Where the values of a JSON document stand in its text, so that a refusal can say the line. The document was read strictly before.
struct DocumentPlaces {
    private let document: String
    private let bytes: [UInt8]
    private var position = 0
    /// Bytes from the start to the value, by its path: `android.requiredUpdate.minimumVersion`, `ios2.0.requirements`.
    private var offsets: [String: Int] = [:]

    /// Below it nothing of a client's file is looked at.
    private static let mostDepth = 6

    init(_ document: String) {
        self.document = document
        bytes = Array(document.utf8)
        skipSpace()
        value("", depth: 0)
    }

    /// The place of a value; of the value around it where it is missing. Lines and characters count from 1.
    func place(of path: String) -> (line: Int, column: Int)? {
        var path = path
        while offsets[path] == nil {
            guard let end = path.lastIndex(of: ".") else { return nil }
            path = String(path[..<end])
        }
        return offsets[path].map { Self.place(of: $0, in: document) }
    }

    /// The place of a byte, as editors show it.
    static func place(of offset: Int, in document: String) -> (line: Int, column: Int) {
        let before = String(decoding: document.utf8.prefix(offset), as: UTF8.self)
        let lines = before.split(omittingEmptySubsequences: false) { $0.isNewline }
        return (lines.count, (lines.last?.count ?? 0) + 1)
    }

    // MARK: Walking

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        skipSpace()
        return true
    }

    private mutating func value(_ path: String, depth: Int) {
        if depth <= Self.mostDepth, !path.isEmpty { offsets[path] = position }
        if take(UInt8(ascii: "{")) {
            while next == UInt8(ascii: "\"") {
                let name = string()
                _ = take(UInt8(ascii: ":"))
                value(path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
                guard take(UInt8(ascii: ",")) else { break }
            }
            _ = take(UInt8(ascii: "}"))
        } else if take(UInt8(ascii: "[")) {
            var index = 0
            while let byte = next, byte != UInt8(ascii: "]") {
                value("\(path).\(index)", depth: depth + 1)
                index += 1
                guard take(UInt8(ascii: ",")) else { break }
            }
            _ = take(UInt8(ascii: "]"))
        } else if next == UInt8(ascii: "\"") {
            _ = string()
            skipSpace()
        } else {
            while let byte = next, !",]} \n\r\t".utf8.contains(byte) { position += 1 }
            skipSpace()
        }
    }

    /// A string as it is spelled, without its quotes: the names that paths are made of are spelled plainly.
    private mutating func string() -> String {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let text = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
        position += 1
        return text
    }
}
