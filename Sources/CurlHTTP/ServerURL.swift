import CCurl

/// The parts of a URL, as libcurl itself reads them: two readers that differ would check one host and send to another.
package struct ServerURL {
    /// In lower case.
    package let scheme: String
    /// The host that libcurl connects to: an IPv4 address in an unusual notation becomes four octets; IPv6 addresses are in brackets.
    package let host: String
    /// Nil if the URL names none and the scheme's default applies.
    package let port: String?
    /// Whether the URL has no user, password, query or fragment.
    package let isBare: Bool

    /// Nil for a text that libcurl does not read as a URL with a scheme and a host.
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
