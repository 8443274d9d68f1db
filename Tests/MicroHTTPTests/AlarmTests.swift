import Dispatch
import Foundation
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
        let (alarm, ended) = (Alarm(), DispatchSemaphore(value: 0))
        let folder = Mutex<String?>(nil)
        let waiting = Foundation.Thread {
            // Its folder in /proc, which no other thread can ask for by name.
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            folder.withLock { $0 = own }
            _ = alarm.wait(for: .seconds(60))
            ended.signal()
        }
        waiting.start()
        defer {
            alarm.ring()
            ended.wait()
        }
        // The system call that the thread is in, and its arguments: the number of futex(2), a word's address, what is asked.
        var call: [Substring] = []
        let begun = ContinuousClock.now
        while call.first != futex, ContinuousClock.now - begun < .seconds(30) {
            guard let folder = folder.withLock({ $0 }) else { continue }
            call = (try? String(contentsOfFile: "/proc/\(folder)/syscall", encoding: .utf8))?.split(separator: " ") ?? []
        }
        try #require(call.first == futex && call.count > 2, "\(call)")
        let asked = try #require(Int(call[2].dropFirst(2), radix: 16))
        #expect(asked & ofRealTime == 0, "\(call)")
    }

    #if arch(x86_64)
        private let futex: Substring = "202"
    #else
        private let futex: Substring = "98"
    #endif

    /// FUTEX_CLOCK_REALTIME of linux/futex.h.
    private let ofRealTime = 256
}
