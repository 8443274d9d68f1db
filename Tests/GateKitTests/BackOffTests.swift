import GateModel
import Testing

@testable import GateKit

@Suite struct BackOffTests {
    /// What deploy/CAPACITY.md counts with: while checks bring an answer, a phone that is shut out asks in the feed's interval, by chance
    /// or not.
    @Test(arguments: [5, 15, 300, 3_600], [0, 0.5, 1]) func anAnswerIsFollowedByTheIntervalItself(interval: Int, random: Double) {
        #expect(ClientLibrary.gatekit.asksAgain)
        #expect(BackOff.delay(interval: interval, failures: 0, random: random) == Double(interval))
    }

    @Test(arguments: [(1, 0.0, 30.0), (1, 1.0, 36.0), (2, 0.0, 60.0), (9, 0.0, 300.0), (9, 1.0, 360.0)])
    func whatFailedIsAskedForLater(failures: Int, random: Double, delay: Double) {
        #expect(BackOff.delay(interval: 15, failures: failures, random: random) == delay)
    }
}
