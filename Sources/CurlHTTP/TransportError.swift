/// Why an exchange with a server brought no answer.
package struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stood in the way. The raw values are words for programs, and never change their meaning.
    package enum Obstacle: String, Sendable, CaseIterable {
        /// The name service knows no such host.
        case unknownHost = "unknown_host"
        /// The machine answers, but nothing listens on that port.
        case refused
        /// There is no way to the machine.
        case unreachable
        case timedOut = "timed_out"
        /// The connection broke before there was an answer.
        case lost
        /// The other side closed the connection without a word, as a TLS listener does when it is asked over plain http.
        case hungUp = "hung_up"
        /// No authority trusted here has signed the certificate.
        case certificateUnknown = "certificate_unknown"
        /// The certificate has expired or is not valid yet.
        case certificateExpired = "certificate_expired"
        case certificateOfAnotherHost = "certificate_of_another_host"
        /// Another fault in the certificate, described in ``TransportError/detail``.
        case certificateRefused = "certificate_refused"
        /// https was asked for, but what answers does not speak TLS.
        case notTLS = "not_tls"
        /// Both sides speak TLS but could not agree on how.
        case handshakeFailed = "handshake_failed"
        /// http was asked for, but what answers speaks something else, perhaps TLS.
        case notHTTP = "not_http"
        /// The proxy that the environment names cannot be reached, or refused.
        case proxy
        /// The file of trusted authorities cannot be read.
        case trustFile = "trust_file"
        /// The answer is longer than the limit.
        case tooLong = "too_long"
    }

    package let code: Obstacle
    /// Whether anything of the request may have reached the server: false only where that is certain.
    package let mayHaveArrived: Bool
    /// In libcurl's words; holds neither headers nor bodies.
    package let detail: String

    /// Whether asking again in a moment would be useless.
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
