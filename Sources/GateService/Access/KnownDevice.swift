import GateCrypto
import GateJSON
import GateModel
import GateStore

/// What a browser keeps of a sign-in, so that it is known again while somebody attacks its person's name (OWASP, "Device Cookies").
///
/// It opens nothing. It spares whoever shows it the waits that strangers bring about, and has a counter of its own instead, so one that is
/// stolen is worth a handful of guesses. Bound to one person and to their password of today: a new password ends it.
struct KnownDevice: Sendable, Equatable {
    /// Names the counter of its failures; 22 letters, digits, `-` and `_`.
    let id: String
    let userID: Int
    /// ``UserRecord/passwordChangedAt`` of the password that it was given for.
    let passwordChangedAt: Timestamp
    let issuedAt: Timestamp

    /// Seconds that one is good for: browsers keep no cookie longer.
    static let lifetime: Int64 = 400 * 86_400
    private static let idByteCount = 16
    private static let form: UInt8 = 1

    /// A new one.
    init(of user: UserRecord, random: RandomSource, at now: Timestamp) {
        id = Base64URL.encode(random.bytes(Self.idByteCount))
        userID = user.id
        passwordChangedAt = user.passwordChangedAt
        issuedAt = now
    }

    /// One that a browser sent; nil for what this server's key has not sealed.
    init?(_ text: String, box: SecretBox) {
        // No longer than one that is real: a header may hold kilobytes.
        guard text.utf8.count <= 128, let sealed = Base64URL.decode(text), let bytes = box.open(sealed), bytes.first == Self.form,
            bytes.count == 25 + Self.idByteCount
        else { return nil }
        func number(at start: Int) -> Int64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) } }
        userID = Int(number(at: 1))
        passwordChangedAt = Timestamp(milliseconds: number(at: 9))
        issuedAt = Timestamp(milliseconds: number(at: 17))
        id = Base64URL.encode(Array(bytes[25...]))
    }

    /// What the browser keeps: nobody can read or make one but this server.
    func text(box: SecretBox, random: RandomSource) -> String {
        func bytes(_ number: Int64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        let message =
            [Self.form] + bytes(Int64(userID)) + bytes(passwordChangedAt.milliseconds) + bytes(issuedAt.milliseconds)
            + (Base64URL.decode(id) ?? [])
        return Base64URL.encode(box.seal(message, random: random))
    }

    /// Whether it is this person's, of their present password, and not too old.
    func isKnown(to user: UserRecord, at now: Timestamp) -> Bool {
        userID == user.id && passwordChangedAt == user.passwordChangedAt && now < issuedAt.advanced(bySeconds: Self.lifetime)
    }
}

extension AccessService {
    /// The device that a browser shows, when this person has signed in from it with their present password.
    func device(_ origin: RequestOrigin, of user: UserRecord?) -> KnownDevice? {
        // Without its key nobody is known, and everybody can still sign in as a stranger.
        guard let user, let text = origin.device, let box = try? keys?.box(for: .devices, create: false),
            let device = KnownDevice(text, box: box), device.isKnown(to: user, at: now())
        else { return nil }
        return device
    }

    /// What a person's browser is to keep from now on; nil where there are no keys, or they cannot be kept at the moment: signing in does not
    /// fail for it.
    func newDevice(of user: UserRecord) -> String? {
        guard let box = try? keys?.box(for: .devices, create: true) else { return nil }
        return KnownDevice(of: user, random: random, at: now()).text(box: box, random: random)
    }
}
