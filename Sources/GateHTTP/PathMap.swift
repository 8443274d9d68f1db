#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Values by path, looked up by the raw bytes of a request without making a `String`. A value: copies change apart.
///
/// Open addressing over a power-of-two table at most half full. The hash is not keyed, and need not be: only the server's own
/// paths are stored, so a caller can choose what is looked up but not what collides.
package struct PathMap<Value>: ExpressibleByDictionaryLiteral {
    fileprivate struct Entry {
        let path: [UInt8]
        var value: Value
    }

    private var entries: [Entry] = []
    /// Index into `entries` plus one; 0 is free.
    private var slots: [Int32] = [0, 0]

    package init() {}

    package init(_ values: [String: Value]) {
        for (path, value) in values { self[path] = value }
    }

    package init(dictionaryLiteral elements: (String, Value)...) {
        for (path, value) in elements { self[path] = value }
    }

    package var count: Int { entries.count }

    /// Every path, in no order.
    package var paths: [String] {
        entries.map { String(decoding: $0.path, as: UTF8.self) }
    }

    /// The value of a request's path; its bytes need be valid only during the call.
    package subscript(path: UnsafeRawBufferPointer) -> Value? {
        find(path)
    }

    /// Setting nil takes the path out.
    package subscript(path: String) -> Value? {
        get {
            var path = path
            return path.withUTF8 { self[UnsafeRawBufferPointer($0)] }
        }
        set {
            let key = Array(path.utf8)
            let slot = key.withUnsafeBytes { self.slot(of: $0) }
            let entry = Int(slots[slot]) - 1
            switch (entry >= 0, newValue) {
            case (true, let value?):
                entries[entry].value = value
            case (true, nil):
                remove(entry, in: slot)
            case (false, let value?):
                entries.append(Entry(path: key, value: value))
                if entries.count * 2 > slots.count { refill(capacity: slots.count * 2) } else { slots[slot] = Int32(entries.count) }
            case (false, nil):
                break
            }
        }
    }

    /// Takes one entry out at a cost that does not grow with the map: the last entry fills its place, and what follows in the run of full
    /// slots moves up where else a search would stop at the gap (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm R).
    private mutating func remove(_ entry: Int, in slot: Int) {
        let mask = slots.count - 1
        var gap = slot
        var next = (gap + 1) & mask
        while slots[next] != 0 {
            let home = entries[Int(slots[next]) - 1].path.withUnsafeBytes { Int(truncatingIfNeeded: PathHash.hash($0)) & mask }
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = 0
        let last = entries.count - 1
        if entry != last {
            slots[entries[last].path.withUnsafeBytes { self.slot(of: $0) }] = Int32(entry + 1)
            entries.swapAt(entry, last)
        }
        entries.removeLast()
    }

    private mutating func refill(capacity: Int) {
        slots = [Int32](repeating: 0, count: capacity)
        for (index, entry) in entries.enumerated() {
            slots[entry.path.withUnsafeBytes { slot(of: $0) }] = Int32(index + 1)
        }
    }

    @inline(__always)
    private func find(_ path: UnsafeRawBufferPointer) -> Value? {
        let entry = slots[slot(of: path)]
        return entry == 0 ? nil : entries[Int(entry) &- 1].value
    }

    /// The slot that holds the path, or the free one where it would go.
    @inline(__always)
    private func slot(of path: UnsafeRawBufferPointer) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: PathHash.hash(path)) & mask
        while true {
            let entry = slots[slot]
            if entry == 0 { return slot }
            let isFound = entries[Int(entry) &- 1].path.withUnsafeBytes { stored in
                stored.count == path.count && (path.isEmpty || memcmp(stored.baseAddress!, path.baseAddress!, path.count) == 0)
            }
            if isFound { return slot }
            slot = (slot &+ 1) & mask
        }
    }
}

extension PathMap where Value == PreparedResponse {
    /// The same for what every poll looks up. Callers in other modules would else go through the generic form, at many times the cost.
    package subscript(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        find(path)
    }
}

extension PathMap: Sendable where Value: Sendable {}
extension PathMap.Entry: Sendable where Value: Sendable {}

private enum PathHash {
    /// FNV-1a over words of eight bytes, then the rest; the last step brings the high bits down to where a mask takes them.
    @inline(__always)
    static func hash(_ path: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(truncatingIfNeeded: path.count)
        guard let start = path.baseAddress else { return hash }
        var offset = 0
        while offset &+ 8 <= path.count {
            hash = (hash ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
            offset &+= 8
        }
        while offset < path.count {
            hash = (hash ^ UInt64(start.load(fromByteOffset: offset, as: UInt8.self))) &* 0x100_0000_01b3
            offset &+= 1
        }
        return hash ^ (hash >> 32)
    }
}
