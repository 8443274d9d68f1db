import Dispatch
import Foundation
import GateTesting
import Synchronization
import Testing

@testable import MicroHTTP

@Suite struct AlarmTests {
    @Test func aPauseEndsByItself() {
        let begun = ContinuousClock.now
        #expect(!Alarm().wait(for: .milliseconds(20)))
        #expect(ContinuousClock.now - begun >= .milliseconds(20))
    }

    @Test(arguments: [1, 2, 100]) func ringingEndsOnePauseHoweverOften(times: Int) {
        let alarm = Alarm()
        for _ in 0..<3 {
            DispatchQueue.concurrentPerform(iterations: times) { _ in alarm.ring() }
            #expect(alarm.wait(for: .never))
            #expect(!alarm.wait(for: .milliseconds(1)))
        }
    }

    @Test func whoRingsIsHeardEachTime() {
        let (there, back) = (Alarm(), Alarm())
        let said = Atomic<Int>(0)
        let other = Foundation.Thread {
            for _ in 0..<1_000 {
                _ = there.wait(for: .never)
                said.add(1, ordering: .relaxed)
                back.ring()
            }
        }
        other.start()
        for turn in 1...1_000 {
            there.ring()
            #expect(back.wait(for: .never))
            #expect(said.load(ordering: .relaxed) == turn)
        }
    }

    /// A wait until a time of the clock that people set would last as long as that clock was put back.
    @Test func aPauseIsASpanAndNotATimeOfTheClock() throws {
        let (alarm, started, ended) = (Alarm(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let waiting = Foundation.Thread {
            // Only a running thread's name reaches the system, and Foundation takes it for running when its start has returned.
            started.wait()
            Foundation.Thread.current.name = "an alarm's test"
            _ = alarm.wait(for: .seconds(60))
            ended.signal()
        }
        waiting.start()
        started.signal()
        defer {
            alarm.ring()
            ended.wait()
        }
        #expect(try !FutexWaits.dependOnTheSetClock(ofThread: "an alarm's test"))
    }
}
