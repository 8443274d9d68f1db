import GateModel
import Testing

@Suite struct ConfirmationPhraseTests {
    @Test(arguments: [
        ("shop/ios", "shop/ios", true), (" Shop/iOS ", "shop/ios", true), ("shop/android", "shop/ios", false), ("", "shop/ios", false),
        ("kill 2 targets", "kill 2 targets", true), ("KILL 2 targets", "kill 2 targets", true), ("kill 3 targets", "kill 2 targets", true),
        ("kill 1 targets", "kill 2 targets", false), ("open 3 targets", "kill 2 targets", false),
        ("kill two targets", "kill 2 targets", false),
        // Of two targets one was blocked by somebody else meanwhile.
        ("kill 2 targets", "shop/ios", true), ("open 2 targets", "shop/ios", false), ("banana 3 targets", "shop/ios", false),
        ("kill 4 targets", "shop/ios", false), ("kill 1 targets", "shop/ios", false), ("kill 2 targets", "delete shop", false),
        ("shop/ios", "kill 2 targets", false),
        ("kill -2 targets", "kill 2 targets", false), ("kill 99999999999999999999 targets", "kill 2 targets", false),
    ])
    func whoConfirmedMoreHasConfirmedThese(typed: String, phrase: String, isTaken: Bool) {
        #expect(ConfirmationPhrase.accepts(typed, for: phrase, verb: "kill", named: 3) == isTaken)
    }

    /// Three targets can only be confirmed for a command that names three.
    @Test(arguments: [(1, false), (2, false), (3, true), (4, true)]) func nobodyConfirmsMoreThanTheCommandNames(named: Int, isTaken: Bool) {
        #expect(ConfirmationPhrase.accepts("kill 3 targets", for: "kill 2 targets", named: named) == isTaken)
    }

    /// What a file names nobody counted who typed the phrase.
    @Test func aFileIsConfirmedByTheVeryPhrase() {
        #expect(!ConfirmationPhrase.accepts("apply 3 targets", for: "apply 2 targets"))
        #expect(ConfirmationPhrase.accepts("Apply 2 targets ", for: "apply 2 targets"))
    }
}
