import Testing

@testable import GateCrypto

@Suite struct SigningKeyTests {
    /// RFC 8032 section 7.1: TEST 1, 2, 3 and TEST SHA(abc).
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let seed: String
        let publicKey: String
        let message: String
        let signature: String

        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "TEST 1",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature:
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        Vector(
            name: "TEST 2",
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature:
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        Vector(
            name: "TEST 3",
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature:
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
        Vector(
            name: "TEST SHA(abc)",
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message:
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            signature:
                "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ]

    @Test(arguments: vectors) func publishedVectors(vector: Vector) throws {
        let (seed, message) = try (bytes(vector.seed), bytes(vector.message))
        let key = try #require(SigningKey(seed: seed))
        #expect(Hexadecimal.encode(key.verifyingKey.bytes) == vector.publicKey)
        #expect(Hexadecimal.encode(key.sign(message)) == vector.signature)
        #expect(try key.verifyingKey.verify(bytes(vector.signature), over: message))
    }

    @Test func aChangedBitAnywhereIsNoticed() throws {
        let key = SigningKey(random: .system)
        let message = Array(#"{"schema":"gatehouse/v1"}"#.utf8)
        let signature = key.sign(message)
        #expect(key.verifyingKey.verify(signature, over: message))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verifyingKey.verify(changed, over: message), "byte \(index) of the signature")
        }
        for index in message.indices {
            var changed = message
            changed[index] ^= 1
            #expect(!key.verifyingKey.verify(signature, over: changed), "byte \(index) of the message")
        }
        #expect(!key.verifyingKey.verify(signature, over: message + [0x0A]))
        #expect(!key.verifyingKey.verify(signature, over: message.dropLast()))
        #expect(!SigningKey(random: .system).verifyingKey.verify(signature, over: message))
    }

    @Test func aSignatureHas64Bytes() throws {
        let key = SigningKey(random: .system)
        let signature = key.sign([1])
        #expect(signature.count == 64)
        for wrong in [[], Array(signature.dropLast()), signature + [0]] { #expect(!key.verifyingKey.verify(wrong, over: [1])) }
    }

    /// The point of order one verifies (R = S·B, S = 0) for whoever does not refuse it.
    @Test func aKeyOfSmallOrderVerifiesNothing() throws {
        let identity: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        let key = try #require(VerifyingKey(bytes: identity))
        #expect(!key.verify(identity + [UInt8](repeating: 0, count: 32), over: [1, 2, 3]))
    }

    @Test func textsHaveOneSpellingAndReadBack() throws {
        let key = try #require(SigningKey(seed: bytes(Self.vectors[0].seed)))
        #expect(key.secretText == "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A")
        #expect(key.verifyingKey.text == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        #expect(key.verifyingKey.id == "21fe31dfa154a261")
        #expect(SigningKey(key.secretText)?.verifyingKey == key.verifyingKey)
        #expect(VerifyingKey(key.verifyingKey.text) == key.verifyingKey)
        for text in ["", "AAAA", key.verifyingKey.text + "=", key.verifyingKey.text + "A", String(key.verifyingKey.text.dropLast())] {
            #expect(VerifyingKey(text) == nil, "\(text)")
            #expect(SigningKey(text) == nil, "\(text)")
        }
        for count in [0, 31, 33, 64] {
            #expect(SigningKey(seed: [UInt8](repeating: 0, count: count)) == nil)
            #expect(VerifyingKey(bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
    }

    @Test func whatDescribesAKeyTellsNoSecret() throws {
        let key = SigningKey(random: RandomSource { [UInt8](repeating: 0xA5, count: $0) })
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key) \(String(reflecting: key))\n" == "SigningKey(\(key.verifyingKey.id)) SigningKey(\(key.verifyingKey.id))\n")
        for secret in [key.secretText, "165", "a5a5"] { #expect(!dumped.contains(secret), "\(dumped)") }
    }

    @Test func wipedBytesAreOverwritten() {
        var bytes = [UInt8](repeating: 0xA5, count: 32)
        SecretBytes.wipe(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 32))
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.decode(text)) }
}
