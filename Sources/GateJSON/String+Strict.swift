/// Text from bytes that must all be valid. The standard library's `String(validating:as:)` needs iOS 18, and this code is built into apps
/// too.
extension String {
    /// Nil unless all of the bytes are UTF-8.
    package init?(strictly bytes: some Collection<UInt8>) {
        // Reading byte by byte through a generic collection takes thirty times as long as reading contiguous memory, which the bytes nearly
        // always are.
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
        // Invalid bytes have been replaced by the replacement character, so the bytes now differ.
        guard text.withUTF8({ Self.areEqual($0, bytes) }) else { return nil }
        self = text
    }

    /// Does not stop at the first difference, so many bytes are compared at once: `elementsEqual` takes twenty times as long.
    private static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var differences: UInt8 = 0
        for index in 0..<one.count { differences |= one[index] ^ other[index] }
        return differences == 0
    }

    /// Nil if a surrogate stands alone.
    package init?(strictly units: some Collection<UInt16>) {
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units) else { return nil }
        self = text
    }
}
