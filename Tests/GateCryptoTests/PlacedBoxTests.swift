import GateCrypto
import Testing

struct PlacedBoxTests {
    private static let place = Array("totp.key 1".utf8)
    private let message = Array("a key".utf8)

    private func box(_ purpose: String = "keys", _ secret: String = SharedSecretTests.good) throws -> PlacedBox {
        try SharedSecret(Array(secret.utf8)).box(for: purpose)
    }

    @Test func whatWasSealedIsOpenedInItsPlaceAndNoOther() throws {
        let box = try box()
        let sealed = box.seal(message, for: Self.place, random: .system)
        #expect(sealed.count == message.count + 40)
        #expect(box.open(sealed, for: Self.place) == message)
        for other in ["totp.key 2", "rows.key 1", "totp.key 1 ", ""] {
            #expect(box.open(sealed, for: Array(other.utf8)) == nil, "\(other)")
        }
        #expect(box.open(box.seal([], for: [], random: .system), for: []) == [])
        #expect(box.seal(message, for: Self.place, random: .system) != sealed)
    }

    @Test func anotherSecretOrPurposeOpensNothing() throws {
        let sealed = try box().seal(message, for: Self.place, random: .system)
        #expect(try box().open(sealed, for: Self.place) == message)
        #expect(try box("other").open(sealed, for: Self.place) == nil)
        #expect(try box("keys", SharedSecret.make(random: .system)).open(sealed, for: Self.place) == nil)
    }

    @Test func aChangedByteAnywhereIsNoticed() throws {
        let box = try box()
        let sealed = box.seal(message, for: Self.place, random: .system)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed, for: Self.place) == nil, "\(index)")
        }
        for count in [0, 23, 39, sealed.count - 1] { #expect(box.open(Array(sealed.prefix(count)), for: Self.place) == nil, "\(count)") }
    }
}
