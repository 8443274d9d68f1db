import CMicroHTTPD

/// A certificate chain with its key, as GnuTLS holds them.
///
/// Sendable because it is only read after `init`, by GnuTLS too: any number of handshakes on any threads use one at the same time, just as
/// they use the credentials that libmicrohttpd itself shares between its workers.
final class TLSIdentity: @unchecked Sendable {
    fileprivate let identity: UnsafeMutablePointer<gatehouse_identity>

    /// - Throws: `invalidCertificate`, in GnuTLS's words, for texts that are not PEM or do not belong together.
    init(_ files: HTTPServer.TLSFiles) throws(HTTPServerError) {
        let identity = UnsafeMutablePointer<gatehouse_identity>.allocate(capacity: 1)
        identity.initialize(to: gatehouse_identity())
        let code = gatehouse_identity_read(identity, files.certificate, files.key)
        guard code == 0 else {
            identity.deallocate()
            throw HTTPServerError(
                .invalidCertificate,
                "certificate and key are not accepted: \(String(cString: gnutls_strerror(code))) Are they PEM, do they belong together, and is the server's own certificate first?"
            )
        }
        self.identity = identity
    }

    deinit {
        gatehouse_identity_free(identity)
        identity.deallocate()
    }
}

/// Which certificate a connection shows: the one in use when it was accepted, which the connection keeps alive.
@c(gatehouse_identity_of)
func gatehouseIdentity(of state: UnsafeMutableRawPointer) -> UnsafePointer<gatehouse_identity>? {
    state.assumingMemoryBound(to: ConnectionState.self).pointee.identity.map { UnsafePointer($0.identity) }
}
