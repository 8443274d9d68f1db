import GateJSON
import GateModel
import Testing

@testable import GateService

@Suite struct WaitingLineTests {
    private let start = Timestamp(milliseconds: 1_774_000_000_000)

    @Test func whoWaitsAsToldHasWaitedWhateverOthersDo() {
        let line = WaitingLine()
        #expect(line.wait("ann", seconds: 20, at: start) == 20)
        #expect(!line.hasWaited("ann", at: start))
        for number in 0..<30_000 { _ = line.wait("other \(number)", seconds: 20, at: start) }
        #expect(line.wait("ann", seconds: 20, at: start.advanced(bySeconds: 15)) == 5)
        #expect(line.wait("ann", seconds: 20, at: start.advanced(bySeconds: 20)) == nil)
        #expect(line.hasWaited("ann", at: start.advanced(bySeconds: 20)))
        // For the steps of one sign-in; then the wait is used up.
        #expect(line.wait("ann", seconds: 20, at: start.advanced(bySeconds: 60)) == nil)
        line.leave("ann")
        #expect(line.wait("ann", seconds: 40, at: start.advanced(bySeconds: 60)) == 40)
    }

    /// One /48 of IPv6, in which each of 65,536 networks asks once: that is no failure, so nothing else slows it down.
    @Test func aSiteTakesFewPlaces() {
        let line = WaitingLine()
        _ = line.wait(NetworkPlace("192.0.2.7").share, seconds: 20, at: start)
        for number in 0..<65_536 {
            _ = line.wait(NetworkPlace("2001:db8:1:\(String(number, radix: 16))::1").share, seconds: 20, at: start)
        }
        #expect(line.wait(NetworkPlace("192.0.2.7").share, seconds: 20, at: start.advanced(bySeconds: 20)) == nil)
    }

    @Test func aWaitThatWasNotUsedIsOver() {
        let line = WaitingLine()
        _ = line.wait("ann", seconds: 20, at: start)
        #expect(line.wait("ann", seconds: 20, at: start.advanced(bySeconds: 140)) == 20)
    }

    @Test func aClockThatIsPutBackKeepsNobodyWaiting() {
        let line = WaitingLine()
        _ = line.wait("ann", seconds: 20, at: start)
        let earlier = start.advanced(bySeconds: -86_400)
        #expect(line.wait("ann", seconds: 20, at: earlier) == 20)
        #expect(line.wait("ann", seconds: 20, at: earlier.advanced(bySeconds: 20)) == nil)
    }
}
