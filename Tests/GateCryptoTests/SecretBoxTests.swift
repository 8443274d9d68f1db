import GateCrypto
import Testing

struct SecretBoxTests {
    private let box = SecretBox(key: [UInt8](repeating: 7, count: 32))!

    @Test func whatWasSealedIsOpenedWithTheSameKeyAndNoOther() {
        let message = Array("a secret".utf8)
        let sealed = box.seal(message, random: .system)
        #expect(box.open(sealed) == message)
        #expect(SecretBox(key: [UInt8](repeating: 8, count: 32))!.open(sealed) == nil)
        #expect(box.open(box.seal([], random: .system)) == [])
    }

    @Test func aChangedByteAnywhereIsNoticed() {
        let sealed = box.seal(Array("a secret".utf8), random: .system)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed) == nil, "\(index)")
        }
        for count in [0, 23, 39, sealed.count - 1] { #expect(box.open(Array(sealed.prefix(count))) == nil, "\(count)") }
    }

    @Test func theSameSecretIsNeverSealedTheSameWay() {
        #expect(box.seal([1, 2, 3], random: .system) != box.seal([1, 2, 3], random: .system))
    }

    @Test func aKeyHas32Bytes() {
        for count in [0, 31, 33] { #expect(SecretBox(key: [UInt8](repeating: 0, count: count)) == nil) }
    }
}
