import GateJSON

/// A file of the system's time zone database (RFC 8536).
struct ZoneFile: Sendable {
    /// Seconds since 1970 at which the offset changes, in ascending order.
    private let changes: [Int64]
    /// The offset from each change on, in seconds ahead of UTC.
    private let offsets: [Int64]
    /// The offset before the first change.
    private let first: Int64
    /// The rule that applies after the last change.
    private let rule: ZoneRule?

    /// Nil if it cannot be read or is no such file.
    init?(path: String) {
        // A folder of the database, such as Europe, is no zone either.
        guard let bytes = try? FileSystem.read(path) else { return nil }
        self.init(bytes)
    }

    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard let old = reader.header() else { return nil }
        if old.version == 0 {
            guard let block = reader.block(old, timeSize: 4) else { return nil }
            self.init(block, rule: nil)
        } else {
            // The first block is for readers that know nothing beyond 2037; the same data follows for everybody else.
            guard reader.skip(old.size(timeSize: 4)), let new = reader.header(), let block = reader.block(new, timeSize: 8),
                let footer = reader.footer()
            else { return nil }
            self.init(block, rule: ZoneRule(footer))
        }
    }

    private init?(_ block: Reader.Block, rule: ZoneRule?) {
        guard let first = block.types.first, block.indices.allSatisfy({ $0 < block.types.count }) else { return nil }
        changes = block.changes
        offsets = block.indices.map { block.types[$0] }
        self.first = first
        self.rule = rule
    }

    func offset(at time: Timestamp) -> Int64 {
        let seconds = (time.milliseconds - ((time.milliseconds % 1_000) + 1_000) % 1_000) / 1_000
        // How many changes are not after it, by binary search.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        if low == changes.count, let rule { return rule.offset(at: time) }
        return low == 0 ? first : offsets[low - 1]
    }

    /// Reads the file from start to end; numbers have their high byte first.
    private struct Reader {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        struct Header {
            var version: Int
            var utcIndicators, standardIndicators, leaps, changes, types, letters: Int

            func size(timeSize: Int) -> Int {
                changes * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + standardIndicators + utcIndicators
            }
        }

        struct Block {
            var changes: [Int64]
            /// The index of the type that applies from each change on.
            var indices: [Int]
            /// The offset of each type.
            var types: [Int64]
        }

        mutating func skip(_ count: Int) -> Bool {
            guard count >= 0, count <= bytes.count - position else { return false }
            position += count
            return true
        }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? { skip(count) ? bytes[(position - count)..<position] : nil }

        private mutating func number(_ size: Int) -> Int64? {
            guard let taken = take(size), let high = taken.first else { return nil }
            return taken.reduce(high >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
        }

        mutating func header() -> Header? {
            guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(1)?.first, skip(15) else { return nil }
            var counts: [Int] = []
            for _ in 1...6 {
                // No file has more; the limit keeps the sums that follow from overflowing.
                guard let count = number(4), (0...100_000).contains(count) else { return nil }
                counts.append(Int(count))
            }
            return Header(
                version: Int(version),
                utcIndicators: counts[0],
                standardIndicators: counts[1],
                leaps: counts[2],
                changes: counts[3],
                types: counts[4],
                letters: counts[5]
            )
        }

        mutating func block(_ header: Header, timeSize: Int) -> Block? {
            let end = position + header.size(timeSize: timeSize)
            guard end <= bytes.count else { return nil }
            var block = Block(changes: [], indices: [], types: [])
            for _ in 0..<header.changes {
                guard let change = number(timeSize) else { return nil }
                block.changes.append(change)
            }
            guard let indices = take(header.changes) else { return nil }
            block.indices = indices.map { Int($0) }
            for _ in 0..<header.types {
                // After the offset come whether it is summer time, and where its name is.
                guard let offset = number(4), skip(2) else { return nil }
                block.types.append(offset)
            }
            position = end
            return block
        }

        /// The text between the two line feeds at the end.
        mutating func footer() -> String? {
            guard bytes.count >= position + 2, bytes[position] == 0x0A, bytes.last == 0x0A else { return nil }
            return String(decoding: bytes[(position + 1)..<(bytes.count - 1)], as: UTF8.self)
        }
    }
}
