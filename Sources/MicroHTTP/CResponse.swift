import CMicroHTTPD
import GateHTTP

/// An `MHD_Response` and the reference to it. libmicrohttpd counts references under its own lock: a queued response outlives this.
final class CResponse: Sendable {
    /// The `MHD_Response *` as a number, because that is how `ResponseAttachment` keeps it.
    let bits: UInt

    var pointer: OpaquePointer { OpaquePointer(bitPattern: bits)! }

    /// Copies the body: libmicrohttpd may send it after the Swift value is gone.
    /// - Parameter closes: adds `Connection: close`.
    /// - Throws: the reason why the answer cannot be sent as it is.
    init(body: [UInt8], headers: HTTPHeaders, closes: Bool = false) throws(UnsendableResponse) {
        let made = body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { throw UnsendableResponse(reason: "no memory for a response of \(body.count) bytes") }
        do {
            for field in headers { try Self.add(field, to: made) }
            if closes { try Self.add(HTTPHeaders.Field(name: "Connection", value: "close"), to: made) }
        } catch {
            MHD_destroy_response(made)
            throw error
        }
        bits = UInt(bitPattern: made)
    }

    deinit {
        MHD_destroy_response(pointer)
    }

    private static func add(_ field: HTTPHeaders.Field, to response: OpaquePointer) throws(UnsendableResponse) {
        // libmicrohttpd refuses CR and LF, would cut the value at NUL, and would send the other controls.
        guard field.isSendable, MHD_add_response_header(response, field.name, field.value) == .YES else {
            // The name alone: a value may be a secret.
            throw UnsendableResponse(reason: "the header \(field.name) cannot be sent")
        }
    }
}

/// Why an answer cannot be sent as the responder gave it.
struct UnsendableResponse: Error {
    let reason: String
}

extension HTTPResponse {
    /// The C response, after the checks that libmicrohttpd leaves to its caller.
    /// - Parameter maximumHeaderBytes: a longer header might not fit into the connection's memory.
    func makeCResponse(closes: Bool, maximumHeaderBytes: Int) throws(UnsendableResponse) -> CResponse {
        guard 200...599 ~= status else { throw UnsendableResponse(reason: "\(status) is not the status of a final answer") }
        for name in ["Content-Length", "Transfer-Encoding", "Connection", "Date"] where headers[name] != nil {
            throw UnsendableResponse(reason: "the header \(name) is set by the server itself")
        }
        // 128 for the status line and the server's own fields.
        let headerBytes = headers.reduce(128) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard headerBytes <= maximumHeaderBytes else {
            throw UnsendableResponse(reason: "the header has \(headerBytes) bytes; \(maximumHeaderBytes) fit")
        }
        return try CResponse(body: status == 204 ? [] : body, headers: headers, closes: closes)
    }
}

extension PreparedResponse {
    /// The C response that belongs to this one, made when it is first sent and destroyed with it. Nil when it cannot be made.
    @inline(__always)
    func cResponse(maximumHeaderBytes: Int) -> OpaquePointer? {
        let bits = attachment.value
        return OpaquePointer(bitPattern: bits != 0 ? bits : attachCResponse(maximumHeaderBytes))
    }

    private func attachCResponse(_ maximumHeaderBytes: Int) -> UInt {
        guard choice == nil else { return 0 }
        return attachment.attach {
            // Nothing is lost by dropping the error: the caller sends the same answer the other way and meets it there.
            guard let made = try? HTTPResponse(prepared: self).makeCResponse(closes: false, maximumHeaderBytes: maximumHeaderBytes) else {
                return nil
            }
            return (made.bits, made)
        }
    }
}
