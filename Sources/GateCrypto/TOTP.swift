/// The six digits that an authenticator shows (RFC 6238: HMAC-SHA1, steps of 30 seconds since 1970).
package struct TOTP: Sendable {
    /// The secret that authenticator and server share.
    private let secret: [UInt8]

    /// RFC 4226 section 4 recommends 160 bits.
    package static let secretByteCount = 20
    /// Seconds for which one code is shown.
    package static let period: Int64 = 30
    package static let digits = 6
    /// How many steps before and after the present one are also accepted: clocks differ, and typing takes time (RFC 6238 section 5.2).
    package static let window: Int64 = 1

    package init(secret: [UInt8]) { self.secret = secret }

    /// The step that a moment belongs to.
    package static func step(atSeconds seconds: Int64) -> Int64 { seconds / period }

    /// The code of a step (RFC 4226 section 5.3), with its leading zeros.
    package func text(step: Int64, digits: Int = Self.digits) -> String {
        let mac = SHA1Digest.authenticate(step.bytes, key: secret)
        let offset = Int(mac[19] & 0x0f)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let divisor = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let code = String(number % divisor)
        return String(repeating: "0", count: digits - code.count) + code
    }

    /// The step whose code `text` is, among those of the window; nil for a wrong code. Each is compared in constant time.
    ///
    /// Each step may be used once (RFC 6238 section 5.2): the caller keeps the last one used and refuses it and those before it.
    package func step(of text: String, atSeconds seconds: Int64) -> Int64? {
        let present = Self.step(atSeconds: seconds)
        var found: Int64?
        for step in present - Self.window...present + Self.window where ConstantTime.equal(self.text(step: step), text) { found = step }
        return found
    }
}

extension TOTP: CustomStringConvertible, CustomReflectable {
    package var description: String { "TOTP" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
