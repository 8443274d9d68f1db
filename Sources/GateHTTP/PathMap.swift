#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Values by path, looked up by the raw bytes of a request without making a `String`. A value type: copies change independently.
///
/// Open addressing over a power-of-two table at most half full. The hash is keyed, because not all paths are the server's own: within
/// bounds, an app's people choose its aliases freely. With a hash that anybody can compute, a few hundred aliases could be made to lie in
/// one run of slots, which every poll of every app would then have to walk.
package struct PathMap<Value>: ExpressibleByDictionaryLiteral {
    fileprivate struct Entry {
        let path: [UInt8]
        var value: Value
    }

    private var entries: [Entry] = []
    /// Index into `entries` plus one; 0 is free.
    private var slots: [Int32] = [0, 0]
    private let hash: PathHash

    /// - Parameter key: decides where a path lies, which cannot be seen from outside; random, so that nobody knows it.
    package init(key: UInt64 = .random(in: .min ... .max)) {
        hash = PathHash(key: key)
    }

    package init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (path, value) in elements { self[path] = value }
    }

    package var count: Int { entries.count }

    /// Every path, in no particular order.
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
    /// slots moves up where a search would otherwise stop at the gap (Knuth, The Art of Computer Programming, volume 3, section 6.4,
    /// algorithm R).
    private mutating func remove(_ entry: Int, in slot: Int) {
        let mask = slots.count - 1
        var gap = slot
        var next = (gap + 1) & mask
        while slots[next] != 0 {
            let home = entries[Int(slots[next]) - 1].path.withUnsafeBytes { Int(truncatingIfNeeded: hash($0)) & mask }
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

    /// How many slots a search for the path touches, the last included: the cost of a look-up.
    func steps(to path: String) -> Int {
        var path = path
        return path.withUTF8 { path in
            let path = UnsafeRawBufferPointer(path)
            let mask = slots.count - 1
            return ((slot(of: path) - Int(truncatingIfNeeded: hash(path))) & mask) + 1
        }
    }

    /// The slot that holds the path, or the free one where it would go.
    @inline(__always)
    private func slot(of path: UnsafeRawBufferPointer) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash(path)) & mask
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
    /// The same for what every poll looks up. Otherwise callers in other modules would use the generic form, at many times the cost.
    package subscript(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        find(path)
    }
}

extension PathMap: Sendable where Value: Sendable {}
extension PathMap.Entry: Sendable where Value: Sendable {}

/// A polynomial of the path's bytes, seven at a time, at a secret point of the field of 2^61 - 1 elements (Carter and Wegman, "Universal
/// classes of hash functions", 1979): whoever does not know the point can choose two paths of n words however cleverly, and they have the
/// same hash with a chance of about n in 2^60. It takes no more instructions than a hash without a key.
private struct PathHash: Sendable {
    private let point: UInt64

    init(key: UInt64) {
        // Sixty bits, so that no sum below overflows; not 0, which would give all paths the same hash.
        point = max(key >> 4, 2)
    }

    @inline(__always)
    func callAsFunction(_ path: UnsafeRawBufferPointer) -> UInt64 {
        // Spreads neighbouring hashes far apart, also in the low bits that the mask uses, with both halves of a product, as wyhash does.
        let product = (polynomial(path) ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }

    @inline(__always)
    private func polynomial(_ path: UnsafeRawBufferPointer) -> UInt64 {
        let count = path.count
        var hash = times(UInt64(truncatingIfNeeded: count))
        guard let start = path.baseAddress else { return hash }
        guard count >= 8 else {
            var word: UInt64 = 0
            for offset in 0..<count { word = word << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self)) }
            return hash &+ word
        }
        var offset = 0
        while offset &+ 8 <= count {
            hash = times(hash &+ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0xff_ffff_ffff_ffff)
            offset &+= 7
        }
        // The last seven bytes, some of them for the second time.
        return hash &+ start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) >> 8
    }

    /// The product with the point, modulo 2^61 - 1 but for a small multiple of it: below 2^62 and a half, as long as the factor is below
    /// 2^63.
    @inline(__always)
    private func times(_ factor: UInt64) -> UInt64 {
        let product = factor.multipliedFullWidth(by: point)
        return (product.low & 0x1fff_ffff_ffff_ffff) &+ (product.high << 3 | product.low >> 61)
    }
}
