import Testing

@testable import GateCrypto

@Suite struct RandomSourceTests {
    @Test func theSystemGivesAsManyBytesAsAskedFor() {
        for count in [0, 1, 32, 4_096] { #expect(RandomSource.system.bytes(count).count == count) }
    }

    @Test func theSystemNeverRepeatsItself() {
        #expect(RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
        #expect(Set((0..<1_000).map { _ in RandomSource.system.secret() }).count == 1_000)
    }

    @Test func comparingLooksAtEveryByteAndTheLength() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal("token", "token"))
        for other in ["", "toke", "tokens", "Token", "tokeN"] { #expect(!ConstantTime.equal("token", other)) }
    }
}
