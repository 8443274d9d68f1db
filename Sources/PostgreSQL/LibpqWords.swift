/// libpq's message about a connection that failed or broke. The text is all there is: libpq keeps neither the server's code nor the
/// system's error number separately. The text contains the server's code because it is asked for in full (`PQERRORS_VERBOSE`).
struct LibpqWords {
    /// On one line.
    let text: String

    init(_ text: String) {
        self.text = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
        // "FATAL:  57P01: terminating connection due to administrator command", followed by the place in the server's own sources.
        let said = text.matches(of: /(?m)^.*?[^ :]+:  ([0-9A-Z]{5}): (.+)$/).last
        server = said.map { (String($0.1), String($0.2)) }
    }

    /// The last thing that a server itself said; with several addresses, the last of them.
    let server: (code: String, message: String)?

    /// - Parameter other: the kind of error where no server said anything.
    func error(_ other: PostgresError.Kind, statement: String? = nil) -> PostgresError {
        guard let (code, message) = server else { return PostgresError(other, text, statement: statement) }
        return PostgresError(PostgresError.Kind(sqlState: code), message, sqlState: code, statement: statement)
    }

    /// Why no connection was made; the most telling text comes first. The texts are libpq's own (fe-connect.c, fe-auth.c,
    /// fe-secure-openssl.c), which are English as long as nobody calls setlocale, and the C library's.
    var obstacle: PostgresError.Kind {
        let table: [(String, PostgresError.Kind)] = [
            ("expected authentication request", .unsupportedServer),
            ("no password supplied", .signInRefused), ("authentication", .signInRefused), ("SCRAM", .signInRefused),
            ("SSL", .tls), ("certificate", .tls), ("sslmode", .tls), ("root.crt", .tls), ("GSSAPI", .tls),
            ("session is read-only", .unsupportedServer), ("session is not read-only", .unsupportedServer),
            ("server is in hot standby mode", .unsupportedServer), ("server is not in hot standby mode", .unsupportedServer),
            ("could not translate host name", .unknownHost), ("could not parse network address", .invalidAddress),
            ("invalid", .invalidAddress), ("could not match", .invalidAddress), ("definition of service", .invalidAddress),
            ("Connection refused", .refused), ("No such file or directory", .refused),
            ("server closed the connection", .connectionLost), ("could not receive data", .connectionLost),
        ]
        return table.first { text.contains($0.0) }?.1 ?? .unreachable
    }
}
