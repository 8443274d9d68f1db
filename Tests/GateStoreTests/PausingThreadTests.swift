import Dispatch
import Foundation
import GateStore
import GateTesting
import Synchronization
import Testing

@Suite struct PausingThreadTests {
    @Test func whoWaitsSeesWhatWasDone() {
        let thread = PausingThread("a test")
        let done = Atomic(0)
        thread.start {
            for _ in 0..<1_000 { done.add(1, ordering: .relaxed) }
        }
        // Anybody, and as often as they like.
        DispatchQueue.concurrentPerform(iterations: 4) { _ in #expect(thread.join()) }
        #expect(done.load(ordering: .relaxed) == 1_000)
        #expect(thread.join(patience: .milliseconds(0)))
    }

    @Test func patienceEndsBeforeTheWork() {
        let thread = PausingThread("a test")
        thread.start { [thread] in thread.pause(for: .never) }
        #expect(!thread.join(patience: .milliseconds(20)))
        thread.wake()
        #expect(thread.join())
    }

    @Test func nobodyWaitsForWhatNeverBegan() {
        #expect(PausingThread("a test").join())
    }

    @Test(arguments: [1, 2, 100]) func wakingEndsOnePauseHoweverOften(times: Int) {
        let thread = PausingThread("a test")
        let pauses = Mutex<[Bool]>([])
        // Before it begins, too.
        DispatchQueue.concurrentPerform(iterations: times) { _ in thread.wake() }
        thread.start { [thread] in
            let ends = [thread.pause(for: .never), thread.pause(for: .milliseconds(1))]
            pauses.withLock { $0 = ends }
        }
        thread.join()
        #expect(pauses.withLock { $0 } == [true, false])
    }

    @Test func whoWakesIsHeardEachTime() {
        let (there, back) = (PausingThread("there"), PausingThread("back"))
        let said = Atomic(0)
        there.start { [there, back] in
            for _ in 0..<1_000 {
                there.pause(for: .never)
                said.add(1, ordering: .relaxed)
                back.wake()
            }
        }
        let heard = Mutex<[Int]>([])
        back.start { [there, back] in
            for _ in 0..<1_000 {
                there.wake()
                back.pause(for: .never)
                let count = said.load(ordering: .relaxed)
                heard.withLock { $0.append(count) }
            }
        }
        back.join()
        #expect(heard.withLock { $0 } == Array(1...1_000))
    }

    @Test(arguments: [("schedule", "schedule"), ("a name that is longer", "a name that is ")])
    func theSystemCallsItByItsName(name: String, called: String) {
        let read = Mutex<[String: Int]>([:])
        // Many, because some of them run before their start has returned.
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            let thread = PausingThread(name)
            thread.start {
                let own = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "no file"
                read.withLock { $0[own, default: 0] += 1 }
            }
            thread.join()
        }
        #expect(read.withLock { $0 } == [called + "\n": 200])
    }

    /// A pause until a time of the clock that people set would last as long as that clock was put back.
    @Test func aPauseIsASpanAndNotATimeOfTheClock() throws {
        try duringAPause(of: "a pause's test") { name throws in #expect(try !FutexWaits.dependOnTheSetClock(ofThread: name)) }
    }

    /// A machine that is put to sleep stops all its processes, and then Linux names a wait by another number: the test above would look for
    /// it in vain.
    @Test func aPauseIsSeenAlsoAfterTheProcessWasStopped() throws {
        try duringAPause(of: "a long pause") { name throws in
            #expect(try !FutexWaits.dependOnTheSetClock(ofThread: name))
            let stop = Process()
            stop.executableURL = URL(fileURLWithPath: "/bin/sh")
            stop.arguments = ["-c", "kill -STOP \(getpid()); kill -CONT \(getpid())"]
            try stop.run()
            stop.waitUntilExit()
            #expect(try !FutexWaits.dependOnTheSetClock(ofThread: name))
        }
    }

    private func duringAPause(of name: String, _ look: (String) throws -> Void) rethrows {
        let thread = PausingThread(name)
        thread.start { [thread] in thread.pause(for: .seconds(3_600)) }
        defer {
            thread.wake()
            thread.join()
        }
        try look(name)
    }

    /// Why it does not pause by one, and that the test above can fail. Where this one fails, Dispatch has changed.
    @Test func aSemaphoreWaitsUntilATimeOfThatClock() throws {
        let (semaphore, thread) = (DispatchSemaphore(value: 0), PausingThread("a semaphore"))
        thread.start { _ = semaphore.wait(timeout: .now() + .seconds(3_600)) }
        defer {
            semaphore.signal()
            thread.join()
        }
        #expect(try FutexWaits.dependOnTheSetClock(ofThread: "a semaphore"))
    }
}
