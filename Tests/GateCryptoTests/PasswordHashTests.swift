import Foundation
import Testing

@testable import GateCrypto

@Suite struct PasswordHashTests {
    /// From the test suite of the reference implementation (phc-winner-argon2, version 19).
    @Test(arguments: [
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    ])
    func publishedVectors(text: String) throws {
        let hash = PasswordHash(stored: text)
        #expect(try hash.verifies("password"))
        #expect(try !hash.verifies("Password"))
        #expect(try !hash.verifies(""))
    }

    @Test func theStandardCostStandsInTheText() throws {
        let hash = try PasswordHash(of: "correct horse battery staple")
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(try hash.verifies("correct horse battery staple"))
        #expect(!hash.needsRehash())
        #expect(!hash.needsRehash(cost: .least), "What is dearer than it has to be stays.")
        #expect(hash.needsRehash(cost: PasswordHash.Cost(operations: 3, memoryBytes: 67_108_864)))
    }

    @Test func everyHashHasItsOwnSalt() throws {
        #expect(try PasswordHash(of: "same", cost: .least).text != PasswordHash(of: "same", cost: .least).text)
    }

    @Test(arguments: ["", " ", "a\u{0}b", "пароль", String(repeating: "x", count: 4_096)])
    func passwordsAreTakenByteForByte(password: String) throws {
        let hash = try PasswordHash(of: password, cost: .least)
        #expect(try hash.verifies(password))
        #expect(try !hash.verifies(password + " "))
        #expect(try !hash.verifies("a"))
    }

    @Test(arguments: ["", "x", "$argon2id$v=19$m=65536", "$argon2id$v=19$m=8,t=1,p=1$\u{0}", String(repeating: "$", count: 500)])
    func whatIsNoHashVerifiesNothing(text: String) throws {
        let hash = PasswordHash(stored: text)
        #expect(try !hash.verifies("password"))
        #expect(try !hash.verifies(""))
        #expect(hash.needsRehash())
    }

    @Test func memoryThatIsNotToBeHadIsAnError() {
        let more = PasswordHash.Cost(operations: 1, memoryBytes: 1 << 50)
        #expect { try PasswordHash(of: "password", cost: more) } throws: { ($0 as? CryptoError)?.code == .outOfMemory }
    }

    /// The library makes the hash and this program computes it anew: at any cost they must agree, and on every part of it.
    @Test func whatTheLibraryMadeIsVerified() throws {
        for cost in [PasswordHash.Cost.least, .standard, PasswordHash.Cost(operations: 3, memoryBytes: 1_048_576)] {
            let hash = try PasswordHash(of: "пароль", cost: cost)
            #expect(try hash.verifies("пароль"))
            #expect(try !hash.verifies("Пароль"))
            for index in [10, 25, 40, 70, hash.text.count - 1] {
                var characters = Array(hash.text)
                characters[index] = characters[index] == "A" ? "B" : "A"
                #expect(try !PasswordHash(stored: String(characters)).verifies("пароль"), "\(index)")
            }
        }
    }

    /// Else the right password would be called wrong, and whoever has it be slowed down for it. The hash asks for four tebibytes; a system
    /// that promises memory which it does not have (overcommit 1) would begin to look for them.
    @Test(.enabled(if: (try? String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8).prefix(1)) == "0"))
    func memoryThatIsNotToBeHadIsNoWrongPassword() {
        let hash = PasswordHash(
            stored: "$argon2id$v=19$m=4294967295,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        )
        #expect { try hash.verifies("password") } throws: { ($0 as? CryptoError)?.code == .outOfMemory }
    }

    @Test func printingShowsNothingOfIt() {
        let hash = PasswordHash(stored: "$argon2id$secret")
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains("secret")) }
    }
}
