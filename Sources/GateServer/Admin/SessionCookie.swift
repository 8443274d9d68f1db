/// The cookie that names a session (ASVS 5.0 section 3.3).
enum SessionCookie {
    /// `__Host-` makes browsers refuse the cookie unless it is Secure, for this host alone and for every path (RFC 6265bis 4.1.3.2).
    /// Over plain HTTP on the loopback it cannot be set, so a different name is used there.
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-gh_session" : "gh_session" }

    static func set(_ secret: String, isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=\(secret); Path=/;\(isSecure ? " Secure;" : "") HttpOnly; SameSite=Strict"
    }

    static func expired(isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=; Path=/;\(isSecure ? " Secure;" : "") HttpOnly; SameSite=Strict; Max-Age=0"
    }

    /// The session's secret from a `Cookie` header; nil when there is none, or when there are two that a browser would not have sent.
    static func secret(in header: String, isSecure: Bool) -> String? { value(of: name(isSecure: isSecure), in: header) }

    /// The value of the one cookie of that name; nil when there is none or more than one.
    static func value(of name: String, in header: String) -> String? {
        let prefix = name + "="
        let values = header.split(separator: ";").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(prefix) }
        return values.count == 1 ? String(values[0].dropFirst(prefix.count)) : nil
    }
}
