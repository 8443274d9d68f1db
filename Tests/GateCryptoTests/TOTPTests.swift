import Testing

@testable import GateCrypto

struct TOTPTests {
    private let secret = Array("12345678901234567890".utf8)

    /// FIPS 180-4's examples, and lengths around the padding's edges (made with another implementation).
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func theDigestIsThatOfTheStandard(text: String, digest: String) {
        #expect(Hexadecimal.encode(SHA1Digest.bytes(of: Array(text.utf8))) == digest)
    }

    /// RFC 2202 section 3, cases 1, 2, 3, 6.
    @Test(arguments: [
        ([UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        ([UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50), "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        (
            [UInt8](repeating: 0xaa, count: 80), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
    ])
    func theAuthenticationCodeIsThatOfTheStandard(key: [UInt8], message: [UInt8], code: String) {
        #expect(Hexadecimal.encode(SHA1Digest.authenticate(message, key: key)) == code)
    }

    /// RFC 4226 appendix D.
    @Test func theCodesOfTheFirstCountersAreThoseOfTheStandard() {
        let codes = (0..<10).map { TOTP(secret: secret).text(step: $0) }
        #expect(codes == ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"])
    }

    /// RFC 6238 appendix B, the lines of SHA-1.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000, "65353130"),
    ])
    func theCodeOfAMomentIsThatOfTheStandard(seconds: Int64, code: String) {
        #expect(TOTP(secret: secret).text(step: TOTP.step(atSeconds: seconds), digits: 8) == code)
    }

    @Test func aCodeIsTakenInTheStepBeforeAndTheStepAfterAndNoFurther() {
        let code = TOTP(secret: secret)
        let now: Int64 = 1_111_111_111
        let step = TOTP.step(atSeconds: now)
        for away in Int64(-3)...3 {
            #expect(code.step(of: code.text(step: step + away), atSeconds: now) == (abs(away) <= 1 ? step + away : nil), "\(away)")
        }
    }

    @Test(arguments: ["", "05047", "0050471", "050 471", "+50471", "٠٥٠٤٧١"]) func whatIsNoCodeIsRefused(text: String) {
        #expect(TOTP(secret: secret).step(of: "050471", atSeconds: 1_111_111_111) != nil)
        #expect(TOTP(secret: secret).step(of: text, atSeconds: 1_111_111_111) == nil)
    }
}
