import GateService

/// The cookie by which a browser is recognised at its person's next sign-in while somebody attacks their name (OWASP, "Device Cookies").
///
/// It grants no access and outlives the session. It is named like the session's cookie, for the same reasons.
enum DeviceCookie {
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-gh_device" : "gh_device" }

    static func set(_ text: String, isSecure: Bool) -> String {
        SessionCookie.set(name(isSecure: isSecure), to: text, isSecure: isSecure, seconds: AccessService.deviceLifetime)
    }

    /// The value of this cookie in a `Cookie` header.
    static func text(in header: String, isSecure: Bool) -> String? { SessionCookie.value(of: name(isSecure: isSecure), in: header) }
}
