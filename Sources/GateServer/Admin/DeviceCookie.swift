/// The cookie by which a browser is known at its person's next sign-in, while somebody attacks their name (OWASP, "Device Cookies").
///
/// It opens nothing and outlives the session. Named as the session's cookie is, for the same reasons.
enum DeviceCookie {
    /// 400 days, as long as browsers keep any.
    private static let maxAge = 34_560_000

    static func name(isSecure: Bool) -> String { isSecure ? "__Host-gh_device" : "gh_device" }

    static func set(_ text: String, isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=\(text); Path=/;\(isSecure ? " Secure;" : "") HttpOnly; SameSite=Strict; Max-Age=\(maxAge)"
    }

    /// What a `Cookie` header holds of it.
    static func text(in header: String, isSecure: Bool) -> String? { SessionCookie.value(of: name(isSecure: isSecure), in: header) }
}
