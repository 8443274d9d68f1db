import CCurl

/// The parts of a URL, as libcurl itself reads them: two readers that differ would check one host and send to another.
package struct ServerURL {
    /// In lower case.
    package let scheme: String
    /// As it is connected to: numbers written in odd ways are four octets here; IPv6 addresses stand in brackets.
    package let host: String
    /// Where one is named; nil for the scheme's own.
    package let port: String?
    /// Whether there is neither user nor query nor fragment.
    package let isBare: Bool

    /// Nil for what libcurl takes for no URL with a scheme and a host.
    package init?(_ text: String) {
        guard let url = curl_url() else { preconditionFailure("libcurl has memory for a URL") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else { return nil }
        func part(_ part: CURLUPart) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &value, 0) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host
        port = part(CURLUPART_PORT)
        isBare = [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT].allSatisfy { part($0) == nil }
    }
}
