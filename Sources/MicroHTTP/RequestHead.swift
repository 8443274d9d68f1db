import CMicroHTTPD
import GateHTTP
import Glibc

/// What one pass over a request's header finds: the fields that decide where the request ends and whether to trust it at all.
///
/// The pointers lead into libmicrohttpd's memory of the connection and are valid until the request is completed.
struct RequestHead {
    private(set) var refusal: EdgeRefusal?
    /// The declared length of the body; 0 when none was declared.
    private(set) var contentLength = 0
    private(set) var isChunked = false
    /// The client sends no body before it has heard `100 Continue`.
    private(set) var expectsContinue = false
    /// The first `If-None-Match`.
    private(set) var ifNoneMatch: UnsafeRawBufferPointer?
    private(set) var hasSeveralIfNoneMatch = false
    private(set) var host: UnsafeRawBufferPointer?
    /// Bytes from the start of the request line to the end of the empty line after the header.
    private(set) var size = 0
    private(set) var fieldCount = 0
    private(set) var hasCookies = false

    var hasBody: Bool { isChunked || contentLength > 0 }

    private let isVersion11: Bool
    /// Where the previous field ended; nil when distances say nothing.
    private var end: UnsafePointer<CChar>?
    private var isLengthKnown = false
    private var isCodingKnown = false

    init(isVersion11: Bool) {
        self.isVersion11 = isVersion11
    }

    /// Reads the header.
    /// - Parameters:
    ///   - requestLine: where libmicrohttpd has the request line: the method.
    ///   - version: where it has the line's last word, eight characters.
    ///   - checksPlaces: whether a field's place tells what came before it (`LibraryVersion.leavesFieldsInPlace`).
    mutating func read(
        _ connection: OpaquePointer,
        requestLine: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        checksPlaces: Bool
    ) {
        size = gatehouse_header_size(connection)
        if checksPlaces {
            end = version + 8
            // The line ends have been cut off by now, so any CR left is not one of them, though some readers take it for one (RFC 9112
            // section 2.2).
            if memchr(requestLine, 0x0d, size) != nil { refuse(.badFieldValue) }
        }
        withUnsafeMutablePointer(to: &self) { head in
            gatehouse_each_header(
                connection,
                { context, _, name, nameCount, value, valueCount in
                    guard let name, let value else { return 1 }
                    context!.assumingMemoryBound(to: RequestHead.self).pointee.take(name, nameCount, value, valueCount)
                    return 1
                },
                head
            )
        }
        // The last value is followed by its own line end and the empty line, which ends the header. libmicrohttpd also takes
        // a line that begins with NUL or a colon for the end; what follows would then be read as another request.
        if let end, requestLine + size != end + 4 { refuse(.badFieldValue) }
        if isVersion11 && host == nil { refuse(.badHost) }
        if isLengthKnown && isCodingKnown { refusal = .lengthAndTransferEncoding }
    }

    @inline(__always)
    private mutating func take(_ name: UnsafePointer<CChar>, _ nameCount: Int, _ value: UnsafePointer<CChar>, _ valueCount: Int) {
        fieldCount &+= 1
        checkPlace(name, nameCount, value, valueCount)
        let name = UnsafeRawPointer(name)
        if !FieldName.isToken(name, nameCount) { return refuse(.badFieldName) }
        switch nameCount {
        case 4 where FieldName.matches(name, "host"):
            takeHost(UnsafeRawBufferPointer(start: value, count: valueCount))
        case 6 where FieldName.matches(name, "expect"):
            expectsContinue = true
        case 6 where FieldName.matches(name, "cookie"):
            hasCookies = true
        case 13 where FieldName.matches(name, "if-none-match"):
            if ifNoneMatch != nil { hasSeveralIfNoneMatch = true }
            ifNoneMatch = UnsafeRawBufferPointer(start: value, count: valueCount)
        case 14 where FieldName.matches(name, "content-length"):
            takeLength(UnsafeRawBufferPointer(start: value, count: valueCount))
        case 17 where FieldName.matches(name, "transfer-encoding"):
            takeCoding(UnsafeRawBufferPointer(start: value, count: valueCount))
        default:
            break
        }
    }

    /// libmicrohttpd 0.9.75 cuts lines where they lie and measures them with `strlen`, so in a sound header every name begins two
    /// bytes, CR and LF, after the previous value. A NUL in a value leaves a wider gap, a lone LF a narrower one; a folded line
    /// (whose continuation the library adds to the *name*) is copied elsewhere.
    @inline(__always)
    private mutating func checkPlace(
        _ name: UnsafePointer<CChar>,
        _ nameCount: Int,
        _ value: UnsafePointer<CChar>,
        _ valueCount: Int
    ) {
        guard let previous = end else { return }
        end = value + valueCount
        // The usual form: a colon and one blank.
        if name == previous + 2, value == name + nameCount + 2 { return }
        var blank = name + nameCount + 1
        guard name == previous + 2, blank <= value, value - blank < 1 << 16 else { return refuse(.badFieldValue) }
        while blank < value {
            guard blank.pointee == 0x20 || blank.pointee == 0x09 else { return refuse(.badFieldValue) }
            blank += 1
        }
    }

    private mutating func takeHost(_ value: UnsafeRawBufferPointer) {
        var isSound = host == nil && !value.isEmpty
        for byte in value where !FieldName.hostCharacters.contains(byte) { isSound = false }
        if !isSound { refuse(.badHost) }
        host = value
    }

    private mutating func takeLength(_ value: UnsafeRawBufferPointer) {
        if isLengthKnown { refuse(.badContentLength) }
        isLengthKnown = true
        // 18 digits are more than any limit and cannot overflow.
        guard !value.isEmpty, value.count <= 18, value.allSatisfy({ $0 &- 0x30 < 10 }) else { return refuse(.badContentLength) }
        contentLength = value.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private mutating func takeCoding(_ value: UnsafeRawBufferPointer) {
        if !isVersion11 { refuse(.untimelyTransferEncoding) }
        if isCodingKnown || value.count != 7 || !FieldName.matches(value.baseAddress!, "chunked") { refuse(.unsupportedTransferEncoding) }
        isCodingKnown = true
        isChunked = true
    }

    /// Only the first fault is reported.
    private mutating func refuse(_ reason: EdgeRefusal) {
        if refusal == nil { refusal = reason }
    }
}
