import GateCrypto
import GateModel
import GateStore

/// The secret in the link of an invitation: 43 characters that hold who made it and 184 random bits.
///
/// Whoever made a link may still have it, and must not be able to use it once they could not make it any more. Nothing but the link says
/// who that was, and its stored digest vouches for it.
struct InvitationToken {
    /// Who may be held to what an invitation gives.
    enum Issuer: Equatable {
        /// A shell on the server's machine.
        case server
        /// A person, with a session or a token of their own.
        case person(Int)
        /// A token without an owner.
        case token(String)
    }

    let issuer: Issuer
    let text: String

    init(by issuer: Issuer, random: RandomSource) {
        let (kind, id): (UInt8, [UInt8]) =
            switch issuer {
            case .server: (0, [])
            case .person(let id): (1, withUnsafeBytes(of: UInt64(id).bigEndian, Array.init))
            // As long as TokenText makes them.
            case .token(let id): (2, Array(id.utf8))
            }
        precondition(id.count <= Self.idBytes)
        let padding = [UInt8](repeating: 0, count: Self.idBytes - id.count)
        self.issuer = issuer
        text = Base64URL.encode([kind] + id + padding + random.bytes(Self.randomBytes))
    }

    /// A token that somebody sent; nil for text that cannot be one.
    init?(_ text: String) {
        // Before it is decoded: it may be anything.
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 1 + Self.idBytes + Self.randomBytes else {
            return nil
        }
        let id = bytes[1...Self.idBytes]
        switch bytes[0] {
        case 0: issuer = .server
        case 1: issuer = .person(Int(truncatingIfNeeded: id.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }))
        case 2: issuer = .token(String(decoding: id, as: UTF8.self))
        default: return nil
        }
        self.text = text
    }

    private static let idBytes = 8
    private static let randomBytes = 23
}

extension InvitationToken.Issuer {
    /// Somebody with a token of their own stands for themselves: signing out of a tool ends that token, and not what they did.
    init(_ caller: Caller) {
        self = caller.userID.map(Self.person) ?? caller.token.map { .token($0.id) } ?? .server
    }
}
