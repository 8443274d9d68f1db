import GateHTTP
import GateModel

/// What a caller told about itself. A gate that is being opened draws from it whether the caller is let in: always the same for the same
/// words.
///
/// Neither secret nor safe against callers who choose their words: all that they can gain is to be let in a few minutes earlier.
struct OpeningDraw: Sendable {
    private let words: UInt64

    /// Names of parameters that tell something about a phone. No other is used, because many apps add the time to get past caches.
    private static let names: [StaticString] = ["version", "os", "locale", "build"]
    private static let key: StaticString = "targetingKey"
    /// How many bytes of a query are looked at.
    private static let mostBytes = 1_024

    /// A key that names one installation is enough by itself; otherwise phones that tell the same are told apart by their addresses, so
    /// that they are not all let in at once.
    /// - Parameter query: the bytes after the `?`, as sent.
    /// - Returns: nil for a caller that tells nothing.
    init?(query: UnsafeRawBufferPointer, from sender: () -> [UInt8]) {
        guard !query.isEmpty else { return nil }
        var hash = StableHash()
        var tellsSomething = false
        for pair in query.prefix(Self.mostBytes).split(separator: UInt8(ascii: "&")) {
            guard let mark = pair.firstIndex(of: UInt8(ascii: "=")), mark + 1 < pair.endIndex else { continue }
            let (name, value) = (pair[..<mark], pair[(mark + 1)...])
            if Self.key.equals(name) {
                self.init(key: value)
                return
            }
            guard Self.names.contains(where: { $0.equals(name) }) else { continue }
            tellsSomething = true
            hash.add(pair)
            hash.add(0)
        }
        guard tellsSomething else { return nil }
        hash.add(sender())
        self.init(hash)
    }

    /// - Parameters:
    ///   - key: what names the installation; nil, or empty, for none.
    ///   - told: whatever else it tells; an element is nil or empty where it tells nothing.
    /// - Returns: nil for a caller that tells nothing.
    init?(key: String?, told: [String?], from sender: () -> [UInt8]) {
        if let key, !key.isEmpty {
            self.init(key: key.utf8)
            return
        }
        guard told.contains(where: { $0?.isEmpty == false }) else { return nil }
        var hash = StableHash()
        for text in told {
            hash.add((text ?? "").utf8)
            hash.add(0)
        }
        hash.add(sender())
        self.init(hash)
    }

    private init(key: some Sequence<UInt8>) {
        var hash = StableHash()
        hash.add(key)
        self.init(hash)
    }

    private init(_ hash: StableHash) { words = hash.value }

    /// The caller's place among all, for an opening with this seed: it is let in as soon as the share is greater.
    func place(_ seed: UInt64) -> UInt64 { StableHash.mixed(words ^ seed) }
}

extension StaticString {
    fileprivate func equals(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == utf8CodeUnitCount && withUTF8Buffer { bytes.elementsEqual($0) }
    }
}
