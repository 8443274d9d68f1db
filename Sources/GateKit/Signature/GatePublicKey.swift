import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import GateCrypto
#endif

/// A server's public key, pinned in the app: documents from anybody else are then refused.
public struct GatePublicKey: Sendable, Hashable, CustomStringConvertible {
    /// The first 16 lowercase hexadecimal digits of the key's SHA-256; signatures name the key by it.
    public let id: String
    /// The 32 bytes of an Ed25519 key.
    private let bytes: [UInt8]

    /// - Parameter text: the 32 bytes in base64url without padding, as `gatehouse keys list` and `/feeds/keys.json` write them.
    /// - Throws: ``GateKitError`` `signature` if the text is not a key.
    public init(_ text: String) throws(GateKitError) {
        guard let bytes = Self.decode(text) else {
            throw GateKitError(.signature, "A public key is 32 bytes in base64url without padding, 43 characters.")
        }
        self.bytes = bytes
        id = Self.id(of: bytes)
    }

    public var description: String { id }

    /// Whether the signature was made with this key over exactly these bytes.
    func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        #if canImport(CryptoKit)
            // If the bytes are not a valid key, no signature is accepted.
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
            return key.isValidSignature(Data(signature), for: Data(message))
        #else
            return VerifyingKey(bytes: bytes)?.verify(signature, over: message) ?? false
        #endif
    }

    private static func id(of bytes: [UInt8]) -> String {
        #if canImport(CryptoKit)
            SHA256.hash(data: Data(bytes)).prefix(8).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        #else
            VerifyingKey(bytes: bytes)?.id ?? ""
        #endif
    }

    /// Base64url without padding (RFC 4648 section 5); only the canonical spelling is accepted.
    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 43, !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        guard let data = Data(base64Encoded: standard), data.count == 32, data.base64EncodedString() == standard else { return nil }
        return Array(data)
    }
}
