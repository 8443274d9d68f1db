import Dispatch
import GateTesting
import Synchronization
import Testing

@testable import GateThreads

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
        let other = WorkerThread("other")
        other.start {
            for _ in 0..<1_000 {
                _ = there.wait(for: .never)
                said.add(1, ordering: .relaxed)
                back.ring()
            }
        }
        for turn in 1...1_000 {
            there.ring()
            #expect(back.wait(for: .never))
            #expect(said.load(ordering: .relaxed) == turn)
        }
    }

    /// A wait until a time of the clock that people set would last as long as that clock was put back.
    @Test func aPauseIsASpanAndNotATimeOfTheClock() throws {
        let (alarm, thread) = (Alarm(), WorkerThread("an alarm's test"))
        thread.start { _ = alarm.wait(for: .seconds(60)) }
        defer {
            alarm.ring()
            thread.join()
        }
        #expect(try !FutexWaits.dependOnTheSetClock(ofThread: "an alarm's test"))
    }

    /// Why an alarm is none, and that the test above can fail. Where this one fails, Dispatch has changed.
    @Test func aSemaphoreWaitsUntilATimeOfThatClock() throws {
        let (semaphore, thread) = (DispatchSemaphore(value: 0), WorkerThread("a semaphore"))
        thread.start { _ = semaphore.wait(timeout: .now() + .seconds(60)) }
        defer {
            semaphore.signal()
            thread.join()
        }
        #expect(try FutexWaits.dependOnTheSetClock(ofThread: "a semaphore"))
    }
}
