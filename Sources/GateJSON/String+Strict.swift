/// Text of bytes that must be whole. The standard library's `String(validating:as:)` needs iOS 18, and these rooms are built into apps too.
extension String {
    /// Nil unless the bytes are UTF-8 throughout.
    package init?(strictly bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // What is broken has become a replacement character, and is other bytes now.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }

    /// Nil when a surrogate stands alone.
    package init?(strictly units: some Collection<UInt16>) {
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units) else { return nil }
        self = text
    }
}
