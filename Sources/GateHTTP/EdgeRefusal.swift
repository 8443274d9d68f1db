/// Why a request was refused before any responder saw it. RFC 9112's rules on framing, with the cases its section 11 calls
/// smuggling and splitting; two readers that disagree about where a request ends would otherwise see different requests.
package enum EdgeRefusal: Error, Equatable {
    /// Both `Content-Length` and `Transfer-Encoding` (RFC 9112 section 6.1).
    case lengthAndTransferEncoding
    /// `Content-Length` more than once, or not a plain decimal number (section 6.3).
    case badContentLength
    /// A field name that is no token, such as `Content-Length ` with its space (section 5.1).
    case badFieldName
    /// `Transfer-Encoding` other than exactly `chunked` (section 6.1).
    case unsupportedTransferEncoding
    /// `Transfer-Encoding` from an HTTP/1.0 client, whose message must then be treated as faulty (section 6.1).
    case untimelyTransferEncoding
    /// No `Host`, more than one, or one that is no host (section 3.2).
    case badHost
    /// An absolute target whose host is not that of `Host`.
    case foreignTarget
    /// A host that the configuration does not accept.
    case foreignHost
    /// A target that is no path: NUL, `%00`, a bad escape, control characters, or neither origin nor absolute form (section 3.2).
    case badTarget
    /// NUL, a control character, a folded line or one that does not end in CRLF among the fields (sections 2.2 and 5.2, and
    /// RFC 9110 section 5.5).
    case badFieldValue
    /// A method that is none of `HTTPMethod.known`.
    case unknownMethod
    /// Request line and header leave no room for an answer's header in the connection's memory.
    case headerTooLarge
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The responder's answer could not be sent as it stands; the reason is in the log.
    case unsendable

    /// The status code of the refusal.
    package var status: Int {
        switch self {
        case .unknownMethod: 405
        case .bodyTooLarge: 413
        case .headerTooLarge: 431
        case .foreignHost: 421
        case .unsupportedTransferEncoding: 501
        case .unsendable: 500
        default: 400
        }
    }

    /// A stable word for bodies and logs.
    package var code: String {
        switch self {
        case .lengthAndTransferEncoding: "length_and_transfer_encoding"
        case .badContentLength: "bad_content_length"
        case .badFieldName: "bad_field_name"
        case .unsupportedTransferEncoding: "unsupported_transfer_encoding"
        case .untimelyTransferEncoding: "untimely_transfer_encoding"
        case .badHost: "bad_host"
        case .foreignTarget: "foreign_target"
        case .foreignHost: "misdirected_request"
        case .badTarget: "bad_target"
        case .badFieldValue: "bad_field_value"
        case .unknownMethod: "unknown_method"
        case .headerTooLarge: "header_too_large"
        case .bodyTooLarge: "body_too_large"
        case .unsendable: "internal_error"
        }
    }

    /// One sentence for the person who sent the request.
    package var detail: String {
        switch self {
        case .lengthAndTransferEncoding: "Send Content-Length or Transfer-Encoding, not both."
        case .badContentLength: "Send one Content-Length, a decimal number."
        case .badFieldName: "A header name holds a character that names may not have."
        case .unsupportedTransferEncoding: "The only transfer coding accepted is chunked."
        case .untimelyTransferEncoding: "Transfer-Encoding needs HTTP/1.1."
        case .badHost: "Send exactly one Host header that names a host."
        case .foreignTarget: "The request target names a different host than the Host header."
        case .foreignHost: "This server does not answer for that host."
        case .badTarget: "The request target is not a path this server can read."
        case .badFieldValue: "A header value holds a control character, or a header line is folded or does not end in CRLF."
        case .unknownMethod: "This server does not know this method."
        case .headerTooLarge: "The header is too large."
        case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .unsendable: "The answer could not be sent. The server's log says why."
        }
    }

    /// True when nothing further on the connection can be trusted or is worth reading.
    package var closesConnection: Bool {
        self != .unsendable
    }

    /// The refusal as plain text, for listeners without a body of their own.
    package var plainText: HTTPResponse {
        var headers: HTTPHeaders = ["Cache-Control": "no-store"]
        if self == .unknownMethod { headers.append("Allow", "GET, HEAD, OPTIONS") }
        return .text(detail + "\n", status: status, headers: headers)
    }
}
