/// The cookie that names a session (ASVS 5.0 section 3.3).
enum SessionCookie {
    /// `__Host-` makes browsers refuse the cookie unless it is Secure, for this host alone and for every path (RFC 6265bis 4.1.3.2).
    /// Over plain HTTP on the loopback it cannot be set, so a different name is used there.
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-gh_session" : "gh_session" }

    static func set(_ secret: String, isSecure: Bool) -> String { set(name(isSecure: isSecure), to: secret, isSecure: isSecure) }

    static func expired(isSecure: Bool) -> String { set(name(isSecure: isSecure), to: "", isSecure: isSecure, seconds: 0) }

    /// The value of `Set-Cookie` for a cookie that no script reads and no other site sends.
    /// - Parameter seconds: how long the browser keeps it; nil for as long as it runs.
    static func set(_ name: String, to value: String, isSecure: Bool, seconds: Int64? = nil) -> String {
        "\(name)=\(value); Path=/;\(isSecure ? " Secure;" : "") HttpOnly; SameSite=Strict" + (seconds.map { "; Max-Age=\($0)" } ?? "")
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
