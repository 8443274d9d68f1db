/// `If-None-Match`, to the letter of RFC 9110 section 13.1.2, on the field's raw bytes and without allocating.
package enum ConditionalRequest {
    /// True when the field names the entity tag, or is `*`: GET and HEAD are then answered 304.
    ///
    /// Tags are compared weakly (section 8.8.3.2): `W/` on either side is ignored. A field that breaks the grammar counts up to the
    /// fault; the rest of it matches nothing, so that the client gets the whole answer rather than a wrong 304.
    /// - Parameters:
    ///   - ifNoneMatch: the value of one field line.
    ///   - etag: the tag of what would be sent, with its quotes, with or without `W/`.
    package static func matches(ifNoneMatch: UnsafeRawBufferPointer, etag: UnsafeRawBufferPointer) -> Bool {
        let tag = opaque(etag)
        var place = 0
        let end = ifNoneMatch.count
        var isFirst = true
        while true {
            // A list may have empty elements (section 5.6.1.2), so commas and blanks are skipped alike between tags.
            while place < end, isBlank(ifNoneMatch[place]) || ifNoneMatch[place] == UInt8(ascii: ",") { place += 1 }
            guard place < end else { return false }
            if isFirst, ifNoneMatch[place] == UInt8(ascii: "*") {
                return ifNoneMatch[(place + 1)...].allSatisfy(isBlank)
            }
            isFirst = false
            if ifNoneMatch[place] == UInt8(ascii: "W") {
                guard place + 1 < end, ifNoneMatch[place + 1] == UInt8(ascii: "/") else { return false }
                place += 2
            }
            guard place < end, ifNoneMatch[place] == UInt8(ascii: "\"") else { return false }
            let start = place
            place += 1
            while place < end, isTagCharacter(ifNoneMatch[place]) { place += 1 }
            guard place < end, ifNoneMatch[place] == UInt8(ascii: "\"") else { return false }
            place += 1
            let candidate = UnsafeRawBufferPointer(rebasing: ifNoneMatch[start..<place])
            while place < end, isBlank(ifNoneMatch[place]) { place += 1 }
            guard place == end || ifNoneMatch[place] == UInt8(ascii: ",") else { return false }
            if candidate.count == tag.count, candidate.elementsEqual(tag) { return true }
        }
    }

    /// The same for several field lines, which RFC 9110 section 5.2 makes one list.
    package static func matches(ifNoneMatch lines: [String], etag: String) -> Bool {
        var joined = lines.joined(separator: ", ")
        var etag = etag
        return joined.withUTF8 { joined in
            etag.withUTF8 { matches(ifNoneMatch: UnsafeRawBufferPointer(joined), etag: UnsafeRawBufferPointer($0)) }
        }
    }

    private static func opaque(_ etag: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        etag.count > 2 && etag[0] == UInt8(ascii: "W") && etag[1] == UInt8(ascii: "/")
            ? UnsafeRawBufferPointer(rebasing: etag[2...]) : etag
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// etagc = %x21 / %x23-7E / obs-text
    @inline(__always)
    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        byte == 0x21 || byte >= 0x23 && byte != 0x7f
    }
}
