import GateCrypto
import Testing

struct SharedSecretTests {
    static let good = "fa2eJ2XZkF5sYwKc8XO0b1pQmH7tLr9vUiN3dGxEzAs"

    private func fault(_ text: String) -> SharedSecret.Fault? {
        do throws(SharedSecret.Fault) {
            _ = try SharedSecret(Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (good, nil), (" \(good)\n", nil), ("\(good)\r\n", nil),
            (Hexadecimal.encode(Base64URL.decode(good)!), nil),
            (Hexadecimal.encode(Base64URL.decode(good)!).uppercased(), nil),
            (RandomSource.system.secret(byteCount: 64), nil), (RandomSource.system.secret(byteCount: 200), nil),
            ("", .short), (" \n", .short), ("secret", .malformed), ("secre", .malformed),
            (String(good.prefix(42)), .short), (String(repeating: "0f", count: 31), .short),
            (good + "=", .malformed), ("correct horse battery staple", .malformed), (good + "\n" + good, .malformed),
            (good.replacing("2", with: "+"), .malformed), (String(repeating: "x", count: 1_025), .malformed),
            (String(repeating: "0", count: 64), .weak), (String(repeating: "A", count: 43), .weak),
            (String(repeating: "0123456789abcdef", count: 5), .weak),
        ] as [(String, SharedSecret.Fault?)]
    )
    func aSecretIs32RandomBytesOrMore(text: String, expected: SharedSecret.Fault?) { #expect(fault(text) == expected, "\(text)") }

    @Test func whatIsMadeIsTaken() {
        for _ in 0..<100 { #expect(fault(SharedSecret.make(random: .system)) == nil) }
        #expect(SharedSecret.make(random: .system).count == 43)
    }

    /// However it is written, it is the same.
    @Test func bothSpellingsAreOneSecret() throws {
        let hexadecimal = Hexadecimal.encode(try #require(Base64URL.decode(Self.good)))
        let sealed = try SharedSecret(Array(Self.good.utf8)).box(for: "keys").seal([1, 2, 3], for: [], random: .system)
        #expect(try SharedSecret(Array(hexadecimal.utf8)).box(for: "keys").open(sealed, for: []) == [1, 2, 3])
    }

    @Test func itTellsNothingOfItself() throws {
        let secret = try SharedSecret(Array(Self.good.utf8))
        #expect("\(secret) \(secret.box(for: "keys"))" == "SharedSecret PlacedBox")
        #expect(String(reflecting: secret) == "SharedSecret")
        #expect(Mirror(reflecting: secret).children.isEmpty && Mirror(reflecting: secret.box(for: "keys")).children.isEmpty)
    }
}
