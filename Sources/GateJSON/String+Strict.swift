/// Text of bytes that must be whole. The standard library's `String(validating:as:)` needs iOS 18, and these rooms are built into apps too.
extension String {
    /// Nil unless the bytes are UTF-8 throughout.
    package init?(strictly bytes: some Collection<UInt8>) {
        // Byte by byte through a collection of any type costs thirty times what it costs where they lie side by side, as they nearly always do.
        if let read = bytes.withContiguousStorageIfAvailable(String.init(strictlySideBySide:)) {
            guard let read else { return nil }
            self = read
        } else {
            guard let text = Array(bytes).withUnsafeBufferPointer(String.init(strictlySideBySide:)) else { return nil }
            self = text
        }
    }

    private init?(strictlySideBySide bytes: UnsafeBufferPointer<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        // What is broken has become a replacement character, and is other bytes now.
        guard text.withUTF8({ Self.areEqual($0, bytes) }) else { return nil }
        self = text
    }

    /// Without a way out at the first difference, so that many bytes are compared at once: `elementsEqual` takes twenty times as long.
    private static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var differences: UInt8 = 0
        for index in 0..<one.count { differences |= one[index] ^ other[index] }
        return differences == 0
    }

    /// Nil when a surrogate stands alone.
    package init?(strictly units: some Collection<UInt16>) {
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units) else { return nil }
        self = text
    }
}
