/// Why an exchange with a server brought no answer.
package struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stood in the way. The raw values are words for programs, and never change their meaning.
    package enum Obstacle: String, Sendable, CaseIterable {
        /// The name service knows no such host.
        case unknownHost = "unknown_host"
        /// The machine answers, and nothing listens at that port.
        case refused
        /// There is no way to the machine.
        case unreachable
        case timedOut = "timed_out"
        /// The connection broke before there was an answer.
        case lost
        /// The other side closed the connection without a word, as a listener with TLS does that is asked over plain http.
        case hungUp = "hung_up"
        /// No authority that is trusted here has signed the certificate.
        case certificateUnknown = "certificate_unknown"
        /// The certificate is valid no more, or not yet.
        case certificateExpired = "certificate_expired"
        case certificateOfAnotherHost = "certificate_of_another_host"
        /// Another fault in the certificate, told in ``TransportError/detail``.
        case certificateRefused = "certificate_refused"
        /// https was asked for, and what answers speaks no TLS.
        case notTLS = "not_tls"
        /// The two sides speak TLS and found no common ground.
        case handshakeFailed = "handshake_failed"
        /// http was asked for, and what answers speaks something else, TLS perhaps.
        case notHTTP = "not_http"
        /// The proxy that the environment names.
        case proxy
        /// The file of trusted authorities cannot be read.
        case trustFile = "trust_file"
        /// More bytes than are read of one answer.
        case tooLong = "too_long"
    }

    package let code: Obstacle
    /// Whether anything of the request may have reached the server: false only where that is certain.
    package let mayHaveArrived: Bool
    /// In libcurl's words; holds neither headers nor bodies.
    package let detail: String

    /// Whether asking again in a moment is of no use.
    package var isLasting: Bool {
        switch code {
        case .certificateUnknown, .certificateExpired, .certificateOfAnotherHost, .certificateRefused, .notTLS, .notHTTP, .trustFile,
            .tooLong:
            true
        case .unknownHost, .refused, .unreachable, .timedOut, .lost, .hungUp, .handshakeFailed, .proxy: false
        }
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
