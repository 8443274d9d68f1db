import GateCrypto
import Testing

struct KeyedHashTests {
    private func hash(_ seed: UInt8) -> KeyedHash { KeyedHash(key: [UInt8](repeating: seed, count: 32))! }

    /// BLAKE2b-256 keyed with the bytes 0 to 31, of the bytes 0 to 254: made with Python's hashlib.blake2b.
    @Test func theBytesAreBLAKE2bs() {
        let keyed = KeyedHash(key: Array(0...31))!
        #expect(Hexadecimal.encode(keyed.hash(of: Array(0...254))) == "f60f5c4a575c43db6c93608515866ea998e04b35792f5a92b27aa5880cd6721e")
        #expect(Hexadecimal.encode(keyed.hash(of: [])) == "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d")
    }

    @Test func itHoldsForOneKeyAndOneMessageOnly() {
        let message = Array("a row".utf8)
        let made = hash(7).hash(of: message)
        #expect(hash(7).matches(made, message))
        #expect(!hash(8).matches(made, message))
        #expect(!hash(7).matches(made, message + [0]))
        for index in made.indices {
            var changed = made
            changed[index] ^= 1
            #expect(!hash(7).matches(changed, message), "\(index)")
        }
        for count in [0, 16, 31] { #expect(!hash(7).matches(Array(made.prefix(count)), message), "\(count)") }
    }

    @Test func aKeyHas32Bytes() {
        for count in [0, 31, 33, 64] { #expect(KeyedHash(key: [UInt8](repeating: 0, count: count)) == nil) }
    }

    @Test func itTellsNothingOfItsKey() { #expect("\(hash(7))" == "KeyedHash") }
}
