import GateJSON

/// Where the values of a JSON document are in its text, so a refusal can name the line. The document must have been read strictly before.
struct DocumentPlaces {
    private let document: String
    private let bytes: [UInt8]
    private var position = 0
    /// The byte offset of each value, by its path: `android.requiredUpdate.minimumVersion`, `ios2.0.requirements`.
    private var offsets: [String: Int] = [:]

    /// No part of a client's file that is nested deeper is read.
    private static let mostDepth = 6
    /// The most UTF-8 bytes of a path that is stored; the paths in clients' files have a third of that. A name may be as long as the
    /// document, and a prefix of two thousand other paths.
    private static let longestPath = 200

    init(_ document: String) {
        self.document = document
        bytes = Array(document.utf8)
        skipSpace()
        value("", depth: 0)
    }

    /// The place of each value, or of the enclosing value if it is missing; nil if neither is known. Lines and characters count from 1.
    ///
    /// One pass over the document finds all of them: there may be as many as it has members.
    func places(of paths: [String]) -> [(line: Int, column: Int)?] {
        let wanted = paths.map(offset(of:))
        var known: [Int: (line: Int, column: Int)] = [:]
        var offsets = Set(wanted.compactMap(\.self)).sorted()[...]
        var (offset, line, column) = (0, 1, 1)
        for character in document {
            guard let next = offsets.first else { break }
            if offset >= next {
                known[next] = (line, column)
                offsets = offsets.dropFirst()
            }
            offset += character.utf8.count
            (line, column) = character.isNewline ? (line + 1, 1) : (line, column + 1)
        }
        return wanted.map { $0.flatMap { known[$0] } }
    }

    private func offset(of path: String) -> Int? {
        guard path.utf8.count <= Self.longestPath else { return nil }
        var path = path
        while offsets[path] == nil {
            guard let end = path.lastIndex(of: ".") else { return nil }
            path = String(path[..<end])
        }
        return offsets[path]
    }

    /// The place of a byte as editors show it.
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

    /// - Parameter path: nil below the depth for which paths are stored.
    private mutating func value(_ path: String?, depth: Int) {
        if let path, !path.isEmpty { offsets[path] = position }
        if take(UInt8(ascii: "{")) {
            while next == UInt8(ascii: "\"") {
                let name = string()
                _ = take(UInt8(ascii: ":"))
                value(Self.path(path, name, depth), depth: depth + 1)
                guard take(UInt8(ascii: ",")) else { break }
            }
            _ = take(UInt8(ascii: "}"))
        } else if take(UInt8(ascii: "[")) {
            var index = 0
            while let byte = next, byte != UInt8(ascii: "]") {
                value(Self.path(path, String(index), depth), depth: depth + 1)
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

    /// Nil for a name with dots as well: no library reads one, and it must not be taken for a path to what one reads.
    private static func path(_ path: String?, _ step: String, _ depth: Int) -> String? {
        guard let path, depth < mostDepth, path.utf8.count + step.utf8.count < longestPath, !step.contains(".") else { return nil }
        return path.isEmpty ? step : "\(path).\(step)"
    }

    /// A string as it is spelled, without its quotes: the names in paths contain no escapes.
    private mutating func string() -> String {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let text = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
        position += 1
        return text
    }
}
