import GateCrypto
import GateJSON
import GateModel
import GateStore

/// What a browser keeps after a sign-in, so that it is recognised while somebody attacks its person's name (OWASP, "Device Cookies").
///
/// It does not let anybody in. It spares the browser the waits that strangers cause, and has a failure counter of its own instead, so a
/// stolen one is worth a handful of guesses. Bound to one person and their current password: a new password ends it.
struct KnownDevice: Sendable, Equatable {
    /// Names its failure counter; 22 letters, digits, `-` and `_`.
    let id: String
    let userID: Int
    /// The person's ``UserRecord/passwordChangedAt`` when it was issued.
    let passwordChangedAt: Timestamp
    let issuedAt: Timestamp

    private static let idByteCount = 16
    private static let form: UInt8 = 1

    /// A new one.
    init(of user: UserRecord, random: RandomSource, at now: Timestamp) {
        id = Base64URL.encode(random.bytes(Self.idByteCount))
        userID = user.id
        passwordChangedAt = user.passwordChangedAt
        issuedAt = now
    }

    /// One that a browser sent; nil for anything this server's key has not sealed.
    init?(_ text: String, box: SecretBox) {
        // No real one is longer, while a header may hold kilobytes.
        guard text.utf8.count <= 128, let sealed = Base64URL.decode(text), let bytes = box.open(sealed), bytes.first == Self.form,
            bytes.count == 25 + Self.idByteCount
        else { return nil }
        func number(at start: Int) -> Int64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) } }
        userID = Int(number(at: 1))
        passwordChangedAt = Timestamp(milliseconds: number(at: 9))
        issuedAt = Timestamp(milliseconds: number(at: 17))
        id = Base64URL.encode(Array(bytes[25...]))
    }

    /// The text the browser keeps; only this server can read or make it.
    func text(box: SecretBox, random: RandomSource) -> String {
        let message =
            [Self.form] + Int64(userID).bytes + passwordChangedAt.milliseconds.bytes + issuedAt.milliseconds.bytes
            + (Base64URL.decode(id) ?? [])
        return Base64URL.encode(box.seal(message, random: random))
    }

    /// Whether it belongs to this person and their current password, and is not too old.
    func isKnown(to user: UserRecord, at now: Timestamp) -> Bool {
        userID == user.id && passwordChangedAt == user.passwordChangedAt && now < issuedAt.advanced(bySeconds: AccessService.deviceLifetime)
    }
}

extension AccessService {
    /// The device that a browser presents, if this person has signed in from it with their current password.
    func device(_ origin: RequestOrigin, of user: UserRecord?) -> KnownDevice? {
        // Without the key no browser is known, and everybody can still sign in as a stranger.
        guard let user, let text = origin.device, let box = try? keys?.box(for: .devices, create: false),
            let device = KnownDevice(text, box: box), device.isKnown(to: user, at: now())
        else { return nil }
        return device
    }

    /// What a person's browser should keep from now on; nil where there are no keys, or they cannot be stored at the moment. Signing in
    /// does not fail because of it.
    func newDevice(of user: UserRecord) -> String? {
        guard let box = try? keys?.box(for: .devices, create: true) else { return nil }
        return KnownDevice(of: user, random: random, at: now()).text(box: box, random: random)
    }
}
