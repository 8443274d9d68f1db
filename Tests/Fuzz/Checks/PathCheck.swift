import GateHTTP

/// Paths and queries are decoded once and strictly; an ETag is found by the rules of RFC 9110 or not at all.
enum PathCheck {
    static func look(_ input: [UInt8]) {
        let readable = input.withUnsafeBytes { PercentEncoding.isReadable(path: $0) }
        for plus in [false, true] {
            guard let text = PercentEncoding.decode(input, plusIsSpace: plus) else { continue }
            hold(!text.utf8.contains(0), "a NUL came through")
            hold(text.utf8.count <= input.count, "decoding made a text longer")
            // Input with nothing to decode comes back as it is.
            if !input.contains(where: { $0 == UInt8(ascii: "%") || (plus && $0 == UInt8(ascii: "+")) }) {
                hold(Array(text.utf8) == input, "a plain text was changed")
            }
        }
        if readable { hold(!input.contains { $0 <= 0x20 }, "a control character is readable") }

        let etag = "\"0123456789abcdef\""
        let whole = input.withUnsafeBytes { line in
            Array(etag.utf8).withUnsafeBytes { ConditionalRequest.matches(ifNoneMatch: line, etag: $0) }
        }
        if whole {
            let text = String(decoding: input, as: UTF8.self)
            hold(text.contains(etag) || text.contains("*"), "an ETag is found that is not there")
        }
        if let text = String(validating: input, as: UTF8.self), !text.contains("\n"), !text.contains("\r") {
            hold(ConditionalRequest.matches(ifNoneMatch: [text], etag: etag) == whole, "the two readers of If-None-Match differ")
        }
    }
}
