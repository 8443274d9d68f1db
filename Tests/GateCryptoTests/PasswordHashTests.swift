import Testing

@testable import GateCrypto

@Suite struct PasswordHashTests {
    /// From the test suite of the reference implementation (phc-winner-argon2, version 19).
    @Test(arguments: [
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    ])
    func publishedVectors(text: String) {
        let hash = PasswordHash(stored: text)
        #expect(hash.verifies("password"))
        #expect(!hash.verifies("Password"))
        #expect(!hash.verifies(""))
    }

    @Test func theStandardCostStandsInTheText() throws {
        let hash = try PasswordHash(of: "correct horse battery staple")
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(hash.verifies("correct horse battery staple"))
        #expect(!hash.needsRehash())
        #expect(hash.needsRehash(cost: .least))
    }

    @Test func everyHashHasItsOwnSalt() throws {
        #expect(try PasswordHash(of: "same", cost: .least).text != PasswordHash(of: "same", cost: .least).text)
    }

    @Test(arguments: ["", " ", "a\u{0}b", "пароль", String(repeating: "x", count: 4_096)])
    func passwordsAreTakenByteForByte(password: String) throws {
        let hash = try PasswordHash(of: password, cost: .least)
        #expect(hash.verifies(password))
        #expect(!hash.verifies(password + " "))
        #expect(!hash.verifies("a"))
    }

    @Test(arguments: ["", "x", "$argon2id$v=19$m=65536", "$argon2id$v=19$m=8,t=1,p=1$\u{0}", String(repeating: "$", count: 500)])
    func whatIsNoHashVerifiesNothing(text: String) {
        let hash = PasswordHash(stored: text)
        #expect(!hash.verifies("password"))
        #expect(!hash.verifies(""))
        #expect(hash.needsRehash())
    }

    @Test func memoryThatIsNotToBeHadIsAnError() {
        let more = PasswordHash.Cost(operations: 1, memoryBytes: 1 << 50)
        #expect { try PasswordHash(of: "password", cost: more) } throws: { ($0 as? CryptoError)?.code == .outOfMemory }
    }

    @Test func printingShowsNothingOfIt() {
        let hash = PasswordHash(stored: "$argon2id$secret")
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains("secret")) }
    }
}
