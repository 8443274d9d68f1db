import GateCrypto
import Testing

struct PasswordCostTests {
    @Test(arguments: [
        ("$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA", false),
        ("$argon2id$v=19$m=131072,t=3,p=1$c2FsdA$aGFzaA", false),
        ("$argon2id$v=19$m=65535,t=2,p=1$c2FsdA$aGFzaA", true),
        ("$argon2id$v=19$m=65536,t=1,p=1$c2FsdA$aGFzaA", true),
        ("$argon2i$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA", true),
        ("$argon2id$v=19$t=2,p=1$c2FsdA$aGFzaA", true),
        ("", true),
    ])
    func aHashIsCheaperThatWasMadeWithLessMemoryOrFewerPasses(text: String, isCheaper: Bool) {
        #expect(PasswordHash(stored: text).needsRehash() == isCheaper)
    }

    @Test func aHashJustMadeIsNotCheaperThanItsCost() throws {
        let hash = try PasswordHash(of: "correct horse battery", cost: .least)
        #expect(!hash.needsRehash(cost: .least))
        #expect(hash.needsRehash(cost: PasswordHash.Cost(operations: 2, memoryBytes: 8_192)))
    }
}
